"""Pointing: lowers the scores of drawers that mostly point elsewhere."""

from __future__ import annotations


def change_by_pointing(share: float, *, penalty: float) -> float:
    """Return what links change of a score: -penalty (2 share - 1), which is 0 if half of the words are links.

    Args:
        share: Share of the words that are links, 0.5 to 1.
        penalty: Largest amount that is subtracted, >= 0.
    """
    return -penalty * (2 * share - 1)
