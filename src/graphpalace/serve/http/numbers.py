"""Types of numbers in requests that accept only JSON numbers, neither texts such as "5" nor booleans."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

Whole = Annotated[int, Field(strict=True)]
Real = Annotated[float, Field(strict=True, allow_inf_nan=False)]
