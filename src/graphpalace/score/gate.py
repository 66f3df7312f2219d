"""The gate: how many candidates are worth the later stages (seed 001, "Candidate Gating")."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float

from graphpalace.errors import InvalidInput

GateMode = Literal["off", "auto", "on"]
ReasonCode = Literal["mode_off", "few_candidates", "certain", "uncertain", "below_threshold"]

SPREAD = 0.05  # a difference of cosines that means something; softmax of bare cosines is nearly flat, whatever they are
STEEPNESS = 8.0
MOST_TEMPERATURE = 1e6
MOST_CANDIDATES = 1_000_000


@dataclass(frozen=True, slots=True)
class GateRule:
    """How the gate decides.

    Attributes:
        mode: off keeps all; auto keeps as many as the similarities are uncertain; on drops what is below the
            threshold as well.
        threshold: Uncertainty that keeps half-way between fewest and most, and with `on` the least cosine, 0 to 1.
        min_candidates, max_candidates: Fewest and most that are kept, 1 to 1,000,000.
        entropy_temp: Low makes the gate surer, > 0 to 1e6.

    Raises:
        InvalidInput: If a value is out of range.
    """

    mode: GateMode = "auto"
    threshold: float = 0.7
    min_candidates: int = 100
    max_candidates: int = 400
    entropy_temp: float = 1.0

    def __post_init__(self) -> None:
        if self.mode not in ("off", "auto", "on"):
            raise _wrong("mode", self.mode, "off, auto or on")
        if not 0 <= self.threshold <= 1:
            raise _wrong("threshold", self.threshold, "0 to 1")
        if not 0 < self.entropy_temp <= MOST_TEMPERATURE:
            raise _wrong("entropy_temp", self.entropy_temp, f"more than 0 and at most {MOST_TEMPERATURE:g}")
        if not 1 <= self.min_candidates <= MOST_CANDIDATES:
            raise _wrong("min_candidates", self.min_candidates, f"1 to {MOST_CANDIDATES:,}")
        if not self.min_candidates <= self.max_candidates <= MOST_CANDIDATES:
            right = f"from min_candidates, {self.min_candidates}, to {MOST_CANDIDATES:,}"
            raise _wrong("max_candidates", self.max_candidates, right)


@dataclass(frozen=True, slots=True)
class GateReason:
    """One thing that the gate found, for programs and for people."""

    code: ReasonCode
    message: str


@dataclass(frozen=True, slots=True)
class GateDecision:
    """What the gate decided.

    Attributes:
        uncertainty: 0 (one clear match) to 1 (all alike).
        use_gating: Whether candidates may be left out.
        candidate_count: How many the rule lets pass.
        effective_candidate_count: How many pass.
    """

    mode: GateMode
    uncertainty: float
    use_gating: bool
    candidate_count: int
    effective_candidate_count: int
    total_candidates: int
    reasons: tuple[GateReason, ...]


def uncertainty(similarities: Float[np.ndarray, " candidates"], *, temperature: float = 1.0) -> float:
    """Return the entropy of softmax(similarities / spread / temperature) as a share of the greatest, 0 to 1.

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
    """Return how many of the candidates pass: always those of the greatest similarity.

    Source: seed 001, "Candidate Gating".
    """
    total = len(similarities)
    uncertain = uncertainty(similarities, temperature=rule.entropy_temp)
    if rule.mode == "off":
        reasons = (GateReason("mode_off", f"gating is off: all {total} candidates are kept"),)
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
            message = f"{total - passing} candidates are below {rule.threshold:g}; at least {rule.min_candidates} stay"
            reasons.append(GateReason("below_threshold", message))
    return GateDecision(rule.mode, uncertain, rule.mode == "on" or kept < total, count, kept, total, tuple(reasons))


def _wrong(name: str, value: object, right: str) -> InvalidInput:
    return InvalidInput(f"gating_{name} is {value!r}; it must be {right}", field=f"gating_{name}", value=value)
