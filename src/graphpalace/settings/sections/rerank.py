"""The section `[rerank]`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from graphpalace.domain.search.gate_rule import GateMode, GateRule
from graphpalace.settings.sections.section import Section

_GATE = GateRule()


class RerankWeights(Section):
    """What each signal counts (seed 001)."""

    dense: float = Field(default=1.0, ge=0, le=1000, description="The weight of closeness to the question.")
    narrative: float = Field(
        default=0.6, ge=0, le=1000, description="The weight of closeness to questions that the drawer has answered."
    )
    pheromone: float = Field(
        default=0.3, ge=0, le=1000, description="The weight of the drawer's use, as far as it has not faded."
    )


class RerankSettings(Section):
    """How documents are put into another order (seed 001; docs/explanation/rerank.md has the formulas)."""

    epsilon: float = Field(
        default=0.05, ge=0, le=1, description="The chance that some middle ranks are moved up by one."
    )
    seed: int = Field(default=1337, ge=0, le=2**63 - 1, description="The seed of that chance.")
    mmr_lambda: float = Field(
        default=0.5, ge=0, le=1, description="The share of relevance against variety: 0 is variety, 1 is relevance."
    )
    gating_mode: GateMode = Field(
        default=_GATE.mode,
        description="off keeps all candidates, auto keeps more of them the less clear the question is, on also drops "
        "what is below the threshold.",
    )
    gating_threshold: float = Field(
        default=_GATE.threshold,
        ge=0,
        le=1,
        description="The uncertainty at which the gate keeps half-way between fewest and most.",
    )
    gating_min_candidates: int = Field(
        default=_GATE.min_candidates, ge=1, le=10000, description="The gate keeps at least this number of candidates."
    )
    gating_max_candidates: int = Field(
        default=_GATE.max_candidates,
        ge=1,
        le=10000,
        validate_default=True,
        description="The gate keeps at most this number of candidates, which is not below the fewest.",
    )
    gating_entropy_temp: float = Field(
        default=_GATE.entropy_temp, gt=0, le=1e6, description="The temperature of the gate. A low one makes it surer."
    )
    narrative_floor: float = Field(
        default=0.3, ge=0, le=1, description="An answered question counts from this cosine on."
    )
    pheromone_decay: Literal["palace", "exponential", "linear", "step", "none"] = Field(
        default="palace", description="How use fades here. palace fades it by the rates of [pheromones]."
    )
    pheromone_decay_s: float = Field(
        default=1800.0, gt=0, le=1e12, description="The half-life, or the life, of the other ways to fade, in seconds."
    )
    deterministic: bool = Field(
        default=False, description="Nothing is explored, and pheromones do not fade while the clock runs on."
    )
    max_top_k: int = Field(default=200, ge=10, le=10000, description="One request gets at most this number of results.")
    max_documents: int = Field(
        default=2000, ge=1, le=10000, description="One request has at most this number of documents."
    )
    max_text_chars: int = Field(default=20000, ge=1, description="A document has at most this number of characters.")
    max_batch: int = Field(default=16, ge=1, le=1000, description="A batch has at most this number of requests.")
    rate_limit_per_minute: int = Field(
        default=0, ge=0, description="One client may send at most this number of requests in a minute. 0 sets no limit."
    )
    weights: RerankWeights = RerankWeights()

    @field_validator("gating_max_candidates")
    @classmethod
    def _not_below_the_fewest(cls, most: int, given: ValidationInfo) -> int:
        fewest = given.data.get("gating_min_candidates", most)
        if most < fewest:
            raise ValueError(f"it must be at least gating_min_candidates, {fewest}")
        return most

    @property
    def gate(self) -> GateRule:
        """How the gate decides where a request says nothing else."""
        return GateRule(
            mode=self.gating_mode,
            threshold=self.gating_threshold,
            min_candidates=self.gating_min_candidates,
            max_candidates=self.gating_max_candidates,
            entropy_temp=self.gating_entropy_temp,
        )
