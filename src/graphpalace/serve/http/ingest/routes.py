"""The routes that store files of the service's machine, and delete what no longer exists."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import Request

from graphpalace.domain.identity import place_name
from graphpalace.domain.ingest_report import IngestReport
from graphpalace.domain.receipts import Deleted
from graphpalace.operations.drawers.readable_paths import readable_paths
from graphpalace.serve.http.access.own_parts import own_deleted
from graphpalace.serve.http.ingest.models import IngestLine, IngestRequest, PruneRequest
from graphpalace.serve.http.progress_response import LinesResponse, ProgressResponse, progress_lines
from graphpalace.serve.http.router import Operations, named, new_router

router = new_router()


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
    folders = request.app.state.ingest_folders
    paths = await asyncio.to_thread(readable_paths, body.paths, folders)
    return ProgressResponse.of(
        lambda progress: app.ingest(
            paths,
            palace=palace,
            wing=wing,
            wing_type=body.wing_type,
            rooms=body.rooms,
            max_files=body.max_files,
            windows=body.windows,
            again=body.again,
            within=None if folders is None else [Path(folder) for folder in folders],
            progress=progress,
        ),
        line=lambda report: _line(replace(report, unreadable=[], gone=[])),
        last=partial(_line, done=True),
    )


@router.post("/prune", tags=["drawers"])
async def prune(body: PruneRequest, app: Operations) -> Deleted:
    """Delete the drawers of sources of a wing, such as those that an ingest reports as `gone`."""
    palace = named(app, body.palace)
    return own_deleted(palace, await app.drawers.prune(palace, body.wing, body.sources))


def _line(report: IngestReport, *, done: bool = False) -> dict[str, Any]:
    return {"done": done, "report": report.as_json()}
