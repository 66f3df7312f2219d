"""The retrieval metrics of LongMemEval: whether the conversations that hold the answer are among the first found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import log2


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
