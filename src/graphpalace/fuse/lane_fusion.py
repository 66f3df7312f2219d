"""Fuses the rankings of lanes: by their ranks (reciprocal rank fusion; seed 004, 6.1), or by their evidence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Float64, Int
from numpy import ndarray

from graphpalace.domain.search.answer import FusedDrawer, LaneScore, Ranking
from graphpalace.domain.search.evidence import COSINE_IS_EVIDENCE, Pooling, evidence_of_words


def reciprocal_rank(
    rankings: Sequence[Ranking], *, k: int = 60, weights: Mapping[str, float] | None = None
) -> list[FusedDrawer]:
    """Fuse rankings by the sum of weight / (k + rank) over all lanes.

    Args:
        rankings: One for each lane, best first.
        k: Smoothing constant, >= 1. The larger it is, the smaller the advantage of the first ranks.
        weights: Weight of each lane, >= 0; 1 for lanes that are not named. Drawers that only lanes of weight 0 found
            are left out.

    Returns:
        Drawers, best first, ties by id. The share of a lane is its part of the fused score; shares sum to 1.

    Source: Cormack, Clarke and Buettcher 2009; seed 004, 6.1.
    """
    lanes: dict[str, dict[str, tuple[int, float, float]]] = {}
    for ranking in rankings:
        weight = (weights or {}).get(ranking.lane, 1.0)
        for rank, (drawer, score) in enumerate(zip(ranking.ids, ranking.scores, strict=True), start=1):
            lanes.setdefault(drawer, {})[ranking.lane] = (rank, score, weight / (k + rank))
    fused = []
    for drawer, seen in lanes.items():
        total = sum(part for _, _, part in seen.values())
        if total > 0:
            shares = {lane: LaneScore(rank, score, part / total) for lane, (rank, score, part) in seen.items()}
            fused.append(FusedDrawer(drawer, total, shares))
    return sorted(fused, key=lambda hit: (-hit.score, hit.id))


def pooled(rankings: Sequence[Sequence[str]]) -> tuple[list[str], list[Int[ndarray, " ranked"]]]:
    """Collect the distinct ids of several rankings, sorted, and return them with each ranking as indices into them.

    Because the ids are sorted, a stable sort by score breaks ties by id.
    """
    ids = sorted(set().union(*rankings))
    place = dict(zip(ids, range(len(ids)), strict=True))
    return ids, [np.fromiter(map(place.__getitem__, ranking), np.intp, len(ranking)) for ranking in rankings]


def rank_scores(ranking: Int[ndarray, " ranked"], *, size: int, weight: float, k: int) -> Float[ndarray, " size"]:
    """Return weight / (k + rank) for each document of a pool, with ranks from 1; 0 for documents that are not ranked.

    Args:
        ranking: Indices of documents, best first, without duplicates.
        size: Number of documents in the pool.
        weight: Weight of the ranking, >= 0.
        k: Smoothing constant, >= 1.

    Source: Cormack, Clarke and Buettcher 2009; seed 004, 6.1.
    """
    scores = np.zeros(size)
    scores[ranking] = weight / (k + np.arange(1, len(ranking) + 1))
    return scores


def best_first(scores: Float[ndarray, " size"]) -> Int[ndarray, " ranked"]:
    """Return the documents with a score above 0, best first, ties in the order of the pool."""
    order = np.argsort(-scores, kind="stable")
    return order[: np.count_nonzero(scores > 0)]


Vector64 = Float64[np.ndarray, " drawers"]
Rows = Float64[np.ndarray, "lanes drawers"]
_LANES_OF_WORDS = {"fulltext", "expanded"}
Lookup = Mapping[str, Mapping[str, float]]


class EvidencePool:
    """The drawers of several rankings, with the evidence of each lane for each drawer.

    The evidence of a lane for a drawer is e = max(score, 0) / most, at most 1, where `most` is the highest score that
    the lane could have given for this query. For the semantic lane, the scale of the model says what a cosine is worth
    (`Pooling.cosines`), and few shared words count less than their share (`evidence_of_words`). So e is comparable
    between lanes. If a lane did not find a drawer, e is 0.
    `Pooling` combines the evidence of all lanes into the fused score, 0 to 1. The share of a lane in a drawer's score
    is its part of the sum of all lanes' gains.

    The scores are arranged as arrays once, so that they can be fused several times.
    """

    def __init__(self, rankings: Sequence[Ranking], pooling: Pooling, *, looked_up: Lookup | None = None) -> None:
        """Arrange the scores of the rankings as arrays.

        Args:
            rankings: One for each lane, best first. Rankings of lanes with weight 0 are ignored.
            looked_up: Scores by lane and drawer, for drawers beyond the end of the lane's ranking.
        """
        self._pooling = pooling
        weights = self._pooling.weights_of([ranking.lane for ranking in rankings])
        self._weights = weights[weights > 0]
        asked = [ranking for ranking, weight in zip(rankings, weights, strict=True) if weight > 0]
        self._ids = list(dict.fromkeys(drawer for ranking in asked for drawer in ranking.ids))
        self._row = {drawer: at for at, drawer in enumerate(self._ids)}
        self._by_id = sorted(range(len(self._ids)), key=self._ids.__getitem__)
        self._lanes = [self._laid_out(ranking, (looked_up or {}).get(ranking.lane, {})) for ranking in asked]

    def best(self, count: int) -> list[str]:
        """Return the ids of the best drawers. This is faster than `order`."""
        gains = self._pooling.gains(self._evidence({}), self._weights)
        return [self._ids[row] for row in self._best_first(self._scores(gains))[:count]]

    def order(self, rescored: Lookup | None = None) -> EvidenceOrder:
        """Fuse the lanes and return the drawers, best first.

        Args:
            rescored: More accurate scores by lane and drawer, which replace the lane's own.
        """
        evidence = self._evidence(rescored or {})
        gains = self._pooling.gains(evidence, self._weights)
        scores = self._scores(gains)
        return EvidenceOrder(self._ids, self._lanes, self._best_first(scores), scores, evidence, gains)

    def _laid_out(self, ranking: Ranking, looked_up: Mapping[str, float]) -> _Lane:
        scores = self._with(np.full(len(self._ids), np.nan), looked_up)
        rows = [self._row[drawer] for drawer in ranking.ids]
        scores[rows] = ranking.scores
        ranks = [0] * len(self._ids)
        for rank, row in enumerate(rows, start=1):
            ranks[row] = rank
        return _Lane(ranking.lane, ranking.most, ranks, scores)

    def _evidence(self, rescored: Lookup) -> Rows:
        evidence = np.zeros((len(self._lanes), len(self._ids)))
        for row, lane in zip(evidence, self._lanes, strict=True):
            better = self._with(lane.scores, rescored.get(lane.name, {}))
            row[:] = np.where(np.isnan(lane.scores), 0.0, self._evidence_of(lane, better))
        return evidence

    def _evidence_of(self, lane: _Lane, scores: Vector64) -> Vector64:
        if lane.name in _LANES_OF_WORDS:
            return evidence_of_words(scores, lane.most)
        scale = self._pooling.cosines if lane.name == "semantic" else COSINE_IS_EVIDENCE
        return scale.evidence(scores / lane.most)

    def _scores(self, gains: Rows) -> list[float]:
        fused: list[float] = self._pooling.scores(gains, self._weights).tolist()
        return fused

    def _best_first(self, scores: Sequence[float]) -> list[int]:
        return sorted(self._by_id, key=scores.__getitem__, reverse=True)  # stable, so ties stay in the order of ids

    def _with(self, scores: Vector64, given: Mapping[str, float]) -> Vector64:
        """Return a copy of the scores with the given ones replaced. Drawers without a row are skipped."""
        known = [(row, score) for drawer, score in given.items() if (row := self._row.get(drawer)) is not None]
        if not known:
            return scores
        rows, values = zip(*known, strict=True)
        changed = scores.copy()
        changed[list(rows)] = values
        return changed


@dataclass(frozen=True, slots=True)
class EvidenceOrder:
    """The fused ranking of a pool: best first, ties by id."""

    _ids: Sequence[str]
    _lanes: Sequence[_Lane]
    _rows: Sequence[int]
    _scores: Sequence[float]
    _evidence: Rows
    _gains: Rows

    def first(self, limit: int | None = None) -> list[FusedDrawer]:
        """Return the best drawers, each with the contributions of the lanes; all drawers if `limit` is None."""
        return self._drawers(self._rows[:limit])

    def of(self, drawers: Collection[str]) -> list[FusedDrawer]:
        """Return those of some drawers that were found, best first."""
        return self._drawers([row for row in self._rows if self._ids[row] in drawers])

    def ids(self) -> Iterator[str]:
        """Return the ids of all drawers, best first."""
        return (self._ids[row] for row in self._rows)

    def _drawers(self, rows: Sequence[int]) -> list[FusedDrawer]:
        gained = self._gains.sum(axis=0)
        seen = sum((~np.isnan(lane.scores) for lane in self._lanes), np.zeros(len(gained)))
        columns = [
            (
                lane.name,
                lane.ranks,
                lane.scores[rows].tolist(),
                # Equal shares if no lane contributed anything.
                np.where(gained > 0, gain / np.where(gained > 0, gained, 1.0), 1.0 / seen)[rows].tolist(),
                evidence[rows].tolist(),
            )
            for lane, evidence, gain in zip(self._lanes, self._evidence, self._gains, strict=True)
        ]
        return [
            FusedDrawer(
                self._ids[row],
                self._scores[row],
                {
                    lane: LaneScore(ranks[row] or None, score[at], share[at], evidence=evidence[at])
                    for lane, ranks, score, share, evidence in columns
                    if score[at] == score[at]  # not NaN, so the lane found it
                },
            )
            for at, row in enumerate(rows)
        ]


@dataclass(frozen=True, slots=True)
class _Lane:
    """Ranks and scores of one lane for each drawer of a pool.

    Attributes:
        most: The highest score that the lane could have given for the query.
        ranks: Rank of each drawer, from 1; 0 if it is not in the lane's ranking.
        scores: Score of each drawer; NaN if the lane did not find it.
    """

    name: str
    most: float
    ranks: list[int]
    scores: Vector64
