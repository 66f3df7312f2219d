"""The routes for runs. Source: seed 004, section 5."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Query, Response

from graphpalace.domain.runs.run_answers import (
    BlendAnswer,
    LaneAnswer,
    MultilaneAnswer,
    MutateAnswer,
    PeekAnswer,
    Provenance,
)
from graphpalace.domain.runs.run_requests import LaneRunChoice, SnippetChoice
from graphpalace.fuse.snippets import json_bytes
from graphpalace.serve.http.request_body import value_of
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router
from graphpalace.serve.http.runs import models
from graphpalace.serve.render import as_json

router = new_router(keyed=False)


@router.post("/runs/search_fulltext", tags=["runs"])
async def search_fulltext(body: models.FulltextRequest, app: Operations) -> LaneAnswer:
    """Search by words. The ranking is stored as a run, and the answer is its handle."""
    return await app.runs.lanes.search(named(app, body.palace), body.question())


@router.post("/runs/search_semantic", tags=["runs"])
async def search_semantic(body: models.SemanticRequest, app: Operations) -> LaneAnswer:
    """Search by meaning. The ranking is stored as a run, and the answer is its handle."""
    return await app.runs.lanes.search(named(app, body.palace), body.question())


@router.post("/runs/multilane", tags=["runs"])
async def multilane(body: models.MultilaneRequest, app: Operations) -> MultilaneAnswer:
    """Search several lanes concurrently, and store a run for each."""
    questions = [lane.question() for lane in body.lanes]
    results = await app.runs.lanes.multilane(named(app, body.palace), questions, trace_id=body.trace_id)
    return MultilaneAnswer(body.trace_id, results)


@router.post("/runs/rrf_blend_frontier", response_model=BlendAnswer, tags=["runs"])
async def rrf_blend_frontier(body: models.BlendRequest, app: Operations) -> Response:
    """Fuse lane runs by reciprocal rank and wanted codes. With `peek`, the answer has a first page of documents."""
    palace = named(app, body.palace)
    inside = body.peek
    look = SnippetChoice() if inside is None else value_of(inside, SnippetChoice)
    if inside:
        app.runs.snippets.check(look, limit=inside.count, budget_bytes=inside.budget_bytes)
    run, took_ms = await app.runs.fusions.blend(
        palace, [value_of(one, LaneRunChoice) for one in body.runs], body.chosen()
    )
    if inside is None:
        answer = as_json(BlendAnswer.of(run, took_ms=took_ms))
        del answer["peek"]
        return _exact(answer)
    peeked = await app.runs.snippets.peek(
        palace, run.id, look=look, limit=inside.count, budget_bytes=inside.budget_bytes
    )
    return _exact(as_json(BlendAnswer.of(run, took_ms=took_ms, peek=peeked.answer())))


@router.post("/runs/peek_snippets", response_model=PeekAnswer, tags=["runs"])
async def peek_snippets(body: models.PeekRequest, app: Operations) -> Response:
    """Show the documents of a run page by page, each page within a budget of bytes."""
    peeked = await app.runs.snippets.peek(
        named(app, body.palace),
        body.run_id,
        look=value_of(body, SnippetChoice),
        offset=body.offset,
        limit=body.limit,
        budget_bytes=body.budget_bytes,
    )
    return _exact(as_json(peeked.answer()))


@router.post("/runs/get_snippets", response_model=dict[str, dict[str, str]], tags=["runs"])
async def get_snippets(body: models.SnippetsRequest, app: Operations) -> Response:
    """Show documents: drawers by id, publications by number."""
    return _exact(
        await app.runs.snippets.get(
            named(app, body.palace), body.ids, look=value_of(body, SnippetChoice), query=body.query
        )
    )


@router.post("/runs/get_publication", response_model=dict[str, dict[str, str]], tags=["runs"])
async def get_publication(body: models.PublicationRequest, app: Operations) -> Response:
    """Show publications by an id of their patent office, with longer texts than snippets."""
    look = value_of(body, SnippetChoice)
    return _exact(
        await app.runs.snippets.publication(named(app, body.palace), body.ids, id_type=body.id_type, look=look)
    )


@router.post("/runs/mutate_run", tags=["runs"])
async def mutate_run(body: models.MutateRequest, app: Operations) -> MutateAnswer:
    """Fuse the lane runs of a fusion again with some values changed. The original fusion stays as it is."""
    return MutateAnswer.of(await app.runs.fusions.mutate(named(app, body.palace), body.run_id, body.delta.chosen()))


@router.get("/runs/{run_id}/provenance", tags=["runs"])
async def get_provenance(
    run_id: str,
    app: Operations,
    palace: PalaceName = None,
    verify: Annotated[bool, Query(description="compute the run again from its recipe, and compare")] = False,
) -> Provenance:
    """Show how a run was made: its recipe, lineage, frontier, contributions and codes."""
    return await app.runs.fusions.provenance(named(app, palace), run_id, verify=verify)


def _exact(answer: Mapping[str, Any]) -> Response:
    """Return JSON in exactly the form whose bytes were counted."""
    return Response(json_bytes(answer), media_type="application/json")
