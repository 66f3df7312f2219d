"""Score-aware fusion: lanes are experts, and one that is sure of a drawer is not outvoted by one that knows nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.ranking import Fused, LaneScore, Ranking

Vector64 = Float64[np.ndarray, " drawers"]
Lookup = Mapping[str, Mapping[str, float]]


class EvidencePool:
    """The drawers of some rankings by their evidence; the scores are laid out once, to be fused more than once.

    A lane's evidence for a drawer is e = max(score, 0) / most, where `most` is what the lane could have given to this
    question: so e says how sure the lane is, and is comparable between lanes. The fused score, 0 to 1, is

        T ln( sum of w exp(e / T) / sum of w )

    over all lanes: their weighted mean as T grows, the surest lane alone as T falls to 0. A lane that did not see a
    drawer has e = 0. A lane's share is its part of the sum of w (exp(e / T) - 1).

    Source: log-linear pooling of experts as a mixture (Jacobs and others 1991), with BM25 scaled by what the
        question's words could have reached.
    """

    def __init__(
        self,
        rankings: Sequence[Ranking],
        *,
        temperature: float = 0.5,
        weights: Mapping[str, float] | None = None,
        looked_up: Lookup | None = None,
    ) -> None:
        """Lay the scores out.

        Args:
            rankings: One per lane, best first.
            temperature: T, >= 0.01; exp(e / T) must stay a float.
            weights: One per lane, >= 0; a lane without one has 1, and one of weight 0 is not asked.
            looked_up: Scores by lane and drawer of drawers that the lane's ranking does not reach.
        """
        self._temperature = temperature
        weight = {ranking.lane: (weights or {}).get(ranking.lane, 1.0) for ranking in rankings}
        self._total = sum(weight.values()) or 1.0
        asked = [ranking for ranking in rankings if weight[ranking.lane]]
        self._ids = list(dict.fromkeys(drawer for ranking in asked for drawer in ranking.ids))
        self._row = {drawer: at for at, drawer in enumerate(self._ids)}
        self._by_id = sorted(range(len(self._ids)), key=self._ids.__getitem__)
        self._lanes = [
            self._laid_out(ranking, weight[ranking.lane], (looked_up or {}).get(ranking.lane, {})) for ranking in asked
        ]

    def best(self, count: int) -> list[str]:
        """Return the ids of the first drawers of `fused`, which takes less time."""
        scores = self._scores(self._gained(self._weighed({})))
        return [self._ids[row] for row in self._order(scores)[:count]]

    def fused(self, rescored: Lookup | None = None, *, limit: int | None = None) -> list[Fused]:
        """Return the drawers, best first, ties by id.

        Args:
            rescored: Better scores by lane and drawer, used for the evidence in place of the lane's own.
            limit: Most drawers; all if None.
        """
        weighed = self._weighed(rescored or {})
        gained = self._gained(weighed)
        scores = self._scores(gained)
        rows = self._order(scores)[:limit]
        seen = sum((~np.isnan(lane.scores) for lane in self._lanes), np.zeros(len(scores)))
        columns = [
            (
                lane.name,
                lane.ranks,
                lane.scores[rows].tolist(),
                # Equal parts where no lane gave anything.
                np.where(gained > 0, gain / np.where(gained > 0, gained, 1.0), 1.0 / seen)[rows].tolist(),
                evidence[rows].tolist(),
            )
            for lane, (evidence, gain) in zip(self._lanes, weighed, strict=True)
        ]
        return [
            Fused(
                self._ids[row],
                scores[row],
                {
                    lane: LaneScore(ranks[row] or None, score[at], share[at], evidence=evidence[at])
                    for lane, ranks, score, share, evidence in columns
                    if score[at] == score[at]  # NaN: the lane did not see it
                },
            )
            for at, row in enumerate(rows)
        ]

    def _laid_out(self, ranking: Ranking, weight: float, looked_up: Mapping[str, float]) -> _Lane:
        scores = self._with(np.full(len(self._ids), np.nan), looked_up)
        rows = [self._row[drawer] for drawer in ranking.ids]
        scores[rows] = ranking.scores
        ranks = [0] * len(self._ids)
        for rank, row in enumerate(rows, start=1):
            ranks[row] = rank
        return _Lane(ranking.lane, weight, ranking.most, ranks, scores)

    def _weighed(self, rescored: Lookup) -> list[tuple[Vector64, Vector64]]:
        """Return each lane's evidence, and w (exp(e / T) - 1)."""
        weighed = []
        for lane in self._lanes:
            better = self._with(lane.scores, rescored.get(lane.name, {}))
            evidence = np.where(np.isnan(lane.scores), 0.0, np.clip(better / lane.most, 0.0, 1.0))
            weighed.append((evidence, lane.weight * np.expm1(evidence / self._temperature)))
        return weighed

    def _gained(self, weighed: Sequence[tuple[Vector64, Vector64]]) -> Vector64:
        return sum((gain for _, gain in weighed), np.zeros(len(self._ids)))

    def _scores(self, gained: Vector64) -> list[float]:
        fused: list[float] = (self._temperature * np.log1p(gained / self._total)).tolist()
        return fused

    def _order(self, scores: Sequence[float]) -> list[int]:
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
class _Lane:
    """What one lane says of each drawer of a pool.

    Attributes:
        ranks: 0 where the lane's ranking does not reach.
        scores: NaN where the lane saw nothing.
    """

    name: str
    weight: float
    most: float
    ranks: list[int]
    scores: Vector64
