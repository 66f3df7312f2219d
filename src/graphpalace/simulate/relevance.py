"""The relevance of each document to a query (seed 000, "Relevance Computation")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Float32, Int

from graphpalace.arrays import Array, array_namespace

_A_VISIT, _MOST_VISITS = 0.1, 0.5
_RECENT, _RECENT_S = 0.1, 1.0
MOST_BONUS = _MOST_VISITS + _RECENT  # without keywords


@dataclass(frozen=True, eq=False)
class QueryRelevance:
    """The part of each document's relevance that depends on the query alone, not on the agents.

    Attributes:
        similarity: Cosine of each document to the query, -1 to 1.
        keywords: Share of the keywords that each document contains, 0 to 1.
    """

    similarity: Float[Array, " documents"]
    keywords: Float[Array, " documents"]


def relevance(
    asked: QueryRelevance,
    *,
    visits: Int[Array, " documents"],
    recent: Bool[Array, " documents"],
    kw_lambda: float,
) -> Float[Array, " documents"]:
    """Return the relevance of each document.

        r = similarity + min(0.1 x visits, 0.5) + 0.1 x recent + kw_lambda x keywords

    Args:
        asked: Similarity and keyword share of each document.
        visits: How often agents have visited each document.
        recent: The result of `recently`.
        kw_lambda: Relevance of a document that contains all keywords, >= 0.

    Source: seed 000, "Relevance Computation".
    """
    xp = array_namespace(visits)
    visited = xp.minimum(xp.astype(visits, xp.float32) * _A_VISIT, _MOST_VISITS)
    return asked.similarity + visited + xp.astype(recent, xp.float32) * _RECENT + kw_lambda * asked.keywords


def recently(last_visited: Float[Array, " documents"], now: float) -> Bool[Array, " documents"]:
    """Return which documents were visited less than one second ago.

    In deterministic mode a step counts as a second, so only documents visited in this very step are recent.

    Args:
        last_visited: Time of each document's last visit, in seconds on the simulation's clock; -inf if never visited.
        now: The current time on the same clock.
    """
    return last_visited > now - _RECENT_S


def keyword_shares(texts: Sequence[str], terms: Sequence[str]) -> Float32[np.ndarray, " documents"]:
    """Return the share of the keywords that each text contains, 0 to 1.

    A keyword occurs if it is a substring of the text, ignoring case. Blank and repeated keywords do not count. Without
    keywords, all shares are 0.
    """
    wanted = list(dict.fromkeys(term.casefold() for term in terms if term.strip()))
    shares = np.zeros(len(texts), np.float32)
    if wanted:
        for row, text in enumerate(texts):
            folded = text.casefold()
            shares[row] = sum(term in folded for term in wanted) / len(wanted)
    return shares
