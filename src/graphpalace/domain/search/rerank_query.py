"""The request of a rerank: the documents or drawers, and how to order them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from graphpalace.domain.learning.feedback import DEFAULT_NAMESPACE
from graphpalace.domain.search.gate_rule import MOST_CANDIDATES, MOST_TEMPERATURE, GateMode

Id = Annotated[str, Field(min_length=1, max_length=1000)]
_CandidateCount = Annotated[int, Field(ge=1, le=MOST_CANDIDATES)]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document of the caller's own."""

    id: Annotated[Id, Field(description="what feedback calls it, within the namespace")]
    text: Annotated[str, Field(description="may be blank if an embedding is given")] = ""
    metadata: Annotated[Mapping[str, Any], Field(description="comes back as it is")] = field(default_factory=dict)
    embedding: Annotated[
        Sequence[float] | None, Field(description="vector of the palace's dimension; else it is made")
    ] = None
    drawer_id: Annotated[Id | None, Field(description="drawer whose narrative and pheromone count for it too")] = None


@dataclass(frozen=True, slots=True)
class RerankQuery:
    """What to rerank, and how. A field that is None takes the value of [rerank]."""

    query: Annotated[str, Field(max_length=20_000, description="words; may be empty if query_embedding is given")] = ""
    query_embedding: Annotated[
        Sequence[float] | None, Field(description="vector of the palace's dimension; else it is made")
    ] = None
    documents: Sequence[Candidate] | None = None
    drawer_ids: Annotated[Sequence[Id] | None, Field(description="drawers of the palace")] = None
    namespace: Annotated[
        Id, Field(description="within which documents are known by their ids; feedback teaches them there")
    ] = DEFAULT_NAMESPACE
    top_k: Annotated[int, Field(ge=1, description="at most [rerank] max_top_k")] = 10
    mmr_lambda: Annotated[
        float | None, Field(description="0: variety, 1: relevance; what is outside counts as the nearer end")
    ] = None
    gating_mode: GateMode | None = None
    gating_threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    gating_min_candidates: _CandidateCount | None = None
    gating_max_candidates: _CandidateCount | None = None
    gating_entropy_temp: Annotated[float, Field(gt=0, le=MOST_TEMPERATURE)] | None = None
    deterministic: Annotated[
        bool | None,
        Field(description="no exploration; pheromones count as at reference_time, or else as they were laid"),
    ] = None
    reference_time: Annotated[
        datetime | None, Field(description="the moment pheromones are taken at; default: now")
    ] = None
