"""The routes for runs. Source: seed 004, section 5."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import Response
from pydantic import model_validator

from graphpalace.app import GraphPalace
from graphpalace.domain.runs import run_requests
from graphpalace.domain.runs.run import BlendAnswer, MultilaneAnswer, MutateAnswer, PeekAnswer
from graphpalace.domain.runs.run_requests import FusionChange, MultilaneSearch, PeekRequest
from graphpalace.fuse.snippets import json_bytes
from graphpalace.offers import runs
from graphpalace.serve.http.offered import add_route
from graphpalace.serve.http.request_body import PalaceField, fields_of, value_of
from graphpalace.serve.http.router import Operations, named, new_router
from graphpalace.serve.render import as_json

router = new_router(keyed=False)
_add = partial(add_route, router, tag="runs")


class FusionRequest(fields_of(run_requests.FusionRequest)):
    """Lane runs, and how to fuse them. The body may be wrapped as {"request": ...}."""

    palace: PalaceField = None

    @model_validator(mode="before")
    @classmethod
    def _unwrapped(cls, given: Any) -> Any:
        return given["request"] if isinstance(given, dict) and given.keys() == {"request"} else given


async def _multilane(app: GraphPalace, palace: str, asked: MultilaneSearch) -> MultilaneAnswer:
    questions = [lane.question() for lane in asked.lanes]
    results = await app.runs.lanes.multilane(palace, questions, trace_id=asked.trace_id)
    return MultilaneAnswer(asked.trace_id, results)


async def _peek(app: GraphPalace, palace: str, asked: PeekRequest) -> PeekAnswer:
    page = await app.runs.snippets.peek(
        palace,
        asked.run_id,
        look=asked.look(),
        offset=asked.start,
        limit=asked.limit,
        budget_bytes=asked.budget_bytes,
    )
    return page.answer()


async def _mutate(app: GraphPalace, palace: str, asked: FusionChange) -> MutateAnswer:
    return MutateAnswer.of(await app.runs.fusions.mutate(palace, asked.run_id, asked.delta.given()))


_add(runs.FULLTEXT, lambda app, palace, asked: app.runs.lanes.search(palace, asked.question()))
_add(runs.SEMANTIC, lambda app, palace, asked: app.runs.lanes.search(palace, asked.question()))
_add(runs.MULTILANE, _multilane)


@router.post("/runs/rrf_blend_frontier", response_model=BlendAnswer, tags=["runs"])
async def rrf_blend_frontier(body: FusionRequest, app: Operations) -> Response:
    """Fuse lane runs by reciprocal rank and wanted codes. With `peek`, the answer has a first page of documents."""
    palace, asked = named(app, body.palace), value_of(body, run_requests.FusionRequest)
    inside = asked.peek
    if inside is not None:
        app.runs.snippets.check(inside.look(), limit=inside.count, budget_bytes=inside.budget_bytes)
    run, took_ms = await app.runs.fusions.blend(palace, asked.runs, asked.given())
    if inside is None:
        answer = as_json(BlendAnswer.of(run, took_ms=took_ms))
        del answer["peek"]
        return _exact(answer)
    peeked = await app.runs.snippets.peek(
        palace, run.id, look=inside.look(), limit=inside.count, budget_bytes=inside.budget_bytes
    )
    return _exact(as_json(BlendAnswer.of(run, took_ms=took_ms, peek=peeked.answer())))


_add(runs.PEEK, _peek)
_add(
    runs.SNIPPETS,
    lambda app, palace, asked: app.runs.snippets.get(palace, asked.ids, look=asked.look(), query=asked.query),
)
_add(
    runs.PUBLICATION,
    lambda app, palace, asked: app.runs.snippets.publication(
        palace, asked.ids, id_type=asked.id_type, look=asked.look()
    ),
)
_add(runs.MUTATE, _mutate)
_add(
    runs.PROVENANCE,
    lambda app, palace, asked: app.runs.fusions.provenance(palace, asked.run_id, verify=asked.verify),
)


def _exact(answer: dict[str, Any]) -> Response:
    """Return JSON in exactly the form whose bytes were counted."""
    return Response(json_bytes(answer), media_type="application/json")
