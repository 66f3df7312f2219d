"""Score found drawers again by what was learned, within a bound, and break each change into its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.search.answer import LearnedChange
from graphpalace.domain.search.evidence import EvidenceScale, Pooling
from graphpalace.domain.search.pseudo_feedback import Rocchio
from graphpalace.domain.search.ranking import FusedDrawer, LaneScore
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.learn.learned import LearnedRanking
from graphpalace.learn.replay import Balance
from graphpalace.vectors.drawer_rows import DrawerVectors

_Scores = Float64[np.ndarray, " drawers"]


@dataclass(frozen=True, slots=True)
class FoundDrawers:
    """What the lanes found for a question.

    Attributes:
        fused: Drawers in fused order, best first.
        lanes: Names of the lanes that answered; includes `semantic`.
        goal: Embedding of the question, of length one.
        vectors: Vectors of these drawers and of those that memory adds. Drawers without a vector keep their score.
    """

    fused: Sequence[FusedDrawer]
    lanes: Sequence[str]
    goal: Vector
    vectors: DrawerVectors


@dataclass(frozen=True, slots=True)
class MemoryChanges:
    """Changes of scores that follow from questions that were answered before.

    Attributes:
        gains: By drawer, from lessons of the same or similar questions. Drawers that no lane found are added if their
            gain is above 0.
        losses: By drawer, below 0, from lessons of other questions.
        proven: What is left of the reward of drawers that were useful when this very question was asked, 0 to 1.
    """

    gains: Mapping[str, float] = field(default_factory=dict)
    losses: Mapping[str, float] = field(default_factory=dict)
    proven: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rescoring:
    """How to score drawers for a question that learning has changed.

    Attributes:
        bound: Largest change of a score, > 0.
    """

    pooling: Pooling
    rocchio: Rocchio
    bound: float


def with_learning(
    found: FoundDrawers, learned: LearnedRanking, memory: MemoryChanges, rescoring: Rescoring, *, limit: int
) -> list[tuple[FusedDrawer, LearnedChange]]:
    """Return the best drawers with learning, best first, together with those that are best without learning.

    Each drawer comes with the parts of its change.

    Args:
        limit: How many drawers are the best, with learning and without.
    """
    fused, goal = found.fused, found.goal
    rank = {hit.id: at for at, hit in enumerate(fused, start=1)}
    here = set(found.vectors.ids)
    new = [drawer for drawer, gain in memory.gains.items() if drawer not in rank and gain > 0 and drawer in here]
    hits = [hit for hit in fused if hit.id in here]
    # These were stored a moment ago: the full-text index has them, but this process does not have their vectors yet.
    unchanged = [(hit, LearnedChange(rank[hit.id], hit.score)) for hit in fused if hit.id not in here]
    ids = [*(hit.id for hit in hits), *new]
    if not ids:
        return unchanged[:limit]
    scorer = _Scorer(_evidence(hits, found.lanes, len(ids)), found.lanes, found.vectors.of(ids), rescoring)
    base = np.concatenate([[hit.score for hit in hits], scorer.pooled(goal, Balance())[len(hits) :]])
    gain = np.array([memory.gains.get(drawer, 0.0) for drawer in ids])
    loss = np.array([memory.losses.get(drawer, 0.0) for drawer in ids])
    nothing = np.zeros(len(ids))
    # Apply one effect of learning after the other, to know what each of them changes.
    asked = learned.put(goal)
    mapped = base if asked is goal else scorer.score(asked, Balance(), nothing)
    balanced = mapped if learned.balance == Balance() else scorer.score(asked, learned.balance, nothing)
    remembered = balanced if not gain.any() else scorer.score(asked, learned.balance, gain)
    all_in = remembered if not loss.any() else scorer.score(asked, learned.balance, gain + loss)
    bounded = np.clip(all_in, base - rescoring.bound, base + rescoring.bound)
    steps = [mapped - base, balanced - mapped, remembered - balanced, all_in - remembered, bounded - all_in]
    changes = np.stack([base, *steps], axis=1)
    final = bounded.tolist()
    order = sorted(range(len(ids)), key=lambda at: (-final[at], ids[at]))
    told = [*order[:limit], *(at for at in order[limit:] if rank.get(ids[at], limit + 1) <= limit)]
    done = [
        (
            FusedDrawer(
                ids[at],
                final[at],
                hits[at].lanes
                if at < len(hits)
                else _found_by_memory(scorer.rows[at], goal, rescoring.pooling.cosines),
            ),
            LearnedChange(rank.get(ids[at]), *changes[at].tolist()),
        )
        for at in told
    ]
    return sorted([*done, *unchanged], key=lambda pair: (-pair[0].score, pair[0].id))


@dataclass(frozen=True, slots=True)
class _Scorer:
    """Scores drawers for questions other than the one that the lanes were asked.

    Attributes:
        evidence: Evidence of each lane. The row of the semantic lane is set by the cosine to the question.
        rows: Embeddings of the drawers.
    """

    evidence: Float64[np.ndarray, "lanes drawers"]
    lanes: Sequence[str]
    rows: Matrix
    rescoring: Rescoring

    def pooled(self, question: Vector, balance: Balance) -> _Scores:
        """Return the pooled scores for a question."""
        pooling = self.rescoring.pooling.scaled(balance.factors)
        self.evidence[self.lanes.index("semantic")] = pooling.cosines.evidence(self.rows @ question)
        return pooling.pooled(self.evidence, self.lanes, shift=balance.shift)

    def score(self, question: Vector, balance: Balance, gain: _Scores) -> _Scores:
        """Return the scores for a question after it was moved towards the best drawers, plus the gains."""
        first = self.pooled(question, balance) + gain
        best = np.argsort(-first, kind="stable")[: self.rescoring.rocchio.drawers]
        if not len(best):
            return first
        return self.pooled(self.rescoring.rocchio.moved(question, self.rows[best]), balance) + gain


def _evidence(hits: Sequence[FusedDrawer], lanes: Sequence[str], size: int) -> Float64[np.ndarray, "lanes drawers"]:
    evidence = np.zeros((len(lanes), size))
    for row, lane in zip(evidence, lanes, strict=True):
        if lane != "semantic":
            row[: len(hits)] = [seen.evidence or 0.0 if (seen := hit.lanes.get(lane)) else 0.0 for hit in hits]
    return evidence


def _found_by_memory(vector: Vector, goal: Vector, scale: EvidenceScale) -> dict[str, LaneScore]:
    cosine = float(vector @ goal)
    return {"semantic": LaneScore(None, cosine, 1.0, evidence=scale.evidence(np.array(cosine)).item())}
