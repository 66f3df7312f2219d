"""Requests and responses of the rerank; the names are those of seed 001."""

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
    """Refuse what Python reads as JSON, but nobody else does: it could not be sent back."""
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

    id: Id = Field(description="what feedback calls it, within the namespace")
    text: str = Field("", description="may be blank if an embedding is given")
    metadata: Annotated[dict[str, Any], AfterValidator(_plain)] = Field({}, description="comes back as it is")
    embedding: list[Real] | None = Field(None, description="vector of the palace's dimension; else it is made")
    drawer_id: Id | None = Field(None, description="drawer whose narrative and pheromone count for it too")


class RerankRequest(RequestBody):
    """What is put into order, and how; what is not given is as in [rerank]."""

    model_config = with_example(
        {
            "query": "how is bread made",
            "documents": [{"id": "a", "text": "knead the dough"}, {"id": "b", "text": "prune the roses"}],
            "top_k": 1,
        }
    )

    query: str = Field("", max_length=20_000, description="words; may be empty if query_embedding is given")
    documents: list[RerankDocument] | None = Field(None, description="either these, or drawer_ids")
    drawer_ids: list[Id] | None = Field(None, description="drawers of the palace")
    namespace: Annotated[str, Field(min_length=1, max_length=1000)] = Field(
        DEFAULT_NAMESPACE, description="within which documents are known by their ids; feedback teaches them there"
    )
    query_embedding: list[Real] | None = Field(None, description="vector of the palace's dimension; else it is made")
    top_k: Whole = Field(10, ge=1, description="at most [rerank] max_top_k")
    mmr_lambda: Real | None = Field(
        None, description="0: variety, 1: relevance; what is outside counts as the nearer end"
    )
    gating_mode: Literal["off", "auto", "on"] | None = None
    gating_threshold: Ratio | None = None
    gating_min_candidates: Annotated[Whole, Field(ge=1, le=MOST_CANDIDATES)] | None = None
    gating_max_candidates: Annotated[Whole, Field(ge=1, le=MOST_CANDIDATES)] | None = None
    gating_entropy_temp: Annotated[Real, Field(gt=0, le=MOST_TEMPERATURE)] | None = None
    deterministic: bool | None = Field(
        None, description="no exploration; pheromones count as at reference_time, or else as they were laid"
    )
    reference_time: Moment | None = Field(None, description="the moment pheromones are taken at; default: now")
    palace: PalaceField = None

    def question(self) -> RerankQuery:
        """Return what the operation is asked."""
        documents = self.documents
        return RerankQuery(
            documents=None if documents is None else [Candidate(**dict(document)) for document in documents],
            **{name: value for name, value in self if name not in ("documents", "palace")},
        )


class Components(BaseModel):
    """The signals that a score is made of; score = the sum of each times its weight."""

    dense: float = Field(description="cosine of document and question, -1 to 1")
    narrative: float = Field(description="closeness to questions that the drawer answered, 0 to 1")
    pheromone: float = Field(description="use of the drawer, as far as it has not faded, 0 to 1")


class RerankResult(BaseModel):
    """One place of the order."""

    id: str
    text: str
    metadata: dict[str, Any]
    score: float
    components: Components


class GateReason(BaseModel):
    """One thing that the gate found."""

    code: Literal["mode_off", "few_candidates", "certain", "uncertain", "below_threshold"]
    message: str


class Gating(BaseModel):
    """What the gate decided, and why."""

    mode: Literal["off", "auto", "on"]
    uncertainty: float = Field(description="0: one clear match, 1: all alike")
    use_gating: bool
    candidate_count: int = Field(description="how many the rule lets pass")
    effective_candidate_count: int = Field(description="how many passed")
    total_candidates: int
    reasons: list[GateReason]


class Weights(BaseModel):
    """What each signal counts."""

    dense: float
    narrative: float
    pheromone: float


class Explored(BaseModel):
    """A document that exploration moved up by one; ranks count from 1, before MMR."""

    id: str
    from_rank: int
    to_rank: int


class RerankDebug(BaseModel):
    """How the order came about."""

    gating: Gating
    deterministic: bool
    epsilon_used: float
    mmr_lambda_used: float
    weights: Weights
    explored: list[Explored]


class RerankResponse(BaseModel):
    """The best documents, best first."""

    run: str = Field(description="what feedback calls this answer", examples=["rerank-0123456789ab"])
    results: list[RerankResult]
    debug: RerankDebug


def response_of(found: RerankAnswer) -> RerankResponse:
    """Return what the operation answered."""
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
