"""Score-aware fusion: lanes are experts, and one that is sure of a drawer is not outvoted by one that knows nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from graphpalace.domain.ranking import Fused, LaneScore, Ranking

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
    weight = {ranking.lane: (weights or {}).get(ranking.lane, 1.0) for ranking in rankings}
    total = sum(weight.values()) or 1.0
    seen: dict[str, dict[str, tuple[int | None, float]]] = {}
    for ranking in rankings:
        if not weight[ranking.lane]:
            continue
        for rank, (drawer, score) in enumerate(zip(ranking.ids, ranking.scores, strict=True), start=1):
            seen.setdefault(drawer, {})[ranking.lane] = (rank, score)
    for lane, scores in (looked_up or {}).items():
        for drawer, score in scores.items():
            if drawer in seen and weight.get(lane):
                seen[drawer].setdefault(lane, (None, score))
    most = {ranking.lane: ranking.most for ranking in rankings}
    better = rescored or {}
    fused = []
    for drawer, lanes in seen.items():
        evidence = {
            lane: min(max(better.get(lane, {}).get(drawer, score), 0.0) / most[lane], 1.0)
            for lane, (_, score) in lanes.items()
        }
        gain = {lane: weight[lane] * math.expm1(e / temperature) for lane, e in evidence.items()}
        gained = sum(gain.values())
        fused.append(
            Fused(
                drawer,
                temperature * math.log1p(gained / total),
                {
                    lane: LaneScore(
                        rank, score, gain[lane] / gained if gained else 1 / len(lanes), evidence=evidence[lane]
                    )
                    for lane, (rank, score) in lanes.items()
                },
            )
        )
    return sorted(fused, key=lambda hit: (-hit.score, hit.id))
