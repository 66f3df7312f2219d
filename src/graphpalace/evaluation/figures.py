"""What an evaluation says: figures of each system, how sure they are, and how they compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from graphpalace.evaluation.learning.plan import LearningPlan
from graphpalace.evaluation.measure import interval, paired_p

MAIN = "ndcg@10"  # the metric by which systems are compared


@dataclass(frozen=True, slots=True)
class Difference:
    """What a system has more, in nDCG@10, than the one it is compared with.

    Attributes:
        mean: Over the questions, -1 to 1.
        interval: 95 %; None for a single question.
        p: Two-sided, of the paired test; None for a single question.
    """

    to: str
    mean: float
    interval: tuple[float, float] | None
    p: float | None


@dataclass(frozen=True, slots=True)
class Measurement:
    """One system: the mean of each metric, 0 to 1, its 95 % interval, and how it compares."""

    metrics: dict[str, float]
    intervals: dict[str, tuple[float, float] | None]
    difference: Difference | None


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """nDCG@10 of questions that were never rewarded, after some feedback.

    Attributes:
        feedbacks: Mean over the seeds, which differ only where all feedback is given.
        mean, deviation: Over the seeds, most of it because one half is harder than another.
        gain, gain_deviation: Over what the same half had without feedback. A deviation is 0 for a single seed.
    """

    feedbacks: float
    mean: float
    deviation: float
    gain: float
    gain_deviation: float


@dataclass(frozen=True, slots=True)
class SeedFigures:
    """What one division in halves was.

    Attributes:
        measured: Questions.
        feedbacks: That were given.
        trials: What replay said in the end, for each wing that learned by itself: `change`, `gain`, `error`, `kept`.
    """

    seed: int
    measured: int
    feedbacks: int
    trials: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class LearningFigures:
    """What was learned: the plan, each seed, and the curve, which is empty if none was asked for."""

    plan: LearningPlan
    seeds: list[SeedFigures]
    curve: list[CurvePoint]


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """What was measured on one collection.

    Attributes:
        documents: In the collection.
        questions: That were asked.
        unjudged: Questions left out because the collection names no relevant document for them.
        ablations: The search with one thing left out at a time, each compared with the search.
        latency_ms: p50 and p95 of the whole search, one question after the other, each as it was first asked.
        seconds: Storing and asking.
        learning: None if learning was not measured.
    """

    collection: str
    documents: int
    questions: int
    unjudged: int
    systems: dict[str, Measurement]
    ablations: dict[str, Measurement]
    latency_ms: dict[str, float]
    seconds: float
    learning: LearningFigures | None = None


def measured(
    values: Mapping[str, Mapping[str, Float[np.ndarray, " questions"]]],
    name: str,
    *,
    baseline: str,
    times: Float[np.ndarray, " questions"] | None = None,
) -> Measurement:
    """Return the figures of one system, compared with another; the baseline itself is compared with none.

    Args:
        values: Each system's metrics of each question.
        times: How often each was asked, > 0; None: once. It counts so often, but as one question for the intervals.
    """
    own = values[name]
    asked = np.ones_like(own[MAIN]) if times is None else times
    difference = None
    if name != baseline:
        gains = own[MAIN] - values[baseline][MAIN]
        p = paired_p(own[MAIN] * asked, values[baseline][MAIN] * asked)
        difference = Difference(baseline, _mean(gains, asked), interval(gains, asked), p)
    return Measurement(
        metrics={metric: _mean(each, asked) for metric, each in own.items()},
        intervals={metric: interval(each, asked) for metric, each in own.items()},
        difference=difference,
    )


def _mean(values: Float[np.ndarray, " questions"], times: Float[np.ndarray, " questions"]) -> float:
    return float((values * times).sum() / times.sum())
