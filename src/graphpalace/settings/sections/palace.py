"""The section `[palace]`."""

from __future__ import annotations

from pydantic import Field

from graphpalace.settings.sections.section import Section


class PalaceSettings(Section):
    """The palace that is meant where none is named."""

    name: str = Field(default="main", description="The name of the palace that is used where none is named.")
