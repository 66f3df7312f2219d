"""Change scores by small amounts, such as for importance, or because a drawer is outdated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphpalace.domain.search.ranking import FusedDrawer


def with_changes(fused: Iterable[FusedDrawer], changes: Mapping[str, float]) -> list[FusedDrawer]:
    """Add changes to the scores of drawers and sort them: best first, ties by id.

    Args:
        changes: Change of the score by id. Other drawers keep their scores.
    """
    moved = [hit._replace(score=hit.score + changes[hit.id]) if hit.id in changes else hit for hit in fused]
    return sorted(moved, key=lambda hit: (-hit.score, hit.id))
