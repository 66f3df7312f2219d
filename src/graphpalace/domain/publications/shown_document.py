"""What a document shows of itself: its text, or that of its parts, and the facts of its publication."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class DocumentPart(NamedTuple):
    """A passage of a publication: abst, claim or desc, and its text."""

    part: str
    text: str


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """A drawer with the closet that it stands in, or a publication.

    Attributes:
        id: As it was asked for.
        text: Of the drawer; empty for a publication.
        parts: Those that were asked for, in the order of the source; none if it is no publication.
    """

    id: str
    text: str
    parts: Sequence[DocumentPart]
    title: str | None
    pub_id: str | None
    app_id: str | None
    exam_id: str | None
    family_id: str | None
    assignee: str | None
    country: str | None
    published: str | None

    def part(self, name: str) -> str:
        """Return the whole text of a part."""
        return "\n".join(text for part, text in self.parts if part == name)
