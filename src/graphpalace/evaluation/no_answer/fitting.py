"""Fits the model of confidence to samples of several collections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float64
from sklearn.linear_model import LogisticRegression

from graphpalace.evaluation.no_answer.samples import Sample
from graphpalace.fuse.confidence.features import ANSWER_FEATURES, HIT_FEATURES
from graphpalace.fuse.confidence.logistic import Logistic

# Half of the weight is on questions with an answer. Questions of other collections are easy to tell, so they count
# little: with more weight, the model would learn little else.
SHARES = {"answered": 0.5, "removed": 0.2, "unanswerable": 0.2, "foreign": 0.1}
_FALLING = {"rank"}  # features that speak against a hit; all others speak for it
_PENALTY = 0.001  # inverse strength of the ridge penalty, on features of variance 1 and cases of mean weight 1
_CASES = 1000.0  # total weight of a collection


@dataclass(frozen=True, slots=True)
class FittedModels:
    """The models of hits and of answers."""

    hit: Logistic
    answer: Logistic


def fitted(collections: Mapping[str, Sequence[Sample]]) -> FittedModels:
    """Fit the models to the samples of some collections, each of which has the same weight.

    Each feature can only work in one direction: a greater cosine, for example, never lowers the confidence. Features
    that would work in the other direction are left out, with weight 0.

    Args:
        collections: Samples by collection; at least one sample with an answer and one without.
    """
    hits, answers = _Cases(), _Cases()
    for samples in collections.values():
        sizes = {kind: sum(sample.kind == kind for sample in samples) for kind in SHARES}
        shares = SHARES if sizes["unanswerable"] else {**SHARES, "removed": SHARES["removed"] + SHARES["unanswerable"]}
        total = sum(shares[kind] for kind, size in sizes.items() if size)
        for sample in samples:
            weight = _CASES * shares[sample.kind] / total / sizes[sample.kind]
            answers.add(sample.answer[None], np.array([sample.kind == "answered"]), weight)
            hits.add(sample.hits, sample.relevant, weight / len(sample.relevant))
    return FittedModels(_fit(hits, HIT_FEATURES), _fit(answers, ANSWER_FEATURES))


class _Cases:
    def __init__(self) -> None:
        self.features: list[Float64[np.ndarray, "cases features"]] = []
        self.positive: list[Bool[np.ndarray, " cases"]] = []
        self.weights: list[Float64[np.ndarray, " cases"]] = []

    def add(
        self, features: Float64[np.ndarray, "cases features"], positive: Bool[np.ndarray, " cases"], weight: float
    ) -> None:
        self.features.append(features)
        self.positive.append(positive)
        self.weights.append(np.full(len(positive), weight))


def _fit(cases: _Cases, names: Sequence[str]) -> Logistic:
    features, positive = np.concatenate(cases.features), np.concatenate(cases.positive)
    weights = np.concatenate(cases.weights)
    sign = np.array([-1.0 if name in _FALLING else 1.0 for name in names])
    mean = np.average(features, axis=0, weights=weights)
    deviation = np.sqrt(np.average((features - mean) ** 2, axis=0, weights=weights))
    deviation = np.where(deviation > 0, deviation, 1.0)
    scaled = sign * (features - mean) / deviation
    allowed = np.ones(len(names))
    while True:  # a feature that is 0 in all cases gets the weight 0
        model = LogisticRegression(C=_PENALTY, max_iter=1000).fit(scaled * allowed, positive, sample_weight=weights)
        slopes = model.coef_[0]
        if slopes.min() >= 0:
            break
        allowed[slopes.argmin()] = 0.0
    by_feature = sign * allowed * slopes / deviation
    intercept = float(model.intercept_[0] - by_feature @ mean)
    return Logistic(intercept, dict(zip(names, by_feature.tolist(), strict=True)))
