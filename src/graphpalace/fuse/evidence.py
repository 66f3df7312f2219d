"""Score-based fusion: pools the evidence of the lanes, so that a lane without evidence cannot outvote a sure one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.search.evidence import COSINE_IS_EVIDENCE, Pooling, evidence_of_words
from graphpalace.domain.search.ranking import FusedDrawer, LaneScore, Ranking

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
