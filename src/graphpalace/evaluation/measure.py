"""Retrieval metrics of rankings, their confidence intervals, a significance test, and the metrics of LongMemEval."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import log2

import ir_measures
import numpy as np
from ir_measures import RR, R, Success, nDCG
from jaxtyping import Float
from scipy import stats

_ALL = {"ndcg@10": nDCG @ 10, "recall@5": R @ 5, "recall@10": R @ 10}  # of all relevant documents
_BEST = {"mrr@10": RR @ 10, "hit@1": Success @ 1}  # of the most relevant documents of a question, which answer it
METRICS = _ALL | _BEST
Values = Mapping[str, Mapping[str, Float[np.ndarray, " questions"]]]  # metrics of each question, by system and metric
SEED = 20260101
_RESAMPLES = 9999
_BATCH = 100  # resamples kept in memory at the same time


def per_question(
    relevant: Mapping[str, Mapping[str, int]], ranked: Mapping[str, Sequence[str]]
) -> dict[str, Float[np.ndarray, " questions"]]:
    """Compute each metric, 0 to 1, for each question, in the order of `relevant`.

    nDCG uses linear gains and discounts by log2(rank + 1), as in trec_eval. MRR and the share of right first hits count
    the documents with the highest gain of the question, because one with a lower gain helps and does not answer.

    Args:
        relevant: Gain, >= 1, of the relevant documents of each question; at least one for each question.
        ranked: Documents found for each question, best first, without duplicates. For a question that is missing here,
            nothing was found.
    """
    run = {
        question: {document: -float(rank) for rank, document in enumerate(documents)}
        for question, documents in ranked.items()
    }
    place = {question: at for at, question in enumerate(relevant)}
    values = {name: np.zeros(len(place)) for name in METRICS}
    most = {question: max(gains.values()) for question, gains in relevant.items()}
    best = {
        question: {one: gain for one, gain in gains.items() if gain == most[question]}
        for question, gains in relevant.items()
    }
    for metrics, judged in ((_ALL, relevant), (_BEST, best)):
        names = {metric: name for name, metric in metrics.items()}
        for found in ir_measures.iter_calc(list(metrics.values()), judged, run):
            values[names[found.measure]][place[found.query_id]] = found.value
    return values


def interval(
    values: Float[np.ndarray, " questions"], times: Float[np.ndarray, " questions"] | None = None
) -> tuple[float, float] | None:
    """Return the 95 % confidence interval of the mean by the percentile bootstrap over questions.

    Args:
        values: A metric for each question.
        times: How often each question was asked, > 0; None means once. It is the weight of the question in the mean. In
            the bootstrap, it is drawn as one question.

    Returns:
        Lower and upper end, or None for a single question.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
    """
    if len(values) < 2:
        return None
    asked = np.ones_like(values) if times is None else times
    found = stats.bootstrap(
        (values * asked, asked),
        lambda total, count, axis: total.sum(axis) / count.sum(axis),
        paired=True,
        n_resamples=_RESAMPLES,
        batch=_BATCH,
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return float(found.low), float(found.high)


def paired_p(values: Float[np.ndarray, " questions"], baseline: Float[np.ndarray, " questions"]) -> float | None:
    """Return the two-sided p-value of the difference of two means, by a paired randomisation test.

    The sign of each question's difference is flipped at random, because two equally good systems could have exchanged
    their values. With fewer than 14 questions, all combinations of flips are counted; otherwise 9,999 random ones. The
    result is None for a single question.

    Source: Fisher's randomisation test; Smucker, Allan and Carterette, CIKM 2007.
    """
    if len(values) < 2:
        return None
    return float(
        stats.permutation_test(
            (values - baseline,),
            np.mean,
            permutation_type="samples",
            vectorized=True,
            n_resamples=_RESAMPLES,
            batch=_BATCH,
            rng=np.random.default_rng(SEED),
        ).pvalue
    )


@dataclass(frozen=True, slots=True)
class SessionScores:
    """How well one question was answered.

    Attributes:
        any: 1 if at least one session of the answer was found, otherwise 0.
        all: 1 if all were found, otherwise 0.
        ndcg: Normalised discounted cumulative gain, 0 to 1.
    """

    any: float
    all: float
    ndcg: float


def session_scores(
    ranked: Sequence[str], correct: Collection[str], session_of: Mapping[str, str], turns: Mapping[str, int], *, k: int
) -> SessionScores:
    """Score one ranking by its first k sessions.

    Where a session has several documents, the ranking is read on until it has named k sessions. The gain then counts
    documents: each one of a session of the answer is worth 1, at rank 1 and 2 whole, and further down divided by
    log2(rank).

    Args:
        ranked: Ids of documents, best first, without duplicates.
        correct: The sessions that hold the answer, at least one.
        session_of: The session of each document.
        turns: How many documents each session has.
        k: Number of sessions that count, >= 1.

    Source: Wu et al., LongMemEval, 2024, whose evaluation of retrieval computes the gain in this way.
    """
    read: list[str] = []
    for document in ranked:
        if len(set(read)) == k:
            break
        read.append(session_of[document])
    found = set(read) & set(correct)
    gain = _gain([session in correct for session in read])
    ideal = _gain([True] * min(sum(turns[session] for session in correct), max(k, len(read))))
    return SessionScores(float(bool(found)), float(len(found) == len(set(correct))), gain / ideal if ideal else 0.0)


def _gain(relevant: Sequence[bool]) -> float:
    return sum(1.0 if rank == 1 else 1.0 / log2(rank) for rank, one in enumerate(relevant, 1) if one)
