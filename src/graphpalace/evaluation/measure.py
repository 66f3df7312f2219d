"""How good rankings are, how sure that is, and whether one is better than another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import ir_measures
import numpy as np
from ir_measures import RR, R, nDCG
from jaxtyping import Float
from scipy import stats

METRICS = {"ndcg@10": nDCG @ 10, "recall@5": R @ 5, "recall@10": R @ 10, "mrr@10": RR @ 10}
SEED = 20260101
_RESAMPLES = 9999
_BATCH = 100  # resamples that are held at once


def per_question(
    relevant: Mapping[str, Mapping[str, int]], ranked: Mapping[str, Sequence[str]]
) -> dict[str, Float[np.ndarray, " questions"]]:
    """Return each metric, 0 to 1, of each question, in the order of `relevant`.

    nDCG is linear in the gain and discounts by log2(rank + 1), as in trec_eval.

    Args:
        relevant: Gain, >= 1, of the relevant documents of each question; never none.
        ranked: Documents found for each question, best first, each once; a question that is missing found none.
    """
    run = {
        question: {document: -float(rank) for rank, document in enumerate(documents)}
        for question, documents in ranked.items()
    }
    place = {question: at for at, question in enumerate(relevant)}
    values = {name: np.zeros(len(place)) for name in METRICS}
    names = {metric: name for name, metric in METRICS.items()}
    for found in ir_measures.iter_calc(list(METRICS.values()), relevant, run):
        values[names[found.measure]][place[found.query_id]] = found.value
    return values


def interval(
    values: Float[np.ndarray, " questions"], times: Float[np.ndarray, " questions"] | None = None
) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean by the percentile bootstrap over questions; None for a single question.

    Args:
        times: How often each question was asked, > 0; it counts so often, but is drawn as one. None: once.

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
    """Return how often chance alone gives a difference of means at least as large as the observed one, two-sided.

    The sign of each question's difference is flipped at random: if the two rankings were equally good, either could
    have had either value. Below 14 questions all flips are counted, else 9,999 random ones.

    A single question tells nothing: None.

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
