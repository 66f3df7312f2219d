"""What is asked of a rerank, and what it answers: documents or drawers, the gate, and the order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

import pydantic

from graphpalace.domain.field import Field
from graphpalace.domain.identity import DEFAULT_NAMESPACE
from graphpalace.domain.search.answer import RerankSignals
from graphpalace.errors import InvalidInput

Id = Annotated[str, Field(min_length=1, max_length=1000)]
MOST_CANDIDATES = 1_000_000


_CandidateCount = Annotated[int, Field(ge=1, le=MOST_CANDIDATES)]

GateMode = Literal["off", "auto", "on"]

MOST_TEMPERATURE = 1e6


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document of the caller's own."""

    id: Annotated[Id, Field(description="what feedback calls it")]
    text: str = ""  # may be blank if there is an embedding
    metadata: Mapping[str, Any] = field(default_factory=dict)  # comes back as it is
    embedding: Annotated[Sequence[float] | None, Field(description="a vector instead of that of the text")] = None
    drawer_id: Annotated[Id | None, Field(description="drawer whose narrative and pheromone count too")] = None


@dataclass(frozen=True, slots=True)
class RerankQuery:
    """What to rerank, and how. A field that is None takes the value of [rerank]."""

    query: Annotated[str, Field(max_length=20_000, description="words")] = ""
    query_embedding: Annotated[
        Sequence[float] | None, Field(description="a vector of the palace's dimension, instead of words")
    ] = None
    documents: Annotated[Sequence[Candidate] | None, Field(description="your own, or else give drawer_ids")] = None
    drawer_ids: Annotated[Sequence[Id] | None, Field(description="drawers of the palace")] = None
    namespace: Annotated[Id, Field(description="within which your documents are known by their ids")] = (
        DEFAULT_NAMESPACE
    )
    top_k: Annotated[int, Field(ge=1, description="at most [rerank] max_top_k")] = 10
    mmr_lambda: Annotated[float | None, Field(description="0 for variety, 1 for relevance")] = None
    gating_mode: GateMode | None = None
    gating_threshold: Annotated[float, Field(ge=0, le=1, description="least similarity")] | None = None
    gating_min_candidates: Annotated[_CandidateCount, Field(description="how many pass at least")] | None = None
    gating_max_candidates: Annotated[_CandidateCount, Field(description="how many pass at most")] | None = None
    gating_entropy_temp: (
        Annotated[float, Field(gt=0, le=MOST_TEMPERATURE, description="low makes the gate surer")] | None
    ) = None
    deterministic: Annotated[
        bool | None,
        Field(description="no exploration; pheromones count as at reference_time, or else as they were laid"),
    ] = None
    reference_time: Annotated[
        datetime | None, Field(description="the moment pheromones are taken at; default: now")
    ] = None


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


def _wrong(name: str, value: object, right: str) -> InvalidInput:
    return InvalidInput(f"gating_{name} is {value!r}; it must be {right}", field=f"gating_{name}", value=value)


class RerankWeights(pydantic.BaseModel):
    """The weight of each signal in a rerank."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)

    dense: float = pydantic.Field(default=1.0, ge=0, le=1000, description="The weight of closeness to the question.")
    narrative: float = pydantic.Field(
        default=0.6, ge=0, le=1000, description="The weight of closeness to questions that the drawer has answered."
    )
    pheromone: float = pydantic.Field(
        default=0.3, ge=0, le=1000, description="The weight of the drawer's use, as far as it has not faded."
    )


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
