"""What all sections have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """Some settings that belong together; a name that is no setting is refused, and nothing changes later."""

    model_config = ConfigDict(extra="forbid", frozen=True)
