"""The figures of an evaluation: metrics of each system, their confidence intervals, and comparisons."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Float

from graphpalace.evaluation.confidence_figures import ConfidenceFigures, KindFigures
from graphpalace.evaluation.learning_plan import LearningPlan
from graphpalace.evaluation.measure import Values, interval, paired_p
from graphpalace.evaluation.saved_run import RecordedCollection

MAIN = "ndcg@10"  # the metric used to compare systems


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference in nDCG@10 between a system and the one it is compared with.

    Attributes:
        to: Name of the other system.
        mean: Mean difference over the questions, -1 to 1; positive if this system is better.
        interval: 95 % confidence interval of the mean; None for a single question.
        p: Two-sided p-value of the paired randomisation test; None for a single question.
    """

    to: str
    mean: float
    interval: tuple[float, float] | None
    p: float | None


@dataclass(frozen=True, slots=True)
class Measurement:
    """The figures of one system.

    Attributes:
        metrics: Mean of each metric over the questions, 0 to 1.
        intervals: 95 % confidence interval of each mean; None for a single question.
        difference: Comparison with the baseline; None for the baseline itself.
    """

    metrics: dict[str, float]
    intervals: dict[str, tuple[float, float] | None]
    difference: Difference | None


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of the learning curve: nDCG@10 of questions without feedback, after feedback on some other questions.

    Attributes:
        feedbacks: Number of feedbacks, as the mean over the seeds. Seeds differ only at the last point.
        mean, deviation: Mean and standard deviation over the seeds. They mostly differ because some halves of the
            questions are harder.
        gain, gain_deviation: The same for the improvement over the search without feedback. A deviation is 0 for a
            single seed.
    """

    feedbacks: float
    mean: float
    deviation: float
    gain: float
    gain_deviation: float


@dataclass(frozen=True, slots=True)
class SeedFigures:
    """One random division of the questions into two halves.

    Attributes:
        measured: Number of questions that were measured.
        feedbacks: Number of feedbacks that were given.
        trials: The changes that learning tried by replay at the end, for each wing that learned by itself: `change`,
            `gain`, `error`, `kept`.
    """

    seed: int
    measured: int
    feedbacks: int
    trials: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class MetFigures:
    """The figures over the measured questions with a name that a question with feedback has too.

    Attributes:
        questions: How many there are; a question counts once for each seed that measures it.
        systems: Figures by system; none without such questions.
    """

    questions: int
    systems: dict[str, Measurement]


@dataclass(frozen=True, slots=True)
class LearningFigures:
    """The figures of learning: the plan, each seed, and the learning curve, which is empty if it was not requested.

    Attributes:
        met: The figures over questions about names that were met before.
    """

    plan: LearningPlan
    seeds: list[SeedFigures]
    curve: list[CurvePoint]
    met: MetFigures


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """The result of an evaluation on one collection.

    Attributes:
        documents: Number of documents in the collection.
        questions: Number of questions that were asked.
        unjudged: Number of questions left out because the collection names no relevant document for them.
        systems: Figures of each system by name.
        ablations: Figures of the search with one part left out at a time, each compared with the whole search.
        latency_ms: Percentiles p50 and p95 of the duration of the first search for each question, one at a time.
        seconds: Duration of storing and asking.
        kinds: Figures of the search on each kind of question; none if the collection names no kinds.
        confidence: What the search says of its first hits; None if learning was measured.
        learning: Figures of learning; None if it was not measured.
        record: What each system answered to each question; None if learning was measured.
    """

    collection: str
    documents: int
    questions: int
    unjudged: int
    systems: dict[str, Measurement]
    ablations: dict[str, Measurement]
    latency_ms: dict[str, float]
    seconds: float
    kinds: dict[str, KindFigures] = field(default_factory=dict)
    confidence: ConfidenceFigures | None = None
    learning: LearningFigures | None = None
    record: RecordedCollection | None = None


def measured(
    values: Values,
    name: str,
    *,
    baseline: str,
    times: Float[np.ndarray, " questions"] | None = None,
) -> Measurement:
    """Compute the figures of one system, and its difference to the baseline unless it is the baseline.

    Args:
        values: Metrics of each question, by system and metric.
        name: The system.
        baseline: The system to compare with.
        times: How often each question was asked, > 0; None means once. It is the weight of the question in means. For
            intervals, it is still one question.
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
