"""What reading the best k documents promises: precision, recall and F (seed 004, 6.3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from graphpalace.domain.search.fusion_plan import Constants
from graphpalace.domain.search.run import FrontierPoint
from graphpalace.fuse.codes.table import CodeTable


def relevance(
    scores: Float[ndarray, " documents"], overlap: Float[ndarray, " documents"], constants: Constants
) -> Float[ndarray, " documents"]:
    """Return pi'(d) = sigmoid(a s^(d) + b + gamma z(g(d))), 0 to 1.

    s^ is the score over the best score; z(g) is g less its mean, over its standard deviation (0 if all g are equal).
    """
    spread = overlap.std() if len(overlap) else 0.0
    z = (overlap - overlap.mean()) / spread if spread > 1e-12 else np.zeros_like(overlap)
    slope, offset, code = constants.relevance_slope, constants.relevance_offset, constants.relevance_code
    return 1 / (1 + np.exp(-(slope * scores / scores.max(initial=1e-300) + offset + code * z)))


def profile_coverage(
    found: Float[ndarray, "documents wanted"], weights: Float[ndarray, " wanted"]
) -> Float[ndarray, " documents"]:
    """Return for each k the share of the profile's weight that the best k documents match, best match a code."""
    return np.maximum.accumulate(found, axis=0) @ weights


def own_coverage(table: CodeTable) -> Float[ndarray, " documents"] | None:
    """Return for each k the share of the run's code mentions whose code is among the best k; None without codes.

    Args:
        table: Of the documents in the order of the ranking.
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
    """Return a point for each k.

        P*(k) = mean of pi' in the best k
        R*(k) = rho coverage(k) + (1 - rho) CDF(k),  CDF(k) = scores of the best k / all scores
        F*(k) = (1 + f^2) P* R* / (f^2 P* + R*)

    Where there are fewer than k documents, all of them count. Without any code, R* is the CDF.

    Args:
        scores: Best first, > 0.
        likely: pi' in the same order.
        coverage: For each k, or None.
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
