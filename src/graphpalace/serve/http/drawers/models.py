"""Requests of the routes for drawers."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from graphpalace.domain.forgetting import ForgetChoice
from graphpalace.serve.http.request_body import PalaceField, fields_of, with_example


class ForgetRequest(fields_of(ForgetChoice)):
    """Drawers to delete: those that meet everything that is given. At least one of them is needed."""

    model_config = with_example({"source": "file:///home/ann/notes/old.md", "dry_run": True})

    dry_run: Annotated[bool, Field(description="only answer what would be deleted")] = False
    by: Annotated[str | None, Field(min_length=1, max_length=200, description="who asks, for the receipt")] = None
    palace: PalaceField = None
