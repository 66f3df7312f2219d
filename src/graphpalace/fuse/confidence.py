"""What tells a good hit from a bad one: the features of hits and answers, and the model that weighs them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, log1p, log2
from statistics import fmean, median

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.search.answer import Ranking
from graphpalace.fuse.word_overlap import WordCover

HIT_FEATURES = (
    "score",
    "margin",
    "lead",
    "rank",
    "cosine",
    "agreement",
    "names",
    "from_first",
    "first_cosine",
    "first_apart",
    "first_text_lead",
    "first_overlap",
    "first_named",
)
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
    "names",
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
        cosines: Cosine of each hit to the question on the scale of its model (`EvidenceScale.placed`), about -1 to 1;
            0 if it is not known.
        evidence: Evidence of the full-text lane for each hit, 0 to 1.
        text_ranks, cosine_ranks: Rank of each hit in the two lanes, from 1; 0 if the lane did not find it.
        words: The words of the question that each hit has.
        likeness: Mean cosine of the first hit to the next four, on the same scale; 0 for a single hit.
        name_scores: Score of each hit in the lane `entity`, >= 0; 0 if the lane did not find it.
        from_first: Evidence of that lane for each hit that was found by way of a name of the first hit, 0 to 1; 0 for
            the others.
    """

    scores: Sequence[float]
    cosines: Sequence[float]
    evidence: Sequence[float]
    text_ranks: Sequence[int]
    cosine_ranks: Sequence[int]
    words: Sequence[frozenset[str]]
    likeness: float
    name_scores: Sequence[float]
    from_first: Sequence[float]


@dataclass(frozen=True, slots=True)
class FoundLists:
    """What a search knows beside its hits.

    Attributes:
        fused: Fused scores of all candidates without learning, best first.
        text, meaning: Rankings of the full-text lane and of the semantic lane.
        cover: The words of the question.
        named: Whether the lane `entity` found anything: the question has a name that the palace knows.
    """

    fused: Sequence[float]
    text: Ranking
    meaning: Ranking
    cover: WordCover
    named: bool


@dataclass(frozen=True, slots=True)
class ConfidenceFeatures:
    """The features of an answer with at least one hit.

    Attributes:
        hits: One row for each hit, in the order of `HIT_FEATURES`.
        answer: In the order of `ANSWER_FEATURES`.
    """

    hits: Float64[np.ndarray, "hits features"]
    answer: Float64[np.ndarray, " features"]


def confidence_features(hits: FoundHits, lists: FoundLists) -> ConfidenceFeatures:
    """Return the features of an answer with at least one hit. Those of its hits are:

    - score: The fused score.
    - margin: The score minus the mean of the five candidates that follow it.
    - lead: The score minus that of the first hit, at most 0.
    - rank: The logarithm of the place in the answer, from 1.
    - cosine: The cosine to the question.
    - agreement: 1 / log2(1 + r), where r is the worse of the ranks in both lanes.
    - names: ln(1 + score in the lane `entity`).
    - from_first: Evidence of that lane if a name of the first hit led to this one.
    - first_cosine, first_apart, first_text_lead, first_overlap: The features of the answer, divided by the place of
      the hit. If the answer fits, it is mostly its first hits that do.
    - first_named: 1 divided by the place, if the question has a name that the palace knows; otherwise 0.

    The features of the answer are `score`, `margin`, `evidence`, `cover` and `spread` of the first hit, and:

    - cosine: The greatest cosine to the question among the first five hits.
    - apart: This cosine minus the mean cosine of the first hit to the next four. It is high if the question is closer
      to a hit than the hits are to each other.
    - text_lead: 1 minus the mean score of the next five in the full-text lane, divided by its best score.
    - overlap: Share of the first ten of the full-text lane that are among the first ten of the semantic lane.
    - cover: Share of the question's words that the first hit has, weighted by rarity.
    - cover_together: Share of the words that the first three hits have together.
    - names: The greatest among the first five hits.
    - spread: The first score minus the median of all candidates.

    Evidence is measured by what those words of the question could reach that occur in the palace. If only one occurs, a
    drawer that has it has all the evidence. Therefore all features that evidence makes (`score`, `margin`, `spread`,
    `evidence` and `text_lead`) are multiplied by `cover_together` in the features of the answer.
    """
    rising = lists.fused[::-1]
    margins = [score - _following(score, rising) for score in hits.scores]
    names = [log1p(score) for score in hits.name_scores]
    shared = set(lists.text.ids[:_TOP]) & set(lists.meaning.ids[:_TOP])
    cosine = max(hits.cosines[:_FOLLOWING])
    answer = {
        "score": hits.scores[0],
        "margin": margins[0],
        "spread": hits.scores[0] - median(lists.fused or hits.scores),
        "cosine": cosine,
        "apart": cosine - hits.likeness,
        "evidence": hits.evidence[0],
        "text_lead": _lead(lists.text.scores[: _FOLLOWING + 1]),
        "overlap": len(shared) / _TOP,
        "cover": lists.cover.share(hits.words[0]),
        "cover_together": lists.cover.share(frozenset[str]().union(*hits.words[:_TOGETHER])),
        "names": max(names[:_FOLLOWING]),
    }
    places = range(1, len(hits.scores) + 1)
    columns: Mapping[str, Sequence[float]] = {
        "score": hits.scores,
        "margin": margins,
        "lead": [min(score - hits.scores[0], 0.0) for score in hits.scores],
        "rank": [log(place) for place in places],
        "cosine": hits.cosines,
        "agreement": [
            1.0 / log2(1.0 + max(text or _FAR, meaning or _FAR))
            for text, meaning in zip(hits.text_ranks, hits.cosine_ranks, strict=True)
        ],
        "names": names,
        "from_first": hits.from_first,
        "first_cosine": [cosine / place for place in places],
        "first_apart": [answer["apart"] / place for place in places],
        "first_text_lead": [answer["text_lead"] / place for place in places],
        "first_overlap": [answer["overlap"] / place for place in places],
        "first_named": [lists.named / place for place in places],
    }
    together = answer["cover_together"]
    return ConfidenceFeatures(
        np.array([columns[name] for name in HIT_FEATURES], np.float64).T,
        np.array([answer[name] * (together if name in _BY_EVIDENCE else 1.0) for name in ANSWER_FEATURES], np.float64),
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


@dataclass(frozen=True, slots=True)
class Logistic:
    """A fitted logistic regression.

    Attributes:
        intercept: Log-odds if all features are 0.
        weights: Change of the log-odds by each feature, in the order of the features.
    """

    intercept: float
    weights: Mapping[str, float]

    def log_odds(self, features: Float64[np.ndarray, "*rows features"]) -> Float64[np.ndarray, "*rows"]:
        """Return the log-odds for some features, one row for each case.

        Example:
            >>> Logistic(-1.0, {"cosine": 2.0, "cover": 1.0}).log_odds(np.array([0.25, 1.0])).tolist()
            0.5
        """
        return features @ np.array(list(self.weights.values()), np.float64) + self.intercept
