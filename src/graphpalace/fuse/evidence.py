"""Score-aware fusion: lanes are experts, and one that is sure of a drawer is not outvoted by one that knows nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.ranking import Fused, LaneScore, Ranking

Vector64 = Float64[np.ndarray, " drawers"]
Lookup = Mapping[str, Mapping[str, float]]


def fuse_evidence(
    rankings: Sequence[Ranking],
    *,
    temperature: float = 0.5,
    weights: Mapping[str, float] | None = None,
    looked_up: Lookup | None = None,
    rescored: Lookup | None = None,
) -> list[Fused]:
    """Return all drawers of the rankings by their evidence.

    A lane's evidence for a drawer is e = max(score, 0) / most, where `most` is what the lane could have given to this
    question: so e says how sure the lane is, and is comparable between lanes. The fused score is

        T ln( sum of w exp(e / T) / sum of w )

    over all lanes: their weighted mean as T grows, the surest lane alone as T falls to 0. A lane that did not see a
    drawer has e = 0. A lane's share is its part of the sum of w (exp(e / T) - 1).

    Args:
        rankings: One per lane, best first.
        temperature: T, >= 0.01; exp(e / T) must stay a float.
        weights: One per lane, >= 0; a lane without one has 1, and one of weight 0 is not asked.
        looked_up: Scores by lane and drawer of drawers that the lane's ranking does not reach.
        rescored: Better scores by lane and drawer, used for the evidence in place of the lane's own.
    Returns:
        Best first, ties by id; scores 0 to 1.

    Source: log-linear pooling of experts as a mixture (Jacobs and others 1991), with BM25 scaled by what the
        question's words could have reached.
    """
    pool = _pool(
        rankings, temperature=temperature, weights=weights or {}, looked_up=looked_up or {}, rescored=rescored or {}
    )
    columns = [
        (column.lane, column.ranks, column.scores.tolist(), column.shares(pool).tolist(), column.evidence.tolist())
        for column in pool.columns
    ]
    return [
        Fused(
            pool.ids[row],
            pool.scores[row],
            {
                lane: LaneScore(ranks[row] or None, scores[row], shares[row], evidence=evidence[row])
                for lane, ranks, scores, shares, evidence in columns
                if scores[row] == scores[row]  # NaN: the lane did not see it
            },
        )
        for row in pool.order
    ]


def best_by_evidence(
    rankings: Sequence[Ranking],
    count: int,
    *,
    temperature: float = 0.5,
    weights: Mapping[str, float] | None = None,
    looked_up: Lookup | None = None,
) -> list[str]:
    """Return the ids of the first drawers of `fuse_evidence` alone, which takes less time."""
    pool = _pool(rankings, temperature=temperature, weights=weights or {}, looked_up=looked_up or {}, rescored={})
    return [pool.ids[row] for row in pool.order[:count]]


@dataclass(frozen=True, slots=True)
class _Column:
    """What one lane says of each drawer of a pool.

    Attributes:
        ranks: 0 where the lane's ranking does not reach.
        scores: NaN where the lane saw nothing.
        gain: w (exp(e / T) - 1).
    """

    lane: str
    ranks: list[int]
    scores: Vector64
    evidence: Vector64
    gain: Vector64

    def shares(self, pool: _Pool) -> Vector64:
        """Return the lane's part of what each drawer gained; equal parts where no lane gave anything."""
        gained = pool.gained
        return np.where(gained > 0, self.gain / np.where(gained > 0, gained, 1.0), 1.0 / pool.seen)


@dataclass(frozen=True, slots=True)
class _Pool:
    """All drawers of some rankings.

    Attributes:
        seen: By how many lanes.
        order: Rows, best first.
    """

    ids: list[str]
    columns: list[_Column]
    gained: Vector64
    seen: Vector64
    scores: list[float]
    order: list[int]


def _pool(
    rankings: Sequence[Ranking],
    *,
    temperature: float,
    weights: Mapping[str, float],
    looked_up: Lookup,
    rescored: Lookup,
) -> _Pool:
    weight = {ranking.lane: weights.get(ranking.lane, 1.0) for ranking in rankings}
    total = sum(weight.values()) or 1.0
    asked = [ranking for ranking in rankings if weight[ranking.lane]]
    ids = list(dict.fromkeys(drawer for ranking in asked for drawer in ranking.ids))
    row = {drawer: at for at, drawer in enumerate(ids)}
    columns = []
    gained, seen = np.zeros(len(ids)), np.zeros(len(ids))
    for ranking in asked:
        scores = np.full(len(ids), np.nan)
        ranks = [0] * len(ids)
        _put(scores, row, looked_up.get(ranking.lane, {}))
        for rank, (drawer, score) in enumerate(zip(ranking.ids, ranking.scores, strict=True), start=1):
            scores[row[drawer]] = score
            ranks[row[drawer]] = rank
        known = ~np.isnan(scores)
        better = scores.copy()
        _put(better, row, rescored.get(ranking.lane, {}))
        evidence = np.where(known, np.clip(better / ranking.most, 0.0, 1.0), 0.0)
        gain = weight[ranking.lane] * np.expm1(evidence / temperature)
        gained += gain
        seen += known
        columns.append(_Column(ranking.lane, ranks, scores, evidence, gain))
    fused: list[float] = (temperature * np.log1p(gained / total)).tolist()
    order = sorted(range(len(ids)), key=lambda at: (-fused[at], ids[at]))
    return _Pool(ids, columns, gained, seen, fused, order)


def _put(scores: Vector64, row: Mapping[str, int], given: Mapping[str, float]) -> None:
    """Set the scores of those drawers that have a row."""
    known = [(row[drawer], score) for drawer, score in given.items() if drawer in row]
    if known:
        at, values = zip(*known, strict=True)
        scores[list(at)] = values
