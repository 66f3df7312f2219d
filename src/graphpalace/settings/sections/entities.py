"""The section `[entities]`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graphpalace.settings.sections.section import Section

RecogniserName = Literal["auto", "spacy", "rules", "off"]


class EntitySettings(Section):
    """Names in texts, which become nodes of the graph."""

    recogniser: RecogniserName = Field(
        default="auto",
        description="What finds names: spaCy's small English pipeline, or rules that go by capital letters and need no "
        "model. auto uses spacy for English texts, and rules for texts in other languages. off: no names are read.",
    )
    read_after_s: float = Field(
        default=1.0,
        ge=0,
        le=86400,
        description="Names are read when nothing was written to a palace for this number of seconds.",
    )
