"""What an evaluation says: figures of each system, how sure they are, and how they compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from graphpalace.operations.evaluation.measure import interval, paired_p

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
class Measured:
    """One system: the mean of each metric, 0 to 1, its 95 % interval, and how it compares."""

    metrics: dict[str, float]
    intervals: dict[str, tuple[float, float] | None]
    difference: Difference | None


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What was measured on one collection.

    Attributes:
        documents: In the collection.
        questions: That were asked.
        unjudged: Questions left out because the collection names no relevant document for them.
        ablations: The search with one thing left out at a time, each compared with the search.
        latency_ms: p50 and p95 of the whole search, one question after the other, each as it was first asked.
        seconds: Storing and asking.
    """

    collection: str
    documents: int
    questions: int
    unjudged: int
    systems: dict[str, Measured]
    ablations: dict[str, Measured]
    latency_ms: dict[str, float]
    seconds: float


def measured(
    values: Mapping[str, Mapping[str, Float[np.ndarray, " questions"]]], name: str, *, baseline: str
) -> Measured:
    """Return the figures of one system, compared with another; the baseline itself is compared with none.

    Args:
        values: Each system's metrics of each question.
    """
    own = values[name]
    difference = None
    if name != baseline:
        gains = own[MAIN] - values[baseline][MAIN]
        difference = Difference(
            baseline, float(gains.mean()), interval(gains), paired_p(own[MAIN], values[baseline][MAIN])
        )
    return Measured(
        metrics={metric: float(each.mean()) for metric, each in own.items()},
        intervals={metric: interval(each) for metric, each in own.items()},
        difference=difference,
    )
