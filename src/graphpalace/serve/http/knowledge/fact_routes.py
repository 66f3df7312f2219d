"""The routes for facts."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, Field

from graphpalace.domain.knowledge.contradictions import FoundContradictions
from graphpalace.domain.knowledge.facts import (
    MOST_DEPTH,
    MOST_FACTS,
    AddedFact,
    FactQuery,
    FactStats,
    FactTraversal,
    FoundFacts,
    InvalidatedFacts,
    Invalidation,
    NewFact,
    SupersededFacts,
    Supersession,
)
from graphpalace.domain.knowledge.proposals import MOST_PROPOSED, ProposalReport
from graphpalace.serve.http.progress_response import LinesResponse, ProgressResponse, progress_lines
from graphpalace.serve.http.request_body import PalaceField, RequestBody, fields_of, value_of, with_example
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router

router = new_router()

Name = Annotated[str, Query(description="a name", examples=["Ada Lovelace"])]
SomeName = Annotated[str | None, Query(description="a name", examples=["Ada Lovelace"])]
Predicate = Annotated[str | None, Query(description="only facts with this predicate", examples=["works_at"])]
AsOf = Annotated[
    str | None, Query(description="facts that hold in the world at this time; default: now", examples=["2019-05-31"])
]
KnownAt = Annotated[
    str | None, Query(description="facts that the palace knew at this time; default: now", examples=["2019-05-31"])
]
Limit = Annotated[int, Query(ge=1, le=MOST_FACTS, description="largest number of facts")]


class NewFactRequest(fields_of(NewFact)):
    """A fact that somebody states."""

    model_config = with_example(
        {"subject": "Ada Lovelace", "predicate": "works_at", "object": "Acme", "valid_from": "2019"}
    )

    palace: PalaceField = None


class SupersessionRequest(fields_of(Supersession)):
    """A fact that takes the place of another one."""

    model_config = with_example(
        {"subject": "Ada Lovelace", "predicate": "works_at", "object": "Initech", "at": "2023-04"}
    )

    palace: PalaceField = None


class InvalidationRequest(fields_of(Invalidation)):
    """Facts to be unlearned: one by its id, or all with a subject, a predicate and an object."""

    model_config = with_example({"subject": "Ada Lovelace", "predicate": "works_at", "object": "Acme"})

    palace: PalaceField = None


@router.post("/facts", tags=["knowledge"])
async def add_fact(body: NewFactRequest, app: Operations) -> AddedFact:
    """Add a fact. If the palace knows it already, only its drawers and its confidence grow."""
    return await app.facts.add(named(app, body.palace), value_of(body, NewFact))


@router.post("/facts/supersede", tags=["knowledge"])
async def supersede_fact(body: SupersessionRequest, app: Operations) -> SupersededFacts:
    """Let a fact take the place of what holds at a moment. Both can still be asked for."""
    return await app.facts.supersede(named(app, body.palace), value_of(body, Supersession))


@router.post("/facts/invalidate", tags=["knowledge"])
async def invalidate_facts(body: InvalidationRequest, app: Operations) -> InvalidatedFacts:
    """Unlearn facts, or learn that they did hold until a time."""
    return await app.facts.invalidate(named(app, body.palace), value_of(body, Invalidation))


class ProposalRequest(RequestBody):
    """Which drawers an extractor is to read."""

    model_config = with_example({"wing": "people", "most": 100})

    wing: Annotated[str | None, Field(description="only drawers of this wing")] = None
    room: Annotated[str | None, Field(description="only drawers of rooms of this name")] = None
    most: Annotated[int | None, Field(ge=1, le=MOST_PROPOSED, description="largest number of drawers")] = None
    palace: PalaceField = None


class ProposalLine(BaseModel):
    """One line of the answer: what was proposed so far. `done` is true in the last line."""

    done: bool
    report: ProposalReport


@router.post(
    "/facts/propose",
    tags=["knowledge"],
    response_class=LinesResponse,
    responses=progress_lines(ProposalLine, last="report"),
)
async def propose_facts(body: ProposalRequest, app: Operations) -> ProgressResponse:
    """Let the configured extractor propose facts for drawers that it has not read, and report the progress.

    A client that leaves stops it; what is already stored is kept, and the same request reads the rest.
    """
    palace = named(app, body.palace)
    await app.proposals.check(palace, wing=body.wing, room=body.room)
    return ProgressResponse.of(
        lambda progress: app.proposals.propose(
            palace, wing=body.wing, room=body.room, most=body.most, progress=progress
        ),
        line=lambda report: {"done": False, "report": asdict(report)},
        last=lambda report: {"done": True, "report": asdict(report)},
    )


@router.get("/facts", tags=["knowledge"])
async def query_facts(
    app: Operations,
    palace: PalaceName = None,
    subject: SomeName = None,
    predicate: Predicate = None,
    object: SomeName = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    limit: Limit = 100,
) -> FoundFacts:
    """Return the facts that meet everything that is given, sorted by subject, predicate and time."""
    asked = FactQuery(subject, predicate, object, as_of, known_at, limit)
    return await app.fact_reading.query(named(app, palace), asked)


@router.get("/facts/timeline", tags=["knowledge"])
async def fact_timeline(
    app: Operations,
    name: Name,
    palace: PalaceName = None,
    predicate: Predicate = None,
    known_at: KnownAt = None,
    unlearned: Annotated[bool, Query(description="also versions that the palace has unlearned")] = False,
    limit: Limit = 100,
) -> FoundFacts:
    """Return the facts on a name from all times, in the order in which they begin to hold."""
    return await app.fact_reading.timeline(
        named(app, palace), name, predicate=predicate, known_at=known_at, unlearned=unlearned, limit=limit
    )


@router.get("/facts/traverse", tags=["knowledge"])
async def traverse_facts(
    app: Operations,
    start: Name,
    palace: PalaceName = None,
    depth: Annotated[int, Query(ge=1, le=MOST_DEPTH, description="largest number of facts from the start")] = 2,
    predicate: Predicate = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    limit: Limit = 100,
) -> FactTraversal:
    """Return the facts that connect other names with a name, in either direction, the nearest first."""
    return await app.fact_reading.traverse(
        named(app, palace), start, depth=depth, predicate=predicate, as_of=as_of, known_at=known_at, limit=limit
    )


@router.get("/facts/contradictions", tags=["knowledge"])
async def fact_contradictions(
    app: Operations,
    palace: PalaceName = None,
    subject: SomeName = None,
    predicate: Predicate = None,
    limit: Limit = 100,
) -> FoundContradictions:
    """Return pairs of facts that cannot both be true: two objects where there is one, or a fact and its inverse."""
    return await app.fact_reading.contradictions(named(app, palace), subject=subject, predicate=predicate, limit=limit)


@router.get("/facts/stats", tags=["knowledge"])
async def fact_stats(app: Operations, palace: PalaceName = None) -> FactStats:
    """Count the facts of a palace."""
    return await app.fact_reading.stats(named(app, palace))
