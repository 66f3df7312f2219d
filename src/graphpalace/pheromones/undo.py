"""Undo a deposit: what a pheromone would be if it had never been laid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphpalace.domain.pheromones import NOISE_FLOOR

_EQUAL = 1e-9  # what differs by less differs by rounding


@dataclass(frozen=True, slots=True)
class PheromoneLaw:
    """How one pheromone fades and grows; `cypher/pheromones/deposit.cypher` does the same.

    Attributes:
        rate: Share lost in one cycle, 0 to 1.
        ceiling: It never grows beyond this.
        is_reset: A deposit sets it to what it lays, where it is less, in place of adding to it, as with recency.
    """

    rate: float
    ceiling: float
    is_reset: bool = False

    def faded(self, value: float, cycles: int) -> float:
        """Return what is left of a value after some cycles; fewer than 0 count as 0."""
        left = value * (1.0 - self.rate) ** max(cycles, 0)
        return 0.0 if left < NOISE_FLOOR else left

    def grown(self, value: float, laid: float) -> float:
        """Return a value after a deposit: at least 0, at most the ceiling. What is laid may be below 0."""
        grown = max(value, laid) if self.is_reset else value + laid
        return min(max(grown, 0.0), self.ceiling)


@dataclass(frozen=True, slots=True)
class Laid:
    """What one deposit did to one pheromone of one element.

    Attributes:
        cycle: When.
        before: What it found, faded to that cycle.
        laid: What it laid.
    """

    cycle: int
    before: float
    laid: float


def undone(deposit: Laid, later: Sequence[Laid], *, now: float, cycle: int, law: PheromoneLaw) -> list[float]:
    """Return what later deposits would have found, and what would be there now, if a deposit had never been.

    The pheromone is taken from where the deposit found it through the later ones, once as it was and once without the
    deposit. What was there and none of them explains was changed by others (by hand, for one), and stays changed: the
    same is added, and what is reset is set to the same.

    Args:
        deposit: The one to undo.
        later: Those on the same element since, in the order in which they were laid.
        now: What is there, faded to `cycle`.
        law: Of this pheromone.
    Returns:
        What each of the later ones would have found, then what would be there.

    Example:
        >>> law = PheromoneLaw(rate=0.01, ceiling=5.0)
        >>> undone(Laid(0, 4.5, 1.0), [Laid(0, 5.0, -2.0)], now=3.0, cycle=0, law=law)
        [4.5, 2.5]
    """
    there, without, at = law.grown(deposit.before, deposit.laid), deposit.before, deposit.cycle
    found: list[float] = []
    for step in (*later, Laid(cycle, now, 0.0)):
        explained = law.faded(there, step.cycle - at)
        without = law.faded(without, step.cycle - at)
        by_others = step.before - explained
        if abs(by_others) > _EQUAL:
            without = step.before if law.is_reset else max(without + by_others, 0.0)
        found.append(without)
        there, without, at = law.grown(step.before, step.laid), law.grown(without, step.laid), step.cycle
    return found
