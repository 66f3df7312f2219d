"""Score and reorder what was found by what was learned from feedback, within a bound, and record every change."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.deadline import at_most_s
from graphpalace.domain.search.answer import FusedDrawer, LaneScore, LearnedChange
from graphpalace.domain.search.evidence import EvidenceScale, Pooling
from graphpalace.domain.search.pseudo_feedback import Rocchio
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.errors import DatabaseFailed, NotFound
from graphpalace.learn.learned import LearnedRanking
from graphpalace.learn.replay import Balance
from graphpalace.operations.history import MOST_CANDIDATES
from graphpalace.operations.search.fusion import FusedRanking
from graphpalace.operations.search.preparation import PreparedSearch
from graphpalace.operations.search.reordering import RankedDrawers
from graphpalace.operations.search.side_by_side import LaneResults, failure_of
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.learning import Learning
from graphpalace.settings.sections.search import SearchSettings
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


class LearnedOrder:
    """Applies what the wing, or the palace, has learned to what was found."""

    def __init__(
        self, indexes: DrawerIndexes, learning: Learning, rocchio: Rocchio, *, settings: SearchSettings
    ) -> None:
        self._indexes = indexes
        self._learning = learning
        self._rocchio = rocchio
        self._settings = settings

    async def of(
        self, search: PreparedSearch, found: LaneResults, fused: FusedRanking, *, limit: int | None
    ) -> RankedDrawers:
        """Return the best drawers in their learned order. If learning fails, `left_out` says so.

        Args:
            limit: How many drawers are needed; None: all, because a later stage may bring any of them to the top.
        """
        learned = await self._learned(search, found)
        # Learning may bring any drawer to the top, and feedback needs more drawers than are shown.
        plain = fused.order.first(None if learned is not None or limit is None else max(limit, MOST_CANDIDATES))
        if learned is None:
            return RankedDrawers(plain, plain)
        drawers, memory = await self._remembered(search, found, fused, plain, learned)
        without = search.request.without
        pairs = with_learning(
            drawers,
            replace(
                learned,
                question_map=None if "question map" in without else learned.question_map,
                balance=Balance() if "lane balance" in without else learned.balance,
            ),
            memory,
            Rescoring(
                Pooling(self._settings.temperature, search.plan.weights, search.lane_query.cosines),
                Rocchio(drawers=0, weight=0.0) if "rocchio" in without else self._rocchio,
                self._learning.settings.bound,
            ),
            limit=len(plain) + len(memory.gains) if limit is None else max(limit, MOST_CANDIDATES),
        )
        return RankedDrawers(
            [hit for hit, _ in pairs],
            plain,
            {hit.id: change for hit, change in pairs},
            proven=memory.proven,
            calibrations=learned.calibrations,
        )

    async def _learned(self, search: PreparedSearch, found: LaneResults) -> LearnedRanking | None:
        # RRF has no scores that learning could change. Without the semantic lane, there may be no embedding.
        left_out = "learning" in search.request.without or search.plan.fusion == "rrf"
        if not self._learning.settings.enabled or left_out or not found.by_meaning:
            return None
        timeout_s = at_most_s(self._settings.lane_timeout_s)
        try:
            async with asyncio.timeout(timeout_s):
                # The semantic lane has just read the state of the palace, so it is not read again.
                state = self._indexes.state(search.palace)
                return await self._learning.of(search.palace, search.lane_query.only.wing, state=state)
        except (DatabaseFailed, NotFound, TimeoutError) as error:
            found.left_out["learning"] = failure_of("learning", error, timeout_s=timeout_s).message
            return None

    async def _remembered(
        self,
        search: PreparedSearch,
        found: LaneResults,
        fused: FusedRanking,
        plain: list[FusedDrawer],
        learned: LearnedRanking,
    ) -> tuple[FoundDrawers, MemoryChanges]:
        """Return what was found, and what the memory of lessons changes, including drawers that only memory knows."""
        without, query = search.request.without, search.request.query
        goal = await search.vector.value()
        history = learned.of_question(query, goal)
        gains = {} if "memory" in without else history.gains()
        seen = {hit.id for hit in plain}
        if new := [drawer for drawer, gain in gains.items() if gain > 0 and drawer not in seen]:
            async with self._indexes.reading(search.palace) as matrix:
                passes = matrix.passing(new, search.lane_query.only)
            new = [drawer for drawer, passed in zip(new, passes, strict=True) if passed]
        losses = {} if "other questions" in without else history.losses([*seen, *new])
        vectors = fused.vectors
        if new or vectors is None:
            vectors = await self._indexes.vectors(search.palace, [*seen, *new], asked=goal)
        lanes = [ranking.lane for ranking in found.rankings]
        proven = {} if "memory" in without else history.proven()
        return FoundDrawers(plain, lanes, goal, vectors), MemoryChanges(gains, losses, proven)
