"""The answer of a rerank, and how its order came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from graphpalace.domain.search.gate_rule import GateMode


class RerankWeights(BaseModel):
    """The weight of each signal in a rerank."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)

    dense: float = Field(default=1.0, ge=0, le=1000, description="The weight of closeness to the question.")
    narrative: float = Field(
        default=0.6, ge=0, le=1000, description="The weight of closeness to questions that the drawer has answered."
    )
    pheromone: float = Field(
        default=0.3, ge=0, le=1000, description="The weight of the drawer's use, as far as it has not faded."
    )


@dataclass(frozen=True, slots=True)
class RerankSignals:
    """What an order counted, before weights: the weighted sum is the score."""

    dense: Annotated[
        float,
        Field(description="cosine of document and question, -1 to 1; in a search its score, as a share of the best"),
    ]
    narrative: Annotated[float, Field(description="closeness to questions that the drawer answered, 0 to 1")]
    pheromone: Annotated[float, Field(description="use of the drawer, as far as it has not faded, 0 to 1")]


@dataclass(frozen=True, slots=True)
class ScoredDocument:
    """A document with its score, which is the sum of each component times its weight."""

    id: str
    score: float
    components: RerankSignals


@dataclass(frozen=True, slots=True)
class RerankedDocument(ScoredDocument):
    """A document with its score, text and metadata."""

    text: str
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GateReason:
    """One thing that the gate found."""

    code: Literal["mode_off", "few_candidates", "certain", "uncertain", "below_threshold"]
    message: str


@dataclass(frozen=True, slots=True)
class GateDecision:
    """What the gate decided, and why."""

    mode: GateMode
    uncertainty: Annotated[float, Field(description="0: one clear match, 1: all alike")]
    use_gating: Annotated[bool, Field(description="whether candidates may be dropped")]
    candidate_count: Annotated[int, Field(description="how many the rule lets pass")]
    effective_candidate_count: Annotated[int, Field(description="how many passed")]
    total_candidates: int
    reasons: Sequence[GateReason]


@dataclass(frozen=True, slots=True)
class PromotedDocument:
    """A document that exploration moved up by one rank. Ranks count from 1 and are those before MMR."""

    id: str
    from_rank: int
    to_rank: int


@dataclass(frozen=True, slots=True)
class RerankDebug:
    """How the order came about."""

    gating: GateDecision
    deterministic: bool
    epsilon_used: float
    mmr_lambda_used: float
    weights: RerankWeights
    explored: Sequence[PromotedDocument]


@dataclass(frozen=True, slots=True)
class RerankAnswer:
    """The best documents, best first."""

    run: Annotated[str, Field(description="what feedback calls this answer", examples=["rerank-0123456789ab"])]
    results: Sequence[RerankedDocument]
    debug: RerankDebug
