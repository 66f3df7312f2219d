"""Score-aware fusion: lanes are experts, and one that is sure of a drawer is not outvoted by one that knows nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.search.pooling import Pooling
from graphpalace.domain.search.ranking import FusedDrawer, LaneScore, Ranking

Vector64 = Float64[np.ndarray, " drawers"]
Rows = Float64[np.ndarray, "lanes drawers"]
Lookup = Mapping[str, Mapping[str, float]]


class EvidencePool:
    """The drawers of some rankings by their evidence; the scores are laid out once, to be fused more than once.

    A lane's evidence for a drawer is e = max(score, 0) / most, where `most` is what the lane could have given to this
    question: so e says how sure the lane is, and is comparable between lanes. The fused score, 0 to 1, is what
    `Pooling` makes of it over all lanes; a lane that did not see a drawer has e = 0. A lane's share is its part of the
    sum of the lanes' gains.
    """

    def __init__(
        self, rankings: Sequence[Ranking], pooling: Pooling | None = None, *, looked_up: Lookup | None = None
    ) -> None:
        """Lay the scores out.

        Args:
            rankings: One per lane, best first; one of a lane of weight 0 is not asked.
            looked_up: Scores by lane and drawer of drawers that the lane's ranking does not reach.
        """
        self._pooling = pooling or Pooling()
        weights = self._pooling.weights_of([ranking.lane for ranking in rankings])
        self._weights = weights[weights > 0]
        asked = [ranking for ranking, weight in zip(rankings, weights, strict=True) if weight > 0]
        self._ids = list(dict.fromkeys(drawer for ranking in asked for drawer in ranking.ids))
        self._row = {drawer: at for at, drawer in enumerate(self._ids)}
        self._by_id = sorted(range(len(self._ids)), key=self._ids.__getitem__)
        self._lanes = [self._laid_out(ranking, (looked_up or {}).get(ranking.lane, {})) for ranking in asked]

    def best(self, count: int) -> list[str]:
        """Return the ids of the first drawers, which takes less time than their whole order."""
        gains = self._pooling.gains(self._evidence({}), self._weights)
        return [self._ids[row] for row in self._best_first(self._scores(gains))[:count]]

    def order(self, rescored: Lookup | None = None) -> EvidenceOrder:
        """Return the drawers in order.

        Args:
            rescored: Better scores by lane and drawer, used for the evidence in place of the lane's own.
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
            row[:] = np.where(np.isnan(lane.scores), 0.0, np.clip(better / lane.most, 0.0, 1.0))
        return evidence

    def _scores(self, gains: Rows) -> list[float]:
        fused: list[float] = self._pooling.scores(gains, self._weights).tolist()
        return fused

    def _best_first(self, scores: Sequence[float]) -> list[int]:
        return sorted(self._by_id, key=scores.__getitem__, reverse=True)  # which leaves equal ones in their order

    def _with(self, scores: Vector64, given: Mapping[str, float]) -> Vector64:
        """Return the scores with those that are given in their place; drawers that have no row are skipped."""
        known = [(row, score) for drawer, score in given.items() if (row := self._row.get(drawer)) is not None]
        if not known:
            return scores
        rows, values = zip(*known, strict=True)
        changed = scores.copy()
        changed[list(rows)] = values
        return changed


@dataclass(frozen=True, slots=True)
class EvidenceOrder:
    """The drawers of a pool, best first, ties by id."""

    _ids: Sequence[str]
    _lanes: Sequence[_Lane]
    _rows: Sequence[int]
    _scores: Sequence[float]
    _evidence: Rows
    _gains: Rows

    def first(self, limit: int | None = None) -> list[FusedDrawer]:
        """Return the best of them, each with what every lane gave to it; all if no limit is given."""
        rows = self._rows[:limit]
        gained = self._gains.sum(axis=0)
        seen = sum((~np.isnan(lane.scores) for lane in self._lanes), np.zeros(len(gained)))
        columns = [
            (
                lane.name,
                lane.ranks,
                lane.scores[rows].tolist(),
                # Equal parts where no lane gave anything.
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
                    if score[at] == score[at]  # NaN: the lane did not see it
                },
            )
            for at, row in enumerate(rows)
        ]


@dataclass(frozen=True, slots=True)
class _Lane:
    """What one lane says of each drawer of a pool.

    Attributes:
        ranks: 0 where the lane's ranking does not reach.
        scores: NaN where the lane saw nothing.
    """

    name: str
    most: float
    ranks: list[int]
    scores: Vector64
