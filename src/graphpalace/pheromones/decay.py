"""Exponential decay (seed 003, "Decay Formula")."""

from __future__ import annotations

import math

import numpy as np
from jaxtyping import Float64, Int64

from graphpalace.domain.graph.pheromones import NOISE_FLOOR
from graphpalace.errors import InvalidInput


def decayed(
    value: Float64[np.ndarray, " elements"], *, rate: float, cycles: Int64[np.ndarray, " elements"] | int
) -> Float64[np.ndarray, " elements"]:
    """Return what is left of each pheromone after some cycles. Values below the noise floor become 0.

    Args:
        value: Strength, dimensionless, >= 0.
        rate: Share lost in one cycle, 0 to 1.
        cycles: Whole cycles since each value was current; fewer than 0 count as 0.

    Raises:
        InvalidInput: If `rate` is outside 0 to 1.

    Example:
        >>> decayed(np.array([1.0, 0.001]), rate=0.5, cycles=2).tolist()
        [0.25, 0.0]

    Source: seed 003, "Decay Formula".
    """
    _check(rate)
    left = value * (1.0 - rate) ** np.maximum(cycles, 0)
    return np.where(left < NOISE_FLOOR, 0.0, left)


def half_life(rate: float) -> float:
    """Return the number of cycles after which half of a pheromone is left; infinite for a rate of 0.

    Raises:
        InvalidInput: If `rate` is outside 0 to 1.

    Example:
        >>> round(half_life(0.02))
        34

    Source: seed 003, "Decay Formula": ln 2 / ln(1 / (1 - rate)).
    """
    _check(rate)
    if rate == 0:
        return math.inf
    return 0.0 if rate == 1 else math.log(2) / -math.log1p(-rate)


def _check(rate: float) -> None:
    if not 0 <= rate <= 1:
        raise InvalidInput(f"rate is {rate}; it must be 0 to 1", field="rate", value=rate)
