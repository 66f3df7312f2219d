"""How sure lanes are of a drawer, as one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Float

from graphpalace.domain.search.evidence_scale import COSINE_IS_EVIDENCE, EvidenceScale

_Lanes = Float[np.ndarray, " lanes"]
_Weights = Float[np.ndarray, "lanes ..."]
_PerLane = Float[np.ndarray, "lanes ..."]
_Scores = Float[np.ndarray, "..."]
_SHIFTED = {"semantic": -0.5, "fulltext": 0.5}  # which share of a shift the logarithm of a lane's evidence takes


@dataclass(frozen=True, slots=True)
class Pooling:
    """Makes one score of the evidence of lanes:  T ln( sum of w exp(e / T) / sum of w ).

    That is their weighted mean as T grows, and the surest lane alone as T falls to 0.

    Attributes:
        temperature: T, >= 0.01; exp(e / T) must stay a float.
        weights: w by lane, >= 0; a lane that is not named has 1.
        cosines: How the cosines of the semantic lane become evidence; those of the palace's model.

    Source: log-linear pooling of experts as a mixture (Jacobs and others 1991).
    """

    temperature: float
    weights: Mapping[str, float] = field(default_factory=dict)
    cosines: EvidenceScale = COSINE_IS_EVIDENCE

    def weights_of(self, lanes: Sequence[str]) -> _Lanes:
        """Return the weight of each of some lanes."""
        return np.array([self.weights.get(lane, 1.0) for lane in lanes], np.float64)

    def scaled(self, factors: Mapping[str, float]) -> Pooling:
        """Return the same with the weights of some lanes multiplied, by lane."""
        own = {lane: self.weights.get(lane, 1.0) * factor for lane, factor in factors.items()}
        return replace(self, weights={**self.weights, **own})

    def gains(self, evidence: _PerLane, weights: _Weights) -> _PerLane:
        """Return w (exp(e / T) - 1) of each lane: 0 for a lane that says nothing.

        Args:
            evidence: e, >= 0.
            weights: w of these lanes, or w of these lanes for each question, if there are several questions.
        """
        return _spread(weights, evidence.ndim) * np.expm1(evidence / self.temperature)

    def scores(self, gains: _PerLane, weights: _Weights) -> _Scores:
        """Return the scores that the gains of the lanes add up to.

        Args:
            weights: As in `gains`. Where all are 0, so are the scores.
        """
        total = weights.sum(axis=0)
        return self.temperature * np.log1p(gains.sum(axis=0) / _spread(np.where(total, total, 1.0), gains.ndim - 1))

    def pooled(self, evidence: _PerLane, lanes: Sequence[str], *, shift: float = 0.0) -> _Scores:
        """Return the scores for the evidence of some lanes.

        Args:
            evidence: e, >= 0, a row for each lane.
            shift: Logarithm of how much more the full-text lane counts than the semantic one.

        Example:
            >>> Pooling(0.5).pooled(np.array([[0.8], [0.0]]), ["fulltext", "semantic"]).round(3).tolist()
            [0.545]
        """
        weights = self.weights_of(lanes)
        return self.scores(self.gains(shifted(evidence, lanes, shift), weights), weights)


def _spread(values: _Scores, dimensions: int) -> _Scores:
    """Return values with as many dimensions as given, the last of length one."""
    return values.reshape(values.shape + (1,) * (dimensions - values.ndim))


def shifted(evidence: _PerLane, lanes: Sequence[str], shift: float) -> _PerLane:
    """Return evidence with that of the full-text lane times e^(shift / 2), and that of the semantic one over it."""
    if not shift:
        return evidence
    scale = np.exp([shift * _SHIFTED.get(lane, 0.0) for lane in lanes])
    return evidence * _spread(scale, evidence.ndim)
