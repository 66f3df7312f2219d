"""Importance: what somebody says of a drawer counts a little in every answer that it is in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from graphpalace.domain.ranking import Fused

NEUTRAL = 0.5  # what a drawer has of which nobody says anything


class Importance(NamedTuple):
    """The importance of a drawer, 0 to 1, and what it adds to the drawer's score."""

    value: float
    change: float


def change_by_importance(importance: float, *, weight: float) -> float:
    """Return what an importance adds to a score: weight (2 importance - 1), so 0 for one of a half.

    Args:
        importance: 0 to 1.
        weight: The most that it adds or takes away, >= 0.
    """
    return weight * (2 * importance - 1)


def by_importance(fused: Iterable[Fused], importances: Mapping[str, Importance]) -> list[Fused]:
    """Return drawers with what their importance adds to their scores, best first; equal scores are ordered by id.

    Args:
        importances: By id; a drawer that is not among them keeps its score.
    """
    moved = [
        hit._replace(score=hit.score + importances[hit.id].change) if hit.id in importances else hit for hit in fused
    ]
    return sorted(moved, key=lambda hit: (-hit.score, hit.id))
