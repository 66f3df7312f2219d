"""The cost of walking an edge (seed 003, "Edge Cost Recomputation")."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float64

SUCCESS_SHARE, RECENCY_SHARE, TRAVERSAL_SHARE = 0.5, 0.3, 0.2
LARGEST_DISCOUNT = 0.5  # a full trail halves the cost, never more
HIGHEST_COST = 10.0

_Trail = Float64[np.ndarray, " edges"]


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
