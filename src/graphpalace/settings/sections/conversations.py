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
        description="The folders whose transcripts the service files for a caller over HTTP, who gives their paths. If "
        "it is empty, the service files none. The command line, and programs that open a palace in their own process, "
        "file everything that their user may read.",
    )
