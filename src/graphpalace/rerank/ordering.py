"""The stages of a rerank in order (seed 001, "Pipeline Overview")."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from graphpalace.domain.search.gate_rule import GateRule
from graphpalace.domain.search.rerank_answer import GateDecision, RerankSignals, RerankWeights
from graphpalace.domain.vectors import Matrix
from graphpalace.rerank.exploration import Promotion, explore
from graphpalace.rerank.gate import decide
from graphpalace.rerank.linear_fusion import Components, linear_fusion
from graphpalace.rerank.mmr import mmr
from graphpalace.settings.sections.rerank import RerankSettings

_USUAL = RerankSettings()


@dataclass(frozen=True, slots=True)
class OrderRule:
    """How candidates are ordered.

    Attributes:
        epsilon: Probability of exploration, 0 to 1.
        mmr_lambda: 0 (variety) to 1 (relevance).
    """

    top_k: int = 10
    mmr_lambda: float = _USUAL.mmr_lambda
    epsilon: float = _USUAL.epsilon
    gate: GateRule = field(default_factory=GateRule)
    weights: RerankWeights = field(default_factory=RerankWeights)


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """One row of the answer: its score before exploration, and the signals that make up the score."""

    row: int
    score: float
    components: RerankSignals


@dataclass(frozen=True, slots=True)
class Ordering:
    """The chosen rows, best first, what the gate decided, and which rows exploration moved up."""

    places: list[ScoredRow]
    gate: GateDecision
    promoted: list[Promotion]


def ordered(
    vectors: Matrix, components: Components, rule: OrderRule, *, random: np.random.Generator | None
) -> Ordering:
    """Return the order of the candidates after gate, fusion, exploration, diversification and cut.

    Args:
        vectors: One row for each candidate, length one; rows in the order of ids, so that ties go by id.
        random: None turns exploration off.

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
    rows = zip(*(column[chosen].tolist() for column in columns), strict=True)
    places = [ScoredRow(row, score, RerankSignals(*signals)) for row, score, *signals in rows]
    moved = [Promotion(int(kept[each.row]), each.from_rank, each.to_rank) for each in promoted]
    return Ordering(places, gate, moved)
