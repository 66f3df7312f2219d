"""The section `[conversations]`."""

from __future__ import annotations

from pydantic import Field

from graphpalace.settings.sections.section import Section


class ConversationSettings(Section):
    """How conversations are filed."""

    mask_secrets: bool = Field(
        default=True,
        description="Whether keys, tokens and private keys are masked in conversations before they are stored.",
    )
    folders: tuple[str, ...] = Field(
        default=("~/.claude/projects", "~/.codex/sessions", "~/.cursor/projects", "~/.gemini/tmp"),
        description="The folders whose transcripts a caller over HTTP may have filed by their paths. If it is empty, "
        "none. The command line and programs that open a palace in their own process file what their user may read.",
    )
