"""The routes that store files of the service's machine, and delete what no longer exists."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from fastapi import Request
from fastapi.responses import StreamingResponse

from graphpalace.domain.identity import place_name
from graphpalace.domain.ingest_report import IngestReport
from graphpalace.domain.receipts import Deleted
from graphpalace.operations.drawers.readable_paths import readable_paths
from graphpalace.serve.http.ingest.models import IngestLine, IngestRequest, PruneRequest
from graphpalace.serve.http.ingest.progress_response import ProgressResponse
from graphpalace.serve.http.router import Operations, named, new_router

router = new_router()


@router.post(
    "/ingest",
    tags=["drawers"],
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "lines of JSON: the progress, and at the end the report; a failure in between is a line"
            " with `error`",
            "content": {"application/x-ndjson": {"schema": IngestLine.model_json_schema()}},
        }
    },
)
async def ingest(body: IngestRequest, app: Operations, request: Request) -> ProgressResponse:
    """Store files and folders of the service's machine, and report the progress line by line.

    A client that leaves stops the ingest; what is already stored is kept, and the same request stores the rest.
    """
    palace, wing = named(app, body.palace), place_name("wing", body.wing)
    await app.palace_state(palace)
    paths = await asyncio.to_thread(readable_paths, body.paths, request.app.state.ingest_folders)
    reported: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()

    def progress(report: IngestReport) -> None:
        reported.put_nowait(_line(replace(report, unreadable=[], gone=[])))

    async def run() -> Mapping[str, Any]:
        report = await app.ingest(
            paths,
            palace=palace,
            wing=wing,
            wing_type=body.wing_type,
            rooms=body.rooms,
            max_files=body.max_files,
            windows=body.windows,
            progress=progress,
        )
        return _line(report, done=True)

    return ProgressResponse(asyncio.create_task(run()), reported)


@router.post("/prune", tags=["drawers"])
async def prune(body: PruneRequest, app: Operations) -> Deleted:
    """Delete the drawers of sources of a wing, such as those that an ingest reports as `gone`."""
    return await app.drawers.prune(named(app, body.palace), body.wing, body.sources)


def _line(report: IngestReport, *, done: bool = False) -> dict[str, Any]:
    return {"done": done, "report": asdict(report)}
