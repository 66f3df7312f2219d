"""How relevant each document is (seed 000, "Relevance Computation")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Float32, Int
from torch import Tensor

_A_VISIT, _MOST_VISITS = 0.1, 0.5
_RECENT, _RECENT_S = 0.1, 1.0
MOST_BONUS = _MOST_VISITS + _RECENT  # beside keywords


@dataclass(frozen=True, eq=False)
class QueryRelevance:
    """What the question makes of each document; it changes only with the question.

    Attributes:
        similarity: Cosine to the question.
        keywords: Share of the keywords that the document holds, 0 to 1.
    """

    similarity: Float[Tensor, " documents"]
    keywords: Float[Tensor, " documents"]


def relevance(
    asked: QueryRelevance,
    *,
    visits: Int[Tensor, " documents"],
    recent: Bool[Tensor, " documents"],
    kw_lambda: float,
) -> Float[Tensor, " documents"]:
    """Return r = similarity + min(.1 visits, .5) + .1 if visited lately + kw_lambda x share of keywords."""
    visited = (visits * _A_VISIT).clamp(max=_MOST_VISITS)
    return asked.similarity + visited + recent * _RECENT + kw_lambda * asked.keywords


def recently(last_visited: Float[Tensor, " documents"], now: float) -> Bool[Tensor, " documents"]:
    """Return which documents were visited less than a second ago.

    Args:
        last_visited: Seconds on the simulation's clock, -inf: never. In deterministic mode a step is a second, so that
            what was visited in this step is recent.
    """
    return now - last_visited < _RECENT_S


def keyword_shares(texts: Sequence[str], terms: Sequence[str]) -> Float32[np.ndarray, " documents"]:
    """Return the share of the keywords that occur in each text, in any case; 0 without keywords."""
    wanted = list(dict.fromkeys(term.casefold() for term in terms if term.strip()))
    shares = np.zeros(len(texts), np.float32)
    if wanted:
        for row, text in enumerate(texts):
            folded = text.casefold()
            shares[row] = sum(term in folded for term in wanted) / len(wanted)
    return shares
