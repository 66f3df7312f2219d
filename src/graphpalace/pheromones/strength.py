"""How pheromones fade, and how they lower the cost of walking an edge (seed 003)."""

from __future__ import annotations

import math

import numpy as np
from jaxtyping import Float64, Int64

from graphpalace.domain.pheromones.pheromones import NOISE_FLOOR
from graphpalace.errors import InvalidInput

SUCCESS_SHARE, RECENCY_SHARE, TRAVERSAL_SHARE = 0.5, 0.3, 0.2
LARGEST_DISCOUNT = 0.5  # a full trail halves the cost, never more
HIGHEST_COST = 10.0
_Trail = Float64[np.ndarray, " edges"]


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


def pheromone_factor(success: _Trail, traversal: _Trail, recency: _Trail) -> _Trail:
    """Return how strong each trail is, 0 to 1: .5 success, .3 recency and .2 traversal, each at most 1.

    Example:
        >>> pheromone_factor(np.array([2.0]), np.array([0.0]), np.array([0.5])).tolist()
        [0.65]

    Source: seed 003, "Edge Cost Recomputation".
    """
    return (
        SUCCESS_SHARE * np.minimum(success, 1.0)
        + RECENCY_SHARE * np.minimum(recency, 1.0)
        + TRAVERSAL_SHARE * np.minimum(traversal, 1.0)
    )


def edge_cost(base_cost: _Trail, factor: _Trail) -> _Trail:
    """Return the cost of each edge: its base cost, reduced by up to half of it, 0 to 10.

    Args:
        base_cost: Cost without pheromone.
        factor: The result of `pheromone_factor`, 0 to 1.

    Example:
        >>> edge_cost(np.array([0.3, 0.3, 50.0]), np.array([0.0, 1.0, 0.0])).tolist()
        [0.3, 0.15, 10.0]

    Source: seed 003, "Edge Cost Recomputation".
    """
    return np.clip(base_cost * (1.0 - LARGEST_DISCOUNT * factor), 0.0, HIGHEST_COST)
