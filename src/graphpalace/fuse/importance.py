"""Importance: adjusts the scores of drawers by a small amount, according to the importance they were given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphpalace.domain.search.ranking import FusedDrawer


def change_by_importance(importance: float, *, weight: float) -> float:
    """Return what an importance adds to a score: weight x (2 importance - 1), which is 0 for the neutral 0.5.

    Args:
        importance: 0 to 1.
        weight: Largest amount that is added or subtracted, >= 0.
    """
    return weight * (2 * importance - 1)


def by_importance(fused: Iterable[FusedDrawer], changes: Mapping[str, float]) -> list[FusedDrawer]:
    """Add changes to the scores of drawers and sort them: best first, ties by id.

    Args:
        changes: Change of the score by id. Other drawers keep their scores.
    """
    moved = [hit._replace(score=hit.score + changes[hit.id]) if hit.id in changes else hit for hit in fused]
    return sorted(moved, key=lambda hit: (-hit.score, hit.id))
