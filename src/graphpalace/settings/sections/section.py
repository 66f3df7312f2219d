"""The base class of all sections."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A group of settings. Unknown names are refused, and values cannot be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)
