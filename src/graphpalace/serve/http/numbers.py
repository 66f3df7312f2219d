"""Numbers in requests: a number is a number, not a text ("+5") or a truth value (true) that could be read as one."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

Whole = Annotated[int, Field(strict=True)]
Real = Annotated[float, Field(strict=True, allow_inf_nan=False)]
