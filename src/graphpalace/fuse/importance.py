"""Importance: what somebody says of a drawer counts a little in every answer that it is in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphpalace.domain.search.ranking import FusedDrawer

NEUTRAL = 0.5  # what a drawer has of which nobody says anything


def change_by_importance(importance: float, *, weight: float) -> float:
    """Return what an importance adds to a score: weight (2 importance - 1), so 0 for one of a half.

    Args:
        importance: 0 to 1.
        weight: The most that it adds or takes away, >= 0.
    """
    return weight * (2 * importance - 1)


def by_importance(fused: Iterable[FusedDrawer], changes: Mapping[str, float]) -> list[FusedDrawer]:
    """Return drawers with what their importance adds to their scores, best first; equal scores are ordered by id.

    Args:
        changes: What it adds, by id; a drawer that is not among them keeps its score.
    """
    moved = [hit._replace(score=hit.score + changes[hit.id]) if hit.id in changes else hit for hit in fused]
    return sorted(moved, key=lambda hit: (-hit.score, hit.id))
