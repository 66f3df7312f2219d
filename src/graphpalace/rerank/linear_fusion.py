"""One score from the signals of each candidate (seed 001, "Linear Fusion")."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.search.rerank_answer import RerankWeights

_Column = Float64[np.ndarray, " candidates"]


@dataclass(frozen=True, slots=True)
class Components:
    """The signals of some candidates, each in a column.

    Attributes:
        dense: Cosine to the question, or the score by which the caller ranks, -1 to 1.
        narrative, pheromone: 0 to 1.
    """

    dense: _Column
    narrative: _Column
    pheromone: _Column

    def of(self, rows: np.ndarray) -> Components:
        """Return the signals of some rows."""
        return Components(self.dense[rows], self.narrative[rows], self.pheromone[rows])


def linear_fusion(components: Components, weights: RerankWeights) -> _Column:
    """Return w_d dense + w_n narrative + w_p pheromone of each candidate.

    Example:
        >>> found = Components(np.array([0.5]), np.array([0.5]), np.array([1.0]))
        >>> linear_fusion(found, RerankWeights()).round(9).tolist()
        [1.1]

    Source: seed 001, "Linear Fusion".
    """
    return (
        weights.dense * components.dense
        + weights.narrative * components.narrative
        + weights.pheromone * components.pheromone
    )
