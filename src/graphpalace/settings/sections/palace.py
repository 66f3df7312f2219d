"""The section `[palace]`."""

from __future__ import annotations

from pydantic import Field

from graphpalace.settings.sections.section import Section


class PalaceSettings(Section):
    """The default palace."""

    name: str = Field(default="main", description="The name of the palace to use if none is given.")
