"""The section `[mcp]`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graphpalace.domain.mcp_profiles import PROFILES
from graphpalace.settings.sections.section import Section


class McpSettings(Section):
    """What models see of the palace over MCP."""

    profile: str = Field(
        default="core",
        pattern=rf"^({'|'.join(PROFILES)})(,({'|'.join(PROFILES)}))*$",
        description=f"The tools that a client sees: {', '.join(PROFILES[:-1])} or {PROFILES[-1]}, or several of them "
        "joined by commas, such as core,runs. A client over HTTP can choose others with ?profile= in the address.",
    )
    read_only: bool = Field(
        default=False, description="Offer only tools that change nothing. Calls of other tools are refused."
    )
    search_bytes: int = Field(
        default=3800,
        ge=512,
        le=65_536,
        description="The largest answer of a search, in bytes, if the call names no budget and no detail.",
    )
    open_bytes: int = Field(
        default=16_384,
        ge=512,
        le=1_048_576,
        description="The largest part of a text, in bytes, that open_drawer shows at a time.",
    )
    answers: Literal["structured", "text"] = Field(
        default="structured",
        description="How tools answer: structured content with a schema, or the same JSON as text, for hosts that show "
        "only text to their model. An answer has one of these forms, not both. Some hosts that need text are known "
        "and get it. "
        "A client over HTTP can choose with ?answers= in the address.",
    )
