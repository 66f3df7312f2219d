"""What tells a good hit from a bad one: the features from which the confidence of hits and answers is computed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log1p, log2
from statistics import fmean, median

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.search.ranking import Ranking
from graphpalace.fuse.confidence.word_cover import WordCover

HIT_FEATURES = ("score", "margin", "lead", "rank", "cosine", "evidence", "agreement", "cover", "spread")
ANSWER_FEATURES = (
    "score",
    "margin",
    "spread",
    "cosine",
    "apart",
    "evidence",
    "text_lead",
    "overlap",
    "cover",
    "cover_together",
)
_BY_EVIDENCE = {"score", "margin", "spread", "evidence", "text_lead"}
_FOLLOWING = 5  # hits after a hit that its margin is measured to
_TOP = 10  # results of each lane whose overlap is measured
_TOGETHER = 3  # hits whose words are counted together
_FAR = 200  # rank of a hit that a lane did not find


@dataclass(frozen=True, slots=True)
class FoundHits:
    """What a search knows of its hits, best first. Lists, because for ten hits they are faster than arrays.

    Attributes:
        scores: Fused score of each hit.
        cosines: Cosine of each hit to the question, -1 to 1; 0 if it is not known.
        evidence: Evidence of the full-text lane for each hit, 0 to 1.
        text_ranks, cosine_ranks: Rank of each hit in the two lanes, from 1; 0 if the lane did not find it.
        words: The words of the question that each hit has.
        likeness: Mean cosine of the first hit to the next four, -1 to 1; 0 for a single hit.
    """

    scores: Sequence[float]
    cosines: Sequence[float]
    evidence: Sequence[float]
    text_ranks: Sequence[int]
    cosine_ranks: Sequence[int]
    words: Sequence[frozenset[str]]
    likeness: float


@dataclass(frozen=True, slots=True)
class FoundLists:
    """What a search knows beside its hits.

    Attributes:
        fused: Fused scores of all candidates without learning, best first.
        text, meaning: Rankings of the full-text lane and of the semantic lane.
        cover: The words of the question.
    """

    fused: Sequence[float]
    text: Ranking
    meaning: Ranking
    cover: WordCover


def hit_features(hits: FoundHits, lists: FoundLists) -> Float64[np.ndarray, "hits features"]:
    """Return the features of each hit, in the order of `HIT_FEATURES`.

    - score: The fused score.
    - margin: The score minus the mean of the five candidates that follow it.
    - lead: The score minus that of the first hit, at most 0.
    - rank: The logarithm of the place in the answer, from 0.
    - cosine: The cosine to the question.
    - evidence: The evidence of the full-text lane.
    - agreement: 1 / log2(1 + r), where r is the worse of the ranks in both lanes.
    - cover: Share of the question's words that the hit has, weighted by rarity.
    - spread: The first score minus the median of all candidates.
    """
    rising = lists.fused[::-1]
    columns: Mapping[str, Sequence[float]] = {
        "score": hits.scores,
        "margin": [score - _following(score, rising) for score in hits.scores],
        "lead": [min(score - hits.scores[0], 0.0) for score in hits.scores],
        "rank": [log1p(place) for place in range(len(hits.scores))],
        "cosine": hits.cosines,
        "evidence": hits.evidence,
        "agreement": [
            1.0 / log2(1.0 + max(text or _FAR, meaning or _FAR))
            for text, meaning in zip(hits.text_ranks, hits.cosine_ranks, strict=True)
        ],
        "cover": [lists.cover.share(words) for words in hits.words],
        "spread": [hits.scores[0] - median(lists.fused or hits.scores)] * len(hits.scores),
    }
    return np.array([columns[name] for name in HIT_FEATURES], np.float64).T


def answer_features(hits: FoundHits, lists: FoundLists) -> Float64[np.ndarray, " features"]:
    """Return the features of an answer with at least one hit, in the order of `ANSWER_FEATURES`.

    `score`, `margin`, `evidence`, `cover` and `spread` are those of the first hit.

    Evidence is measured by what those words of the question could reach that occur in the palace. If only one occurs, a
    drawer that has it has all the evidence. Therefore all features that evidence makes (`score`, `margin`, `spread`,
    `evidence` and `text_lead`) are multiplied by `cover_together`.

    - cosine: The greatest cosine to the question among the first five hits.
    - apart: This cosine minus the mean cosine of the first hit to the next four. It is high if the question is closer
      to a hit than the hits are to each other.
    - text_lead: 1 minus the mean score of the next five in the full-text lane, divided by its best score.
    - overlap: Share of the first ten of the full-text lane that are among the first ten of the semantic lane.
    - cover_together: Share of the question's words that the first three hits have together.
    """
    first = hit_features(hits, lists)[0].tolist()
    cosine = max(hits.cosines[:_FOLLOWING])
    shared = set(lists.text.ids[:_TOP]) & set(lists.meaning.ids[:_TOP])
    together = lists.cover.share(frozenset[str]().union(*hits.words[:_TOGETHER]))
    values = dict(zip(HIT_FEATURES, first, strict=True)) | {
        "cosine": cosine,
        "apart": cosine - hits.likeness,
        "text_lead": _lead(lists.text.scores[: _FOLLOWING + 1]),
        "overlap": len(shared) / _TOP,
        "cover_together": together,
    }
    return np.array(
        [values[name] * (together if name in _BY_EVIDENCE else 1.0) for name in ANSWER_FEATURES], np.float64
    )


def _lead(scores: Sequence[float]) -> float:
    """Return 1 minus the mean of the scores after the first, divided by the first; 0 without scores."""
    if not scores or scores[0] <= 0:
        return 0.0
    return 1.0 - (fmean(scores[1:]) / scores[0] if len(scores) > 1 else 0.0)


def _following(score: float, rising: Sequence[float]) -> float:
    """Return the mean of the five best candidates with a lower score; the score itself if there are none.

    Args:
        rising: Scores of the candidates, lowest first.
    """
    end = bisect_left(rising, score)
    lower = rising[max(end - _FOLLOWING, 0) : end]
    return fmean(lower) if lower else score
