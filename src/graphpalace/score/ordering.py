"""The stages of a rerank one after the other (seed 001, "Pipeline Overview")."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from graphpalace.domain.vectors import Matrix
from graphpalace.score.exploration import Promotion, explore
from graphpalace.score.gate import GateDecision, GateRule, decide
from graphpalace.score.linear_fusion import Components, Weights, linear_fusion
from graphpalace.score.mmr import mmr


@dataclass(frozen=True, slots=True)
class OrderRule:
    """How candidates are ordered.

    Attributes:
        epsilon: Chance of exploration, 0 to 1.
        mmr_lambda: 0 (variety) to 1 (relevance).
    """

    top_k: int = 10
    mmr_lambda: float = 0.5
    epsilon: float = 0.05
    gate: GateRule = field(default_factory=GateRule)
    weights: Weights = field(default_factory=Weights)


@dataclass(frozen=True, slots=True)
class Place:
    """One row of the answer: its score before exploration, and the signals that the score is made of."""

    row: int
    score: float
    dense: float
    narrative: float
    pheromone: float


@dataclass(frozen=True, slots=True)
class Ordered:
    """The chosen rows, best first, what the gate decided, and which rows exploration moved up."""

    places: list[Place]
    gate: GateDecision
    promoted: list[Promotion]


def ordered(vectors: Matrix, components: Components, rule: OrderRule, *, random: np.random.Generator | None) -> Ordered:
    """Gate, fuse, explore, diversify, cut.

    Args:
        vectors: One row a candidate, length one; rows in the order of ids, so that ties go by id.
        random: None: no exploration.

    Source: seed 001, "Pipeline Overview".
    """
    gate = decide(components.dense, rule.gate)
    kept = np.arange(len(components.dense))
    if gate.effective_candidate_count < gate.total_candidates:
        best = np.argsort(-components.dense, kind="stable")[: gate.effective_candidate_count]
        kept = np.sort(best)
        vectors, components = vectors[kept], components.of(kept)
    scores = linear_fusion(components, rule.weights)
    relevance, promoted = explore(scores, epsilon=rule.epsilon, top_k=rule.top_k, random=random)
    chosen = mmr(vectors, relevance, mmr_lambda=rule.mmr_lambda, top_k=rule.top_k)
    columns = (kept, scores, components.dense, components.narrative, components.pheromone)
    places = [Place(*row) for row in zip(*(column[chosen].tolist() for column in columns), strict=True)]
    moved = [Promotion(int(kept[each.row]), each.from_rank, each.to_rank) for each in promoted]
    return Ordered(places, gate, moved)
