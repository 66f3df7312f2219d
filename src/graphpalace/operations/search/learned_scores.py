"""Found drawers scored anew by what was learned, within a bound, and each change named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.search.answer import LearnedChange
from graphpalace.domain.search.pooling import Pooling
from graphpalace.domain.search.ranking import FusedDrawer, LaneScore
from graphpalace.domain.search.rocchio import Rocchio
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.learn.learned import LearnedRanking
from graphpalace.vectors.drawer_matrix import DrawerVectors

_Scores = Float64[np.ndarray, " drawers"]


@dataclass(frozen=True, slots=True)
class FoundDrawers:
    """What the lanes found for a question.

    Attributes:
        fused: Best first.
        lanes: Those that answered, `semantic` among them.
        goal: Embedding of the question, length one.
        vectors: Of these drawers, and of those that memory knows; those that have none yet keep their score.
    """

    fused: Sequence[FusedDrawer]
    lanes: Sequence[str]
    goal: Vector
    vectors: DrawerVectors


@dataclass(frozen=True, slots=True)
class MemoryChanges:
    """What drawers gain or lose by questions that were answered before.

    Attributes:
        gains: By this question and those like it; those that no lane found join the answer.
        losses: By other questions, below 0.
    """

    gains: Mapping[str, float] = field(default_factory=dict)
    losses: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rescoring:
    """How a search scores drawers for a question that learning has changed.

    Attributes:
        bound: No score is moved by more, > 0.
    """

    pooling: Pooling
    rocchio: Rocchio
    bound: float


def with_learning(
    found: FoundDrawers, learned: LearnedRanking, memory: MemoryChanges, rescoring: Rescoring, *, limit: int
) -> list[tuple[FusedDrawer, LearnedChange]]:
    """Return the best drawers by what was learned, best first, and where the best without learning stand among them.

    Args:
        limit: How many are the best, with learning and without.
    """
    fused, goal = found.fused, found.goal
    rank = {hit.id: at for at, hit in enumerate(fused, start=1)}
    here = set(found.vectors.ids)
    new = [drawer for drawer, gain in memory.gains.items() if drawer not in rank and gain > 0 and drawer in here]
    hits = [hit for hit in fused if hit.id in here]
    # Stored a moment ago, so that the words have found it before this service has its vector.
    unchanged = [(hit, LearnedChange(rank[hit.id], hit.score)) for hit in fused if hit.id not in here]
    ids = [*(hit.id for hit in hits), *new]
    if not ids:
        return unchanged[:limit]
    scorer = _Scorer(_evidence(hits, found.lanes, len(ids)), found.lanes, found.vectors.of(ids), rescoring)
    base = np.concatenate([[hit.score for hit in hits], scorer.pooled(goal, 0.0)[len(hits) :]])
    gain = np.array([memory.gains.get(drawer, 0.0) for drawer in ids])
    loss = np.array([memory.losses.get(drawer, 0.0) for drawer in ids])
    nothing = np.zeros(len(ids))
    # One thing that was learned after the other, so that each can be told by what it changes.
    asked = learned.put(goal)
    mapped = base if asked is goal else scorer.score(asked, 0.0, nothing)
    balanced = mapped if not learned.shift else scorer.score(asked, learned.shift, nothing)
    remembered = balanced if not gain.any() else scorer.score(asked, learned.shift, gain)
    all_in = remembered if not loss.any() else scorer.score(asked, learned.shift, gain + loss)
    bounded = np.clip(all_in, base - rescoring.bound, base + rescoring.bound)
    steps = [mapped - base, balanced - mapped, remembered - balanced, all_in - remembered, bounded - all_in]
    changes = np.stack([base, *steps], axis=1)
    final = bounded.tolist()
    order = sorted(range(len(ids)), key=lambda at: (-final[at], ids[at]))
    told = [*order[:limit], *(at for at in order[limit:] if rank.get(ids[at], limit + 1) <= limit)]
    done = [
        (
            FusedDrawer(
                ids[at], final[at], hits[at].lanes if at < len(hits) else _found_by_memory(scorer.rows[at], goal)
            ),
            LearnedChange(rank.get(ids[at]), *changes[at].tolist()),
        )
        for at in told
    ]
    return sorted([*done, *unchanged], key=lambda pair: (-pair[0].score, pair[0].id))


@dataclass(frozen=True, slots=True)
class _Scorer:
    """Scores drawers for other questions than the one that the lanes were asked.

    Attributes:
        evidence: Of every lane but the semantic one, whose evidence is the cosine to the question.
        rows: Embeddings of the drawers.
    """

    evidence: Float64[np.ndarray, "lanes drawers"]
    lanes: Sequence[str]
    rows: Matrix
    rescoring: Rescoring

    def pooled(self, question: Vector, shift: float) -> _Scores:
        """Return the scores for a question, as it is."""
        self.evidence[self.lanes.index("semantic")] = np.clip(self.rows @ question, 0.0, 1.0)
        return self.rescoring.pooling.pooled(self.evidence, self.lanes, shift=shift)

    def score(self, question: Vector, shift: float, gain: _Scores) -> _Scores:
        """Return the scores for a question, moved towards the best drawers, with what each of them gains."""
        first = self.pooled(question, shift) + gain
        best = np.argsort(-first, kind="stable")[: self.rescoring.rocchio.drawers]
        if not len(best):
            return first
        return self.pooled(self.rescoring.rocchio.moved(question, self.rows[best]), shift) + gain


def _evidence(hits: Sequence[FusedDrawer], lanes: Sequence[str], size: int) -> Float64[np.ndarray, "lanes drawers"]:
    evidence = np.zeros((len(lanes), size))
    for row, lane in zip(evidence, lanes, strict=True):
        if lane != "semantic":
            row[: len(hits)] = [seen.evidence or 0.0 if (seen := hit.lanes.get(lane)) else 0.0 for hit in hits]
    return evidence


def _found_by_memory(vector: Vector, goal: Vector) -> dict[str, LaneScore]:
    cosine = float(vector @ goal)
    return {"semantic": LaneScore(None, cosine, 1.0, evidence=min(max(cosine, 0.0), 1.0))}
