"""Which room a passage belongs in, without a language model: folders, headings, or a common room to be clustered."""

from __future__ import annotations

from graphpalace.domain.document import Document
from graphpalace.domain.identity import as_place_name

COMMON_ROOM = "general"
_LONGEST_NAME = 120


def rooms_of(document: Document, *, mode: str) -> list[str]:
    """Return the name of the room of each passage.

    Args:
        mode: `folders`: the first folder under the ingested root; `headings`: the outermost heading that tells parts
            of the document apart; `clusters`: the common room, which settling cuts into clusters; `auto`: the
            folder where there is one, else the common room.
    """
    common = [COMMON_ROOM] * len(document.passages)
    if mode == "clusters":
        return common
    if mode == "headings":
        depth = _telling_depth(document)
        return [
            _name(passage.headings[depth]) if depth is not None and len(passage.headings) > depth else COMMON_ROOM
            for passage in document.passages
        ]
    return [_name(document.folders[0])] * len(common) if document.folders else common


def _telling_depth(document: Document) -> int | None:
    """Return the first depth at which two passages have different headings; a lone title tells nothing apart."""
    deepest = max((len(passage.headings) for passage in document.passages), default=0)
    for depth in range(deepest):
        if len({passage.headings[depth] for passage in document.passages if len(passage.headings) > depth}) > 1:
            return depth
    return 0 if deepest else None


def _name(text: str) -> str:
    return as_place_name(text, most_chars=_LONGEST_NAME) or COMMON_ROOM
