"""Requests and responses of the rerank. Source of the names: seed 001."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field

from graphpalace.domain.learning.feedback import DEFAULT_NAMESPACE
from graphpalace.domain.search.gate_rule import MOST_CANDIDATES, MOST_TEMPERATURE
from graphpalace.operations.rerank.request import Candidate, RerankQuery
from graphpalace.operations.rerank.rerank import RerankAnswer
from graphpalace.serve.http.numbers import Real, Whole
from graphpalace.serve.http.request_body import Moment, PalaceField, RequestBody, with_example


def _plain(metadata: dict[str, Any]) -> dict[str, Any]:
    """Refuse values such as NaN, which Python accepts as JSON but which cannot be sent back as valid JSON."""
    try:
        json.dumps(metadata, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise ValueError(
            "it must be plain JSON without NaN, infinity or lone surrogates, and not nested too deeply"
        ) from None
    return metadata


Id = Annotated[str, Field(min_length=1, max_length=1000)]
Ratio = Annotated[Real, Field(ge=0, le=1)]


class RerankDocument(RequestBody):
    """A document of the caller's own."""

    id: Id = Field(description="id within the namespace, which feedback uses")
    text: str = Field("", description="may be blank if an embedding is given")
    metadata: Annotated[dict[str, Any], AfterValidator(_plain)] = Field({}, description="returned unchanged")
    embedding: list[Real] | None = Field(
        None, description="vector of the palace's dimension; computed from the text if absent"
    )
    drawer_id: Id | None = Field(None, description="drawer whose narrative and pheromone are used for the document")


class RerankRequest(RequestBody):
    """A request to rerank documents or drawers. Fields that are not given have the values of the section [rerank]."""

    model_config = with_example(
        {
            "query": "how is bread made",
            "documents": [{"id": "a", "text": "knead the dough"}, {"id": "b", "text": "prune the roses"}],
            "top_k": 1,
        }
    )

    query: str = Field("", max_length=20_000, description="words; may be empty if query_embedding is given")
    documents: list[RerankDocument] | None = Field(None, description="either documents or drawer_ids")
    drawer_ids: list[Id] | None = Field(None, description="drawers of the palace")
    namespace: Annotated[str, Field(min_length=1, max_length=1000)] = Field(
        DEFAULT_NAMESPACE, description="namespace of the documents' ids, by which feedback finds them"
    )
    query_embedding: list[Real] | None = Field(
        None, description="vector of the palace's dimension; computed from the text if absent"
    )
    top_k: Whole = Field(10, ge=1, description="at most [rerank] max_top_k")
    mmr_lambda: Real | None = Field(
        None, description="1 counts only relevance, 0 only variety; values outside are clamped"
    )
    gating_mode: Literal["off", "auto", "on"] | None = None
    gating_threshold: Ratio | None = None
    gating_min_candidates: Annotated[Whole, Field(ge=1, le=MOST_CANDIDATES)] | None = None
    gating_max_candidates: Annotated[Whole, Field(ge=1, le=MOST_CANDIDATES)] | None = None
    gating_entropy_temp: Annotated[Real, Field(gt=0, le=MOST_TEMPERATURE)] | None = None
    deterministic: bool | None = Field(
        None,
        description="no exploration; pheromones count as at reference_time or, without it, as at their last deposit",
    )
    reference_time: Moment | None = Field(None, description="time at which pheromones are computed; default: now")
    palace: PalaceField = None

    def question(self) -> RerankQuery:
        """Return the request as the operation takes it."""
        documents = self.documents
        return RerankQuery(
            documents=None if documents is None else [Candidate(**dict(document)) for document in documents],
            **{name: value for name, value in self if name not in ("documents", "palace")},
        )


class Components(BaseModel):
    """The parts of a score, which is the sum of each part times its weight."""

    dense: float = Field(description="cosine of document and question, -1 to 1")
    narrative: float = Field(description="closeness of the question to questions that the drawer answered, 0 to 1")
    pheromone: float = Field(description="pheromones that are left from the drawer's use, 0 to 1")


class RerankResult(BaseModel):
    """A document in the new order."""

    id: str
    text: str
    metadata: dict[str, Any]
    score: float
    components: Components


class GateReason(BaseModel):
    """One reason for the gate's decision."""

    code: Literal["mode_off", "few_candidates", "certain", "uncertain", "below_threshold"]
    message: str


class Gating(BaseModel):
    """What the gate decided, and why."""

    mode: Literal["off", "auto", "on"]
    uncertainty: float = Field(description="uncertainty; 0: one clear match, 1: all alike")
    use_gating: bool
    candidate_count: int = Field(description="number of candidates that the rule allows")
    effective_candidate_count: int = Field(description="number of candidates that passed")
    total_candidates: int
    reasons: list[GateReason]


class Weights(BaseModel):
    """The weight of each part of the score."""

    dense: float
    narrative: float
    pheromone: float


class Explored(BaseModel):
    """A document that exploration moved up by one rank. Ranks count from 1 and are those before MMR."""

    id: str
    from_rank: int
    to_rank: int


class RerankDebug(BaseModel):
    """Details about how the order was computed."""

    gating: Gating
    deterministic: bool
    epsilon_used: float
    mmr_lambda_used: float
    weights: Weights
    explored: list[Explored]


class RerankResponse(BaseModel):
    """The best documents, best first."""

    run: str = Field(description="id of this answer for feedback", examples=["rerank-0123456789ab"])
    results: list[RerankResult]
    debug: RerankDebug


def response_of(found: RerankAnswer) -> RerankResponse:
    """Return the operation's answer as a response."""
    order = found.order
    return RerankResponse(
        run=found.run,
        results=[
            RerankResult(
                id=one.id,
                text=found.documents[one.id][0],
                metadata=dict(found.documents[one.id][1]),
                score=one.score,
                components=Components(dense=one.dense, narrative=one.narrative, pheromone=one.pheromone),
            )
            for one in order.places
        ],
        debug=RerankDebug.model_validate(order, from_attributes=True),
    )
