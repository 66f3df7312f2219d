"""Importance: adjusts the scores of drawers by a small amount, according to the importance they were given."""

from __future__ import annotations


def change_by_importance(importance: float, *, weight: float) -> float:
    """Return what an importance adds to a score: weight x (2 importance - 1), which is 0 for the neutral 0.5.

    Args:
        importance: 0 to 1.
        weight: Largest amount that is added or subtracted, >= 0.
    """
    return weight * (2 * importance - 1)
