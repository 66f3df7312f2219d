"""The section `[hooks]`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graphpalace.settings.sections.section import Section


class HookSettings(Section):
    """What the hooks of agent hosts add to conversations, and what they file. `graphpalace install` sets them up."""

    wing: str = Field(
        default="",
        max_length=200,
        description="The wing into which conversations are filed, and from which an agent gets what to know when a "
        "session begins. If it is empty, it is the wing of the project.",
    )
    wake_up_bytes: int = Field(
        default=2048,
        ge=0,
        le=65_536,
        description="The largest number of bytes that an agent gets when a session begins, without the introductory "
        "line. With less than 256, it gets nothing.",
    )
    prompt_bytes: int = Field(
        default=1500,
        ge=0,
        le=65_536,
        description="The largest number of bytes that are added to a prompt. With 0, nothing is added.",
    )
    prompt_confidence: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="The least confidence of a hit that is added to a prompt.",
    )
    prompt_scope: Literal["palace", "wing"] = Field(
        default="palace", description="Where a prompt is searched: in the whole palace, or in the wing."
    )
    file: bool = Field(default=True, description="Whether conversations are filed.")
