"""Undo a deposit: the value that a pheromone would have if the deposit had never been made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphpalace.domain.graph.pheromones import NOISE_FLOOR

_EQUAL = 1e-9  # smaller differences come from rounding


@dataclass(frozen=True, slots=True)
class PheromoneDynamics:
    """How one pheromone fades and grows; `cypher/pheromones/deposit.cypher` does the same.

    Attributes:
        rate: Share lost in one cycle, 0 to 1.
        ceiling: Largest value.
        is_reset: Whether a deposit raises the pheromone to its own value instead of adding to it, as for recency.
    """

    rate: float
    ceiling: float
    is_reset: bool = False

    def faded(self, value: float, cycles: int) -> float:
        """Return what is left of a value after some cycles; a negative number of cycles counts as 0."""
        left = value * (1.0 - self.rate) ** max(cycles, 0)
        return 0.0 if left < NOISE_FLOOR else left

    def grown(self, value: float, laid: float) -> float:
        """Return a value after a deposit, from 0 to the ceiling. The deposit may be below 0."""
        grown = max(value, laid) if self.is_reset else value + laid
        return min(max(grown, 0.0), self.ceiling)


@dataclass(frozen=True, slots=True)
class DepositedPheromone:
    """The effect of one deposit on one pheromone of one element.

    Attributes:
        cycle: The cycle of the deposit.
        before: The value before the deposit, faded to that cycle.
        laid: The value of the deposit.
    """

    cycle: int
    before: float
    laid: float


def undone(
    deposit: DepositedPheromone, later: Sequence[DepositedPheromone], *, now: float, cycle: int, law: PheromoneDynamics
) -> list[float]:
    """Return the values that a pheromone would have had if a deposit had never been made.

    The later deposits are applied again to the value before the deposit, once with the deposit and once without it. A
    difference that no deposit explains is a change by other means, for example by hand. It is kept: the same amount is
    added again, or a reset value is set again.

    Args:
        deposit: The deposit to undo.
        later: The later deposits on the same element, in order.
        now: The current value, faded to `cycle`.
        law: How this pheromone fades and grows.
    Returns:
        The value before each of the later deposits, and then the current value.

    Example:
        >>> law = PheromoneDynamics(rate=0.01, ceiling=5.0)
        >>> undone(DepositedPheromone(0, 4.5, 1.0), [DepositedPheromone(0, 5.0, -2.0)], now=3.0, cycle=0, law=law)
        [4.5, 2.5]
    """
    there, without, at = law.grown(deposit.before, deposit.laid), deposit.before, deposit.cycle
    found: list[float] = []
    for step in (*later, DepositedPheromone(cycle, now, 0.0)):
        explained = law.faded(there, step.cycle - at)
        without = law.faded(without, step.cycle - at)
        by_others = step.before - explained
        if abs(by_others) > _EQUAL:
            without = step.before if law.is_reset else max(without + by_others, 0.0)
        found.append(without)
        there, without, at = law.grown(step.before, step.laid), law.grown(without, step.laid), step.cycle
    return found
