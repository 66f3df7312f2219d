"""Describes the structure of a fused ranking: agreement of lanes, concentration of codes, and decline of the scores."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from graphpalace.domain.search.run import Metrics

DEPTH = 50


def structure(
    lanes: Sequence[Int[ndarray, " ranked"]], counts: Int[ndarray, " codes"], scores: Float[ndarray, " documents"]
) -> Metrics:
    """Compute the metrics over the best 50 documents, each 0 to 1, or None if it is undefined.

        lane agreement     = mean of |A and B| / |A or B| over pairs of lanes, of the best 50 of each
        code concentration = 1 - H / log(number of codes), H the entropy of the code frequencies; 1 for a single code
        score shape        = sum of the best 3 scores / sum of the best 50 scores

    Args:
        lanes: Rankings of the lanes, documents as indices, best first.
        counts: Number of documents with each code among the best 50 of the fusion.
        scores: Fused scores, best first, > 0.
    """
    tops = [set(lane[:DEPTH].tolist()) for lane in lanes]
    pairs = [len(one & other) / len(one | other) for one, other in combinations(tops, 2) if one or other]
    shares = counts[counts > 0] / max(1, counts.sum())
    entropy = -float(np.sum(shares * np.log(shares)))
    concentration = 1 - entropy / np.log(len(shares)) if len(shares) > 1 else 1.0
    return Metrics(
        at=DEPTH,
        lane_agreement=float(np.mean(pairs)) if pairs else None,
        code_concentration=float(np.clip(concentration, 0, 1)) if len(shares) else None,
        score_shape=float(scores[:3].sum() / scores[:DEPTH].sum()) if len(scores) else None,
    )
