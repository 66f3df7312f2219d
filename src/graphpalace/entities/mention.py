"""What a recogniser reads and what it finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from graphpalace.domain.knowledge.entity import EntityType


@dataclass(frozen=True, slots=True)
class ReadableText:
    """A passage with what is known of it.

    Attributes:
        media_type: Of its document, as registered with IANA; those of source code start with `text/x-`.
        headings: Titles above it; for source code, what it defines.
        author: Who said it, for messages.
    """

    text: str
    media_type: str = "text/plain"
    headings: Sequence[str] = ()
    author: str | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """One mention of a name, as it is written."""

    name: str
    entity_type: EntityType


class Recogniser(Protocol):
    """Finds names in texts."""

    @property
    def version(self) -> str:
        """A text that changes when it would find other names in the same text."""
        ...

    def names(self, texts: Sequence[ReadableText]) -> list[list[Mention]]:
        """Return the mentions in each text, in order, each as often as it is made."""
        ...
