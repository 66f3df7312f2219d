"""The routes that store files of the service's machine, and delete what no longer exists."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import Request

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.drawer import Deleted
from graphpalace.domain.drawers.ingest import IngestPlan, IngestReport, SeenSources
from graphpalace.domain.drawers.ingest_requests import PlanRequest, PruneRequest
from graphpalace.domain.identity import place_name
from graphpalace.domain.knowledge.names import NameReading
from graphpalace.offers import ingest as ingests
from graphpalace.operations.drawers.source_files import readable_paths
from graphpalace.serve.http.access.own_parts import own_deleted
from graphpalace.serve.http.access.owner_files import folders_for
from graphpalace.serve.http.drawers.ingest_models import DocumentsRequest, IngestLine, IngestRequest
from graphpalace.serve.http.offered import add_route
from graphpalace.serve.http.progress_response import LinesResponse, ProgressResponse, progress_lines
from graphpalace.serve.http.request_body import value_of
from graphpalace.serve.http.router import Operations, named, new_router

router = new_router()
_add = partial(add_route, router, tag="drawers")


@router.post(
    "/ingest",
    tags=["drawers"],
    response_class=LinesResponse,
    responses=progress_lines(IngestLine, last="report"),
)
async def ingest(body: IngestRequest, app: Operations, request: Request) -> ProgressResponse:
    """Store files and folders of the service's machine, and report the progress line by line.

    A client that leaves stops the ingest; what is already stored is kept, and the same request stores the rest.
    """
    palace, wing = named(app, body.palace), place_name("wing", body.wing)
    await app.palace_state(palace)
    folders = folders_for(request, body.proof, request.app.state.ingest_folders)
    paths = await asyncio.to_thread(readable_paths, body.paths, folders)
    others = body.uris or {}
    uris = dict(zip(await asyncio.to_thread(readable_paths, list(others), folders), others.values(), strict=True))

    return _progress(
        app,
        palace,
        lambda progress: app.ingesting.files(
            paths,
            palace=palace,
            wing=wing,
            wing_type=body.wing_type,
            rooms=body.rooms,
            max_files=body.max_files,
            windows=body.windows,
            uris=uris,
            again=body.again,
            within=None if folders is None else [Path(folder) for folder in folders],
            progress=progress,
        ),
        read_names=body.read_names,
    )


@router.post(
    "/ingest/documents",
    tags=["drawers"],
    response_class=LinesResponse,
    responses=progress_lines(IngestLine, last="report"),
)
async def ingest_documents(body: DocumentsRequest, app: Operations) -> ProgressResponse:
    """Store documents that the client has read from its own files, and report what was done.

    A client that leaves stops it; what is already stored is kept, and the same request stores the rest.
    """
    palace, wing = named(app, body.palace), place_name("wing", body.wing)
    await app.palace_state(palace)
    documents = [document.value() for document in body.documents]

    return _progress(
        app,
        palace,
        lambda progress: app.ingesting.documents(
            documents,
            value_of(body.seen, SeenSources),
            palace=palace,
            wing=wing,
            wing_type=body.wing_type,
            rooms=body.rooms,
            last=body.last,
            progress=progress,
        ),
        read_names=body.read_names,
    )


async def _plan(app: GraphPalace, palace: str, asked: PlanRequest) -> IngestPlan:
    wing = place_name("wing", asked.wing)
    await app.palace_state(palace)
    return await app.ingesting.plan(palace, wing, rooms=asked.rooms, max_files=asked.max_files, windows=asked.windows)


async def _prune(app: GraphPalace, palace: str, asked: PruneRequest) -> Deleted:
    return own_deleted(palace, await app.drawers.prune(palace, asked.wing, asked.sources))


_add(ingests.PLAN_INGEST, _plan)
_add(ingests.PRUNE, _prune)


def _progress(
    app: GraphPalace,
    palace: str,
    ingest: Callable[[Callable[[IngestReport], None]], Awaitable[IngestReport]],
    *,
    read_names: bool,
) -> ProgressResponse:
    """Return the answer that follows an ingest, and then the reading of names, if it is asked for."""
    so_far = IngestReport()

    async def work(progress: Callable[[IngestReport | NameReading], None]) -> IngestReport:
        report = await ingest(progress)
        if read_names:
            await app.knowledge.names.finish(palace, progress=progress)
        return report

    def line(now: IngestReport | NameReading) -> dict[str, Any]:
        nonlocal so_far
        if isinstance(now, NameReading):
            return _line(so_far) | {"names": asdict(now)}
        so_far = replace(now, unreadable=[], gone=[])
        return _line(so_far)

    return ProgressResponse.of(work, line=line, last=lambda report: _line(report, done=True))


def _line(report: IngestReport, *, done: bool = False) -> dict[str, Any]:
    return {"done": done, "report": report.as_json()}
