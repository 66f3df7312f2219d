"""How cosines and scores of words become evidence, how lanes pool theirs, and how it becomes a probability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from jaxtyping import Float

CHANCE = 12.0  # score of BM25 at which the doubt whether words are shared by chance is halved
_Array = Float[np.ndarray, "..."]
_Cosines = TypeVar("_Cosines", float, _Array)

_Lanes = Float[np.ndarray, " lanes"]
_Weights = Float[np.ndarray, "lanes ..."]
_PerLane = Float[np.ndarray, "lanes ..."]
_Scores = Float[np.ndarray, "..."]
_SHIFTED = {"semantic": -0.5, "fulltext": 0.5}  # which share of a shift the logarithm of a lane's evidence takes

Numbers = Float[np.ndarray, "..."]


@dataclass(frozen=True, slots=True)
class EvidenceScale:
    """What the cosines of one embedding model mean.

    Models differ: a text that has nothing to do with a question has a cosine near 0 by all-MiniLM-L6-v2, and one from
    .4 to .6 by bge-small-en-v1.5. Without a scale of its own, everything would fit by bge.

    Attributes:
        none: Cosine at which a text does not fit a question at all, -1 to 1.
        full: Cosine at which a text fits as well as any can, above `none`.
    """

    none: float = 0.0
    full: float = 1.0

    def placed(self, cosines: _Cosines) -> _Cosines:
        """Return the place of each cosine between `none`, 0, and `full`, 1; it may be beyond them.

        >>> EvidenceScale(0.25, 0.75).placed(0.625)
        0.75
        """
        return (cosines - self.none) / (self.full - self.none)

    def evidence(self, cosines: _Array) -> _Array:
        """Return the evidence of each cosine, 0 to 1."""
        return np.clip(self.placed(cosines), 0.0, 1.0)


COSINE_IS_EVIDENCE = EvidenceScale()


def evidence_of_words(scores: _Array, most: float) -> _Array:
    """Return the evidence of scores of BM25: the share r of the most, to a power that falls with the score s.

        e = r ^ (1 + C / (C + s)),  r = max(s, 0) / most, at most 1,  C = 12

    BM25 adds up how much each shared word tells (in nats, by the model of Robertson and Sparck Jones). Where that is
    little, a passage may have the words by chance, and only one that has nearly all words of the question is sure.
    Where it is much, as for a long question, the share itself is the evidence.

    Args:
        scores: Scores of the lane, >= 0.
        most: The greatest score that the question could reach, > 0.

    Example:
        >>> evidence_of_words(np.array([8.0, 4.0, 2.0]), 8.0).round(3).tolist()
        [1.0, 0.297, 0.076]
    """
    reached = np.maximum(scores, 0.0)
    return np.minimum(reached / most, 1.0) ** (1.0 + CHANCE / (CHANCE + reached))


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


@dataclass(frozen=True, slots=True)
class Calibration:
    """A change of log-odds x to scale x + shift, which keeps the order of what it changes.

    Attributes:
        scale: Above 0; 1 changes nothing.
        shift: 0 changes nothing.

    Source: Platt, Probabilistic outputs for support vector machines, 1999.
    """

    scale: float = 1.0
    shift: float = 0.0

    def probability(self, log_odds: Numbers) -> Numbers:
        """Return probabilities, 0 to 1.

        >>> Calibration().probability(np.array([0.0, np.log(3)])).round(3).tolist()
        [0.5, 0.75]
        """
        return 1.0 / (1.0 + np.exp(-(self.scale * log_odds + self.shift)))


@dataclass(frozen=True, slots=True)
class Calibrations:
    """The calibrations of the confidence of hits and of answers."""

    hit: Calibration = field(default_factory=Calibration)
    answer: Calibration = field(default_factory=Calibration)
