"""The memory of a drawer: a mean of the questions that it answered (seed 001, "narrative")."""

from __future__ import annotations

from collections.abc import Iterable

from graphpalace.domain.learning.feedback import AnsweredQuestion, NarrativeMemory
from graphpalace.domain.vectors import Vector, unit_rows

SHARE = 0.3  # weight of an answer with full reward; with the .01 of the seed, a hundred answers would hardly count
_NOTHING = 0.001


def remembering(
    memory: NarrativeMemory | None, question: Vector, *, reward: float, cycle: int, rate: float
) -> NarrativeMemory:
    """Return a drawer's memory after it answered one more question.

    With a = .3 reward and s = strength (1 - rate)^(cycles since), s becomes s + a (1 - s), and the memory becomes the
    mean of itself and the question, weighted by (1 - a) s and a, at length one. So no single question dominates it.

    Args:
        memory: None if the drawer has no memory yet.
        reward: Above 0, at most 1.
        cycle: The cycle of the answer.
        rate: Share of the strength that is lost in a cycle, 0 to 1.

    Source: seed 001, exponential moving average, kept per drawer.
    """
    share = SHARE * reward
    if memory is None:
        return NarrativeMemory(question, share, cycle)
    left = memory.strength * (1.0 - rate) ** max(cycle - memory.cycle, 0)
    if left < _NOTHING:
        return NarrativeMemory(question, share, cycle)
    mixed = unit_rows(((1.0 - share) * left * memory.vector + share * question)[None])[0]
    return NarrativeMemory(mixed, left + share * (1.0 - left), max(cycle, memory.cycle))


def remembered(answers: Iterable[AnsweredQuestion], *, rate: float) -> NarrativeMemory | None:
    """Return the memory after some answers, given oldest first; None if there are none."""
    memory: NarrativeMemory | None = None
    for question, reward, cycle in answers:
        memory = remembering(memory, question, reward=reward, cycle=cycle, rate=rate)
    return memory
