"""Chooses the room of each passage without a language model: by folder, by heading, or the common room."""

from __future__ import annotations

from graphpalace.domain.document import Document
from graphpalace.domain.identity import as_place_name

COMMON_ROOM = "general"
_LONGEST_NAME = 120


def rooms_of(document: Document, *, mode: str) -> list[str]:
    """Return the name of the room of each passage.

    Args:
        mode: `folders` and `auto` use the first folder below the ingested root, or the common room if there is none.
            `headings` uses the outermost level of headings that differ within the document. `clusters` uses the common
            room. With `auto` and `clusters`, `settle` divides the common room into clusters later.
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
    """Return the first depth at which two passages have different headings.

    If there is no such depth, it is 0, or None if no passage has a heading.
    """
    deepest = max((len(passage.headings) for passage in document.passages), default=0)
    for depth in range(deepest):
        if len({passage.headings[depth] for passage in document.passages if len(passage.headings) > depth}) > 1:
            return depth
    return 0 if deepest else None


def _name(text: str) -> str:
    return as_place_name(text, most_chars=_LONGEST_NAME) or COMMON_ROOM
