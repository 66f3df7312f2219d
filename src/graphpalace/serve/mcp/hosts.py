"""What hosts of agents show their model of an answer."""

from __future__ import annotations

# How clients name themselves whose hosts show their model the text of an answer, not its structure.
_ONLY_TEXT = ("claude-ai", "cursor", "gemini-cli", "hermes", "kimi", "opencode")


def shows_only_text(client: str) -> bool:
    """Return whether the host with a client of this name shows its model only the text of an answer."""
    return client.casefold().startswith(_ONLY_TEXT)
