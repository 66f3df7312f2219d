"""The stages of a rerank in order: the gate, which decides on candidates, variety, and exploration (seed 001)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float, Float64

from graphpalace.domain.rerank import GateDecision, GateReason, GateRule, RerankWeights
from graphpalace.domain.search.answer import RerankSignals
from graphpalace.domain.vectors import Matrix
from graphpalace.errors import InvalidInput
from graphpalace.rerank.signals import Components, linear_fusion
from graphpalace.settings.sections.learning import RerankSettings

_Column = Float64[np.ndarray, " candidates"]
_SHARE = 4  # one in four of the ranks that can be promoted is promoted


def clamped(value: float) -> float:
    """Return a lambda, limited to 0 to 1.

    Raises:
        InvalidInput: If it is not a number.
    """
    if math.isnan(value):
        raise InvalidInput("mmr_lambda is not a number; it must be 0 to 1", field="mmr_lambda")
    return min(max(value, 0.0), 1.0)


def mmr(vectors: Matrix, relevance: Float64[np.ndarray, " candidates"], *, mmr_lambda: float, top_k: int) -> list[int]:
    """Return the rows of the chosen documents in the order of their choice.

    The most relevant document is chosen first. Each further document has the greatest lambda x relevance -
    (1 - lambda) x its greatest cosine to a chosen document. Ties go by row. Each choice takes one matrix-vector
    product, so the cost is O(top_k x candidates x dimension).

    Args:
        vectors: Length one each.
        mmr_lambda: 1 means relevance alone. Values outside 0 to 1 are limited to it.

    Example:
        >>> same = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
        >>> mmr(same, np.array([0.9, 0.8, 0.5]), mmr_lambda=0.5, top_k=2)
        [0, 2]

    Source: seed 001, "MMR Diversification".
    """
    share = clamped(mmr_lambda)
    wanted = min(top_k, len(relevance))
    if wanted < 1:
        return []
    weighed = share * relevance
    nearest = np.full(len(relevance), -np.inf, np.float32)
    chosen = [int(np.argmax(relevance))]
    while len(chosen) < wanted:
        np.maximum(nearest, vectors @ vectors[chosen[-1]], out=nearest)
        gain = weighed - (1.0 - share) * nearest
        gain[chosen] = -np.inf
        chosen.append(int(np.argmax(gain)))
    return chosen


@dataclass(frozen=True, slots=True)
class Promotion:
    """A row that moved up from one rank to the next higher one; ranks count from 1."""

    row: int
    from_rank: int
    to_rank: int


def explore(
    relevance: _Column, *, epsilon: float, top_k: int, random: np.random.Generator | None
) -> tuple[_Column, list[Promotion]]:
    """Return the relevance. With probability epsilon, some middle ranks are swapped with the rank above them.

    The middle ranks start at half of `top_k` and end at the first rank below the cut, which can move into the answer.
    No two swaps involve the same document, so each document moves by at most one rank.

    Args:
        relevance: Scores in any order; equal scores rank by row.
        epsilon: Probability of exploring, 0 to 1.
        random: None turns exploration off (deterministic mode).

    Source: seed 001, "Exploration Adjustment".
    """
    first, end = max(1, top_k // 2), min(top_k + 1, len(relevance))
    if random is None or first >= end or random.random() >= epsilon:
        return relevance, []
    places = np.arange(first, end)[int(random.integers(2)) if end - first > 1 else 0 :: 2]
    chosen = np.sort(random.choice(places, size=max(1, len(places) // _SHARE), replace=False))
    order = np.argsort(-relevance, kind="stable")
    changed = relevance.copy()
    upper, lower = order[chosen - 1], order[chosen]
    changed[lower], changed[upper] = relevance[upper], relevance[lower]
    return changed, [Promotion(int(order[at]), int(at) + 1, int(at)) for at in chosen]


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
