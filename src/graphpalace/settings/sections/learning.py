"""The sections on the order of what is found: `[learning]` and `[rerank]` (seed 001)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from graphpalace.domain.rerank import GateMode, GateRule, RerankWeights
from graphpalace.settings.sections.section import SettingsSection


class LearningSettings(SettingsSection):
    """Learning from feedback (see docs/explanation/learning.md for the formulas)."""

    enabled: bool = Field(
        default=True, description="Whether searches use what was learned. Feedback is stored in any case."
    )
    bound: float = Field(default=0.5, gt=0, le=10, description="The largest change of a score by learning.")
    map_prior: float = Field(
        default=2.5,
        ge=0.01,
        le=1e6,
        description="How strongly learning prefers to leave a question as it is: as much as this number of lessons.",
    )
    map_caution: float = Field(
        default=0.5,
        ge=0,
        le=10,
        description="Moved questions are used only if their mean gain in replay is at least this number of standard "
        "errors. With 0, they are used unless replay sees a loss.",
    )
    same_weight: float = Field(
        default=0.2, ge=0, le=1, description="The gain of a drawer that has answered the same question before."
    )
    least_lessons: int = Field(
        default=10, ge=2, le=10000, description="A wing with fewer lessons than this learns from the whole palace."
    )
    most_lessons: int = Field(
        default=10000,
        ge=1,
        le=1000000,
        description="The largest number of lessons that a palace learns from. The newest are used.",
    )
    lane_caution: float = Field(
        default=3.0,
        ge=0,
        le=10,
        description="Another weight of a lane is used only if its mean gain in replay is at least this number of "
        "standard errors.",
    )
    memory_caution: float = Field(
        default=0.5,
        ge=0,
        le=10,
        description="A gain for answers to similar questions is used only if its mean gain in replay is at least this "
        "number of standard errors.",
    )
    others_caution: float = Field(
        default=3.0,
        ge=0,
        le=10,
        description="A loss for drawers that have answered other questions is used only if its mean gain in replay is "
        "at least this number of standard errors.",
    )
    confidence_caution: float = Field(
        default=2.0,
        ge=0,
        le=10,
        description="A calibration of the confidence is used only if it lowers the log loss of earlier answers by at "
        "least this number of standard errors.",
    )
    same_meaning: float = Field(
        default=0.5,
        ge=-1,
        le=1,
        description="A drawer whose text is changed keeps what was learned of the old text if the cosine of the two is "
        "at least this.",
    )
    opened_reward: float = Field(
        default=0.2,
        ge=0,
        le=1,
        description="The reward of a drawer that is opened from an answer. With 0, opening a drawer has no effect.",
    )


_GATE = GateRule()


class RerankSettings(SettingsSection):
    """How documents are reranked (see docs/explanation/rerank.md for the formulas)."""

    epsilon: float = Field(
        default=0.05, ge=0, le=1, description="The probability that exploration moves some middle ranks up by one."
    )
    seed: int = Field(default=1337, ge=0, le=2**63 - 1, description="The seed of the random generator of exploration.")
    mmr_lambda: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="The balance of relevance and variety: 1 counts only relevance, 0 only variety.",
    )
    gating_mode: GateMode = Field(
        default=_GATE.mode,
        description="off keeps all candidates. auto keeps the more of them, the less clear the question is. on also "
        "drops candidates below the threshold.",
    )
    gating_threshold: float = Field(
        default=_GATE.threshold,
        ge=0,
        le=1,
        description="The uncertainty at which the gate keeps a number of candidates half-way between the fewest and "
        "the most.",
    )
    gating_min_candidates: int = Field(
        default=_GATE.min_candidates, ge=1, le=10000, description="The fewest candidates that the gate keeps."
    )
    gating_max_candidates: int = Field(
        default=_GATE.max_candidates,
        ge=1,
        le=10000,
        validate_default=True,
        description="The most candidates that the gate keeps, at least gating_min_candidates.",
    )
    gating_entropy_temp: float = Field(
        default=_GATE.entropy_temp,
        gt=0,
        le=1e6,
        description="The temperature of the gate. A low temperature makes it more certain.",
    )
    narrative_floor: float = Field(
        default=0.3, ge=0, le=1, description="The least cosine at which an answered question counts."
    )
    pheromone_decay: Literal["palace", "exponential", "linear", "step", "none"] = Field(
        default="palace",
        description="How pheromones fade in a rerank. palace uses the rates of the section [pheromones].",
    )
    pheromone_decay_s: float = Field(
        default=1800.0,
        gt=0,
        le=1e12,
        description="The half-life of exponential fading, or the lifetime of linear and step fading, in seconds.",
    )
    deterministic: bool = Field(
        default=False, description="Whether to turn off exploration and the fading of pheromones with time."
    )
    max_top_k: int = Field(default=200, ge=10, le=10000, description="The largest number of results of one request.")
    max_documents: int = Field(
        default=2000, ge=1, le=10000, description="The largest number of documents in one request."
    )
    max_text_chars: int = Field(default=20000, ge=1, description="The largest number of characters in a document.")
    max_batch: int = Field(default=16, ge=1, le=1000, description="The largest number of requests in a batch.")
    rate_limit_per_minute: int = Field(
        default=0, ge=0, description="The largest number of requests of one client in a minute. 0: no limit."
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
        """The rule of the gate, where a request does not override it."""
        return GateRule(
            mode=self.gating_mode,
            threshold=self.gating_threshold,
            min_candidates=self.gating_min_candidates,
            max_candidates=self.gating_max_candidates,
            entropy_temp=self.gating_entropy_temp,
        )
