"""The routes for runs. Source: seed 004, section 5."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Query, Response

from graphpalace.domain.search.run import Run
from graphpalace.fuse.snippets.budget import json_bytes
from graphpalace.operations.runs.fusion_runs import LaneRunChoice
from graphpalace.operations.runs.lane_runs import LaneAnswer, LaneQuestion
from graphpalace.operations.runs.run_snippets import RunPage, SnippetChoice
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router
from graphpalace.serve.http.runs import models

router = new_router()


@router.post("/runs/search_fulltext", response_model=models.LaneAnswer, tags=["runs"])
async def search_fulltext(body: models.FulltextRequest, app: Operations) -> LaneAnswer:
    """Search by words. The ranking is stored as a run, and the answer is its handle."""
    return await app.runs.lanes.search(named(app, body.palace), _question("fulltext", body))


@router.post("/runs/search_semantic", response_model=models.LaneAnswer, tags=["runs"])
async def search_semantic(body: models.SemanticRequest, app: Operations) -> LaneAnswer:
    """Search by meaning. The ranking is stored as a run, and the answer is its handle."""
    return await app.runs.lanes.search(named(app, body.palace), _question("semantic", body))


@router.post("/runs/multilane", response_model=models.MultilaneAnswer, tags=["runs"])
async def multilane(body: models.MultilaneRequest, app: Operations) -> dict[str, Any]:
    """Search several lanes concurrently, and store a run for each."""
    questions = [_question(lane.lane, lane) for lane in body.lanes]
    results = await app.runs.lanes.multilane(named(app, body.palace), questions, trace_id=body.trace_id)
    return {"trace_id": body.trace_id, "results": results}


@router.post("/runs/rrf_blend_frontier", response_model=models.BlendAnswer, tags=["runs"])
async def rrf_blend_frontier(body: models.BlendRequest, app: Operations) -> Response:
    """Fuse lane runs by reciprocal rank and wanted codes. With `peek`, the answer has a first page of documents."""
    palace = named(app, body.palace)
    inside = body.peek
    if inside:
        app.runs.snippets.check(_look(inside), limit=inside.count, budget_bytes=inside.budget_bytes)
    run, took_ms = await app.runs.fusions.blend(
        palace, [LaneRunChoice(one.run_id_lane, one.lane) for one in body.runs], body.chosen()
    )
    meta = {"top_k": run.frontier[-1].k if run.frontier else 0, "count_returned": len(run.ids), "took_ms": took_ms}
    answer: dict[str, Any] = {"run_id": run.id, "meta": meta}
    if inside:
        peeked = await app.runs.snippets.peek(
            palace, run.id, look=_look(inside), limit=inside.count, budget_bytes=inside.budget_bytes
        )
        answer["peek"] = _peeked(peeked)
    return _exact(answer)


@router.post("/runs/peek_snippets", response_model=models.PeekAnswer, tags=["runs"])
async def peek_snippets(body: models.PeekRequest, app: Operations) -> Response:
    """Show the documents of a run page by page, each page within a budget of bytes."""
    peeked = await app.runs.snippets.peek(
        named(app, body.palace),
        body.run_id,
        look=_look(body),
        offset=body.offset,
        limit=body.limit,
        budget_bytes=body.budget_bytes,
    )
    return _exact(_peeked(peeked))


@router.post("/runs/get_snippets", response_model=dict[str, dict[str, str]], tags=["runs"])
async def get_snippets(body: models.SnippetsRequest, app: Operations) -> Response:
    """Show documents: drawers by id, publications by number."""
    return _exact(await app.runs.snippets.get(named(app, body.palace), body.ids, look=_look(body), query=body.query))


@router.post("/runs/get_publication", response_model=dict[str, dict[str, str]], tags=["runs"])
async def get_publication(body: models.PublicationRequest, app: Operations) -> Response:
    """Show publications by an id of their patent office, with longer texts than snippets."""
    look = SnippetChoice(body.fields, {**body.per_field_chars})
    return _exact(
        await app.runs.snippets.publication(named(app, body.palace), body.ids, id_type=body.id_type, look=look)
    )


@router.post("/runs/mutate_run", response_model=models.MutateAnswer, tags=["runs"])
async def mutate_run(body: models.MutateRequest, app: Operations) -> dict[str, Any]:
    """Fuse the lane runs of a fusion again with some values changed. The original fusion stays as it is."""
    child: Run = await app.runs.fusions.mutate(named(app, body.palace), body.run_id, body.delta.chosen())
    return {"new_run_id": child.id, "frontier": [asdict(point) for point in child.frontier], "recipe": child.recipe}


@router.get("/runs/{run_id}/provenance", response_model=models.Provenance, tags=["runs"])
async def get_provenance(
    run_id: str,
    app: Operations,
    palace: PalaceName = None,
    verify: Annotated[bool, Query(description="compute the run again from its recipe, and compare")] = False,
) -> dict[str, Any]:
    """Show how a run was made: its recipe, lineage, frontier, contributions and codes."""
    return await app.runs.fusions.provenance(named(app, palace), run_id, verify=verify)


def _question(lane: str, body: models.FulltextRequest | models.LaneRequest) -> LaneQuestion:
    return LaneQuestion(
        lane=lane,
        q=body.q,
        query_embedding=getattr(body, "query_embedding", None),
        wing=body.wing,
        room=body.room,
        since=body.since,
        until=body.until,
        filters=body.filters,
        top_k=body.top_k,
        profile=getattr(body, "target_profile", None) or {},
        rollup=body.rollup.levels(),
        budget_bytes=body.budget_bytes,
    )


def _look(body: models.PeekRequest | models.PeekInside | models.SnippetsRequest) -> SnippetChoice:
    return SnippetChoice(body.fields, {**body.per_field_chars}, body.strategy)


def _peeked(peeked: RunPage) -> dict[str, Any]:
    return {
        "run_id": peeked.run_id,
        "snippets": [snippet.as_json() for snippet in peeked.page.snippets],
        "meta": {
            "used_bytes": peeked.page.used_bytes,
            "truncated": peeked.truncated,
            "shortened": peeked.page.shortened,
            "peek_cursor": peeked.cursor,
            "total_docs": peeked.total_docs,
            "retrieved": peeked.retrieved,
            "returned": len(peeked.page.snippets),
        },
    }


def _exact(answer: dict[str, Any]) -> Response:
    """Return JSON in exactly the form whose bytes were counted."""
    return Response(json_bytes(answer), media_type="application/json")
