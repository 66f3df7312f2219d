"""What a drawer remembers of the questions it answered (seed 001, "narrative")."""

from __future__ import annotations

from collections.abc import Iterable

from graphpalace.domain.vectors import Vector, unit_rows

SHARE = 0.3  # of a full reward; the original's .01 would need a hundred answers to be noticed
_NOTHING = 0.001


def remembering(
    vector: Vector | None, strength: float, cycle: int, question: Vector, *, reward: float, at: int, rate: float
) -> tuple[Vector, float, int]:
    """Return a drawer's memory after it answered one more question.

    With a = .3 reward and s = strength (1 - rate)^(cycles since):  s becomes s + a (1 - s), and the memory becomes
    the mean of itself and the question, weighted by (1 - a) s and a, at length one. So no single question fills it.

    Args:
        vector: The memory, length one; None: there is none yet.
        strength: 0 to 1.
        cycle: When it had that strength.
        reward: Above 0 to 1.
        at: The cycle of the answer.
        rate: What is lost in a cycle, 0 to 1.
    Returns:
        Memory, strength and cycle.

    Source: seed 001, exponential moving average, kept per drawer.
    """
    share = SHARE * reward
    left = strength * (1.0 - rate) ** max(at - cycle, 0)
    if vector is None or left < _NOTHING:
        return question, share, at
    mixed = unit_rows(((1.0 - share) * left * vector + share * question)[None])[0]
    return mixed, left + share * (1.0 - left), max(at, cycle)


def remembered(answered: Iterable[tuple[Vector, float, int]], *, rate: float) -> tuple[Vector, float, int] | None:
    """Return the memory after some answers, given as question, reward and cycle, the oldest first; None without any."""
    memory: tuple[Vector, float, int] | None = None
    for question, reward, at in answered:
        vector, strength, cycle = memory or (None, 0.0, at)
        memory = remembering(vector, strength, cycle, question, reward=reward, at=at, rate=rate)
    return memory
