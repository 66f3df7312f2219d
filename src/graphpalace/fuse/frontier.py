"""Estimates precision, recall and F-score of the best k documents, without judgements (seed 004, 6.3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from graphpalace.domain.runs.run import FrontierPoint
from graphpalace.domain.search.fusion_plan import Constants
from graphpalace.fuse.codes import CodeTable


def relevance(
    scores: Float[ndarray, " documents"], overlap: Float[ndarray, " documents"], constants: Constants
) -> Float[ndarray, " documents"]:
    """Return the estimated probability that each document is relevant, 0 to 1.

        pi'(d) = sigmoid(a s^(d) + b + gamma z(g(d)))

    s^ is the score divided by the best score. z(g) is the standard score of g: g minus its mean, divided by its
    standard deviation (0 if all g are equal).

    Args:
        scores: s, the fused scores.
        overlap: g, the overlap of each document with the profile, 0 to 1.
        constants: a, b and gamma as `relevance_slope`, `relevance_offset` and `relevance_code`.

    Source: seed 004, 6.3.
    """
    spread = overlap.std() if len(overlap) else 0.0
    z = (overlap - overlap.mean()) / spread if spread > 1e-12 else np.zeros_like(overlap)
    slope, offset, code = constants.relevance_slope, constants.relevance_offset, constants.relevance_code
    return 1 / (1 + np.exp(-(slope * scores / scores.max(initial=1e-300) + offset + code * z)))


def profile_coverage(
    found: Float[ndarray, "documents wanted"], weights: Float[ndarray, " wanted"]
) -> Float[ndarray, " documents"]:
    """Return for each k how much of the profile's weight the best k documents cover, 0 to 1.

    Args:
        found: The result of `overlap.matches`, documents best first. The best match of each wanted code counts.
        weights: Weights of the wanted codes, which sum to 1.
    """
    return np.maximum.accumulate(found, axis=0) @ weights


def own_coverage(table: CodeTable) -> Float[ndarray, " documents"] | None:
    """Return for each k which share of all pairs of document and code has a code that the best k documents carry.

    Args:
        table: Codes of the documents, best first.

    Returns:
        Shares, 0 to 1, or None if no document has a code.
    """
    if not len(table.code):
        return None
    codes, first = np.unique(table.code, return_index=True)
    gained = np.bincount(table.document[first], weights=table.counts()[codes], minlength=table.size)
    return np.cumsum(gained) / len(table.code)


def frontier(
    scores: Float[ndarray, " documents"],
    likely: Float[ndarray, " documents"],
    coverage: Float[ndarray, " documents"] | None,
    *,
    k_grid: Sequence[int],
    constants: Constants,
) -> tuple[FrontierPoint, ...]:
    """Return the estimated precision, recall and F-score for each k, all 0 to 1.

        P*(k) = mean of pi' in the best k
        R*(k) = rho coverage(k) + (1 - rho) CDF(k),  CDF(k) = sum of the best k scores / sum of all scores
        F*(k) = (1 + f^2) P* R* / (f^2 P* + R*)

    If there are fewer than k documents, all of them count. Without coverage, R* is the CDF.

    Args:
        scores: Fused scores, best first, > 0.
        likely: pi', from `relevance`, in the same order.
        coverage: Coverage of codes by the best k documents, from `profile_coverage` or `own_coverage`, or None.
        k_grid: The values of k, >= 1.
        constants: rho and f as `coverage_share` and `f_beta`.

    Source: seed 004, 6.3.
    """
    if not len(scores):
        return ()
    share = np.cumsum(scores) / scores.sum()
    rho = constants.coverage_share
    recall = share if coverage is None else rho * coverage + (1 - rho) * share
    precision = np.cumsum(likely) / np.arange(1, len(scores) + 1)
    squared = constants.f_beta**2
    points = []
    for k in k_grid:
        at = min(k, len(scores)) - 1
        p, r = min(1.0, float(precision[at])), min(1.0, float(recall[at]))
        below = squared * p + r
        points.append(FrontierPoint(k, p, r, min(1.0, (1 + squared) * p * r / below) if below else 0.0))
    return tuple(points)
