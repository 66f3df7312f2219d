"""The stages of a rerank in order, and the gate that decides how many candidates are worth them (seed 001)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

from graphpalace.domain.rerank.rerank import GateDecision, GateReason, GateRule, RerankWeights
from graphpalace.domain.search.answer import RerankSignals
from graphpalace.domain.vectors import Matrix
from graphpalace.rerank.signals import Components, linear_fusion
from graphpalace.rerank.variety import Promotion, explore, mmr
from graphpalace.settings.sections.rerank import RerankSettings

SPREAD = 0.05  # a meaningful difference of cosines; without this scale, a softmax of cosines is always nearly flat
STEEPNESS = 8.0
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


def uncertainty(similarities: Float[np.ndarray, " candidates"], *, temperature: float = 1.0) -> float:
    """Return the entropy of softmax(similarities / spread / temperature) as a share of its maximum, 0 to 1.

    Args:
        similarities: Cosines, finite.
        temperature: > 0.

    Example:
        >>> round(uncertainty(np.eye(128)[0]), 3), uncertainty(np.zeros(128))
        (0.0, 1.0)

    Source: seed 001, "Candidate Gating".
    """
    if len(similarities) < 2:
        return 0.0
    below = similarities.astype(np.float64) - similarities.max()
    with np.errstate(over="ignore"):
        logits = below / SPREAD / temperature  # in two steps: the product of both may be 0
    weights = np.exp(logits)
    total = weights.sum()
    mean = (weights[weights > 0] * logits[weights > 0]).sum() / total
    return float(np.clip((math.log(total) - mean) / math.log(len(similarities)), 0.0, 1.0))


def candidate_count(uncertain: float, rule: GateRule) -> int:
    """Return round(min + sigmoid(8 (u - threshold)) (max - min)).

    Example:
        >>> candidate_count(0.7, GateRule()), candidate_count(0.0, GateRule())
        (250, 101)
    """
    open_to = 1 / (1 + math.exp(-STEEPNESS * (uncertain - rule.threshold)))
    return round(rule.min_candidates + open_to * (rule.max_candidates - rule.min_candidates))


def decide(similarities: Float[np.ndarray, " candidates"], rule: GateRule) -> GateDecision:
    """Return the decision on how many candidates pass. The candidates of the greatest similarity pass.

    Source: seed 001, "Candidate Gating".
    """
    total = len(similarities)
    uncertain = uncertainty(similarities, temperature=rule.entropy_temp)
    if rule.mode == "off":
        reasons = (GateReason("mode_off", f"gating is off, so all {total} candidates are kept"),)
        return GateDecision(rule.mode, uncertain, False, total, total, total, reasons)
    count = candidate_count(uncertain, rule)
    sure = uncertain < rule.threshold
    reasons = [
        GateReason(
            "certain" if sure else "uncertain",
            f"uncertainty {uncertain:.4f} is {'below' if sure else 'not below'} {rule.threshold:g}:"
            f" up to {count} candidates are kept",
        )
    ]
    if total <= count:
        reasons.append(GateReason("few_candidates", f"there are only {total} candidates"))
    kept = min(total, count)
    if rule.mode == "on":
        passing = int(np.count_nonzero(similarities >= rule.threshold))
        kept = min(kept, max(passing, rule.min_candidates))
        if passing < total:
            message = (
                f"{total - passing} candidates are below {rule.threshold:g}; at least {rule.min_candidates} are kept"
            )
            reasons.append(GateReason("below_threshold", message))
    return GateDecision(rule.mode, uncertain, rule.mode == "on" or kept < total, count, kept, total, tuple(reasons))
