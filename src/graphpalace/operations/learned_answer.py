"""An answer with what was learned: found drawers scored anew, within a bound, and each change named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.pooling import pooled
from graphpalace.domain.ranking import Fused, LaneScore, Ranking
from graphpalace.domain.vectors import Vector
from graphpalace.learn.learned import Learned
from graphpalace.operations.question import SearchOptions, SearchPlan
from graphpalace.score.drawer_matrix import DrawerVectors
from graphpalace.score.feedback import moved_towards

_Scores = Float64[np.ndarray, " drawers"]


@dataclass(frozen=True, slots=True)
class Taught:
    """What learning did to a hit: its score is `score` plus the changes.

    Attributes:
        rank: Without learning; None if nothing but memory found it.
        score: Without learning.
        question: By putting the question as the wing's drawers answer it.
        lanes: By shifting the balance of the lanes.
        memory: By questions that it answered before, or did not.
        others: By other questions that it answered.
        bound: What the other changes went beyond the bound, taken back.
    """

    rank: int | None
    score: float
    question: float = 0.0
    lanes: float = 0.0
    memory: float = 0.0
    others: float = 0.0
    bound: float = 0.0


def taught(
    fused: Sequence[Fused],
    learned: Learned,
    gains: Mapping[str, float],
    losses: Mapping[str, float],
    goal: Vector,
    vectors: DrawerVectors,
    rankings: Sequence[Ranking],
    plan: SearchPlan,
    options: SearchOptions,
    *,
    bound: float,
    limit: int,
    without: Set[str] = frozenset(),
) -> list[tuple[Fused, Taught]]:
    """Return the best drawers by what was learned, best first, and where the best without learning stand among them.

    Args:
        fused: By what the lanes say, best first.
        gains: What drawers gain or lose by memory; those that no lane found join the answer.
        losses: What drawers lose that answered other questions, below 0.
        goal: Embedding of the question, length one.
        vectors: Of these drawers; those that have none yet keep their score.
        rankings: Of the lanes, `semantic` among them.
        bound: No score is moved by more, > 0.
        limit: How many are the best, with learning and without.
        without: Some of `question.PARTS` and `question.LEARNED_PARTS`.
    """
    rank = {hit.id: at for at, hit in enumerate(fused, start=1)}
    here = set(vectors.ids)
    new = [drawer for drawer, gain in gains.items() if drawer not in rank and gain > 0 and drawer in here]
    hits = [hit for hit in fused if hit.id in here]
    # Stored a moment ago, so that the words have found it before this service has its vector.
    unchanged = [(hit, Taught(rank[hit.id], hit.score)) for hit in fused if hit.id not in here]
    ids = [*(hit.id for hit in hits), *new]
    if not ids:
        return unchanged[:limit]
    rows = vectors.of(ids)
    lanes = [ranking.lane for ranking in rankings]
    evidence = np.zeros((len(lanes), len(ids)))
    for at, lane in enumerate(lanes):
        if lane != "semantic":
            evidence[at, : len(hits)] = [seen.evidence or 0.0 if (seen := hit.lanes.get(lane)) else 0.0 for hit in hits]
    weights = np.array([plan.weights.get(lane, 1.0) for lane in lanes])

    def pool(question: Vector, shift: float) -> _Scores:
        evidence[lanes.index("semantic")] = np.clip(rows @ question, 0.0, 1.0)
        scale = [np.exp({"semantic": -shift, "fulltext": shift}.get(lane, 0.0) / 2) for lane in lanes]
        return pooled(evidence * np.array(scale)[:, None], weights, temperature=options.temperature)

    def score(question: Vector, shift: float, gain: _Scores) -> _Scores:
        first = pool(question, shift) + gain
        best = np.argsort(-first, kind="stable")[: options.feedback_drawers]
        if "feedback" in without or not len(best):
            return first
        return pool(moved_towards(question, rows[best], weight=options.feedback_weight), shift) + gain

    nothing = np.zeros(len(ids))
    base = np.concatenate([[hit.score for hit in hits], pool(goal, 0.0)[len(hits) :]])
    asked = goal if "question map" in without else learned.put(goal)
    shift = 0.0 if "lane balance" in without else learned.shift
    mapped = base if asked is goal else score(asked, 0.0, nothing)
    balanced = mapped if not shift else score(asked, shift, nothing)
    gain = np.array([gains.get(drawer, 0.0) for drawer in ids])
    remembered = balanced if not gain.any() else score(asked, shift, gain)
    lost = np.array([losses.get(drawer, 0.0) for drawer in ids])
    all_in = remembered if not lost.any() else score(asked, shift, gain + lost)
    final = np.clip(all_in, base - bound, base + bound).tolist()
    order = sorted(range(len(ids)), key=lambda at: (-final[at], ids[at]))
    told = [*order[:limit], *(at for at in order[limit:] if rank.get(ids[at], limit + 1) <= limit)]
    done = [
        (
            Fused(ids[at], final[at], hits[at].lanes if at < len(hits) else _found_by_memory(rows[at], goal)),
            Taught(
                rank.get(ids[at]),
                float(base[at]),
                float(mapped[at] - base[at]),
                float(balanced[at] - mapped[at]),
                float(remembered[at] - balanced[at]),
                float(all_in[at] - remembered[at]),
                float(final[at] - all_in[at]),
            ),
        )
        for at in told
    ]
    return sorted([*done, *unchanged], key=lambda pair: (-pair[0].score, pair[0].id))


def keep_verbatim(
    order: Sequence[str], before: Sequence[str], texts: Mapping[str, str], query: str, *, top_k: int
) -> list[str]:
    """Return the best `top_k` of an order, in which no drawer is missing that was there before and has the words.

    Args:
        order: By what was learned, best first.
        before: The best `top_k` without learning.
        texts: Of all of the best.
        query: Words that a text has if it has them in this order; case and white space do not count.
    """
    words = " ".join(query.casefold().split())
    kept = [
        drawer for drawer in before if words and drawer in texts and words in " ".join(texts[drawer].casefold().split())
    ]
    best = list(order[:top_k])
    missing = [drawer for drawer in kept if drawer not in best]
    for drawer in reversed(best.copy()):
        if not missing:
            break
        if drawer not in kept:
            best.remove(drawer)
            best.append(missing.pop())
    return sorted(best, key=list(order).index)


def _found_by_memory(vector: Vector, goal: Vector) -> dict[str, LaneScore]:
    cosine = float(vector @ goal)
    return {"semantic": LaneScore(None, cosine, 1.0, evidence=min(max(cosine, 0.0), 1.0))}
