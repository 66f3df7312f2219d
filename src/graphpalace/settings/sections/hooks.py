"""The section `[hooks]`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graphpalace.settings.sections.section import Section


class HookSettings(Section):
    """What hosts of agents are told at their events, and what is filed. `graphpalace install` sets the hosts up."""

    wing: str = Field(
        default="",
        max_length=200,
        description="The wing that a conversation is told of when it begins, and filed into. If it is empty, the wing "
        "of its project.",
    )
    wake_up_bytes: int = Field(
        default=2048,
        ge=0,
        le=65_536,
        description="The most bytes of what a conversation is told when it begins, without the line that says what it "
        "is. Less than 256: nothing.",
    )
    prompt_bytes: int = Field(
        default=1500,
        ge=0,
        le=65_536,
        description="The most bytes that are added to a prompt. 0: nothing is.",
    )
    prompt_confidence: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="How sure a hit must be to be added to a prompt.",
    )
    prompt_scope: Literal["palace", "wing"] = Field(
        default="palace", description="Where a prompt is looked up: in the whole palace, or in the wing."
    )
    file: bool = Field(default=True, description="Whether conversations are filed.")
