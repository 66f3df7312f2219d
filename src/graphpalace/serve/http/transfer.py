"""The routes that export a palace as lines of JSON, and import it batch by batch."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated, Any

import structlog
from pydantic import BaseModel, Field

from graphpalace.app import GraphPalace
from graphpalace.domain.transfer.answers import ImportedRows, ImportFinished, ImportPlan, TransferProgress
from graphpalace.domain.transfer.kinds import KINDS
from graphpalace.domain.transfer.manifest import ExportedPalace
from graphpalace.errors import GraphPalaceError
from graphpalace.serve.http.errors import error_body
from graphpalace.serve.http.progress_response import LinesResponse, ProgressResponse, progress_lines
from graphpalace.serve.http.request_body import PalaceField, RequestBody, fields_of, value_of, with_example
from graphpalace.serve.http.router import Operations, named, new_router
from graphpalace.store.transfer.reading import PalaceAtATime

MOST_ROWS = 5000

_EXPORTED = {
    "palace": "notes", "version": "0.1.0", "schema_version": "0017", "exported_at": "2026-05-31T12:00:00Z",
    "model": "bundled", "dimension": 256, "analyzer": "english", "cycle": 24, "cycle_seconds": 3600.0,
    "vectors": True, "runs": False, "changed_meanwhile": False,
}  # fmt: skip
_PLAN = {
    "palace": "example_palace", "import_id": "0" * 32, "fresh": True, "shift_cycles": 0, "send_vectors": True,
    "send_similar": True,
}  # fmt: skip


class ExportRequest(RequestBody):
    """What to export of a palace."""

    model_config = with_example({})

    runs: Annotated[bool, Field(description="also searches and runs")] = False
    vectors: Annotated[bool, Field(description="also vectors; without them, an import computes them again")] = True
    palace: PalaceField = None


class ExportLine(BaseModel):
    """One line of an export.

    Attributes:
        file: The file that the rows belong to.
        rows: Some rows of it.
        again: Whether the rows of this file that came so far are void, as they come again from the beginning.
        exported: What the manifest says of the palace; only in the last line, and only if the export is complete.
    """

    file: str | None = None
    rows: list[dict[str, Any]] | None = None
    again: bool = False
    exported: ExportedPalace | None = None


class ExportedFields(fields_of(ExportedPalace)):
    """What the manifest says of the exported palace."""


class PlanFields(fields_of(ImportPlan)):
    """How rows are sent, as the first answer said."""


class ImportRequest(RequestBody):
    """An export that is to be imported. The palace is created if it is missing."""

    model_config = with_example({"exported": _EXPORTED, "import_id": "0" * 32})

    exported: ExportedFields
    import_id: Annotated[
        str, Field(min_length=1, max_length=64, description="the same for each attempt to import this export")
    ]
    vectors: Annotated[bool, Field(description="whether to use its vectors")] = True
    palace: PalaceField = None


class RowsRequest(RequestBody):
    """Rows of a file of the export."""

    model_config = with_example({"plan": _PLAN, "file": "lanes", "rows": []})

    plan: PlanFields
    file: Annotated[str, Field(description="without .jsonl", json_schema_extra={"enum": list(KINDS)})]
    rows: Annotated[list[dict[str, Any]], Field(max_length=MOST_ROWS)]
    palace: PalaceField = None


class FinishRequest(RequestBody):
    """The end of an import."""

    model_config = with_example({"plan": _PLAN})

    plan: PlanFields
    changed_meanwhile: Annotated[bool, Field(description="as the manifest says")] = False
    palace: PalaceField = None


class FinishLine(BaseModel):
    """One line of the answer to the end of an import.

    Attributes:
        progress: How far it is; missing in the last line.
        result: What it did; only in the last line.
    """

    progress: TransferProgress | None = None
    result: ImportFinished | None = None


_LOG = structlog.get_logger("graphpalace.http")

router = new_router(keyed=False)  # what they write is written once, however often it is sent


@router.post(
    "/export",
    tags=["palace"],
    response_class=LinesResponse,
    responses=progress_lines(ExportLine, last="manifest"),
)
async def export_palace(body: ExportRequest, app: Operations) -> LinesResponse:
    """Export everything in a palace: lines with the rows of each file, and at the end the content of the manifest."""
    palace = named(app, body.palace)
    begun = await app.transfer.exporting.begin(palace)
    lines = _lines(app, palace, begun, runs=body.runs, vectors=body.vectors)
    return LinesResponse(lines)


@router.post("/import/begin", tags=["palace"])
async def begin_import(body: ImportRequest, app: Operations) -> ImportPlan:
    """Begin or repeat an import: create the palace if it is missing, and answer how rows must be sent."""
    exported = value_of(body.exported, ExportedPalace)
    return await app.transfer.importing.begin(named(app, body.palace), exported, body.import_id, vectors=body.vectors)


@router.post("/import/rows", tags=["palace"])
async def import_rows(body: RowsRequest, app: Operations) -> ImportedRows:
    """Write rows of one file, in the order of the files. Rows that are there already stay as they are."""
    plan = value_of(body.plan, ImportPlan)
    return await app.transfer.importing.rows(named(app, body.palace), plan, body.file, body.rows)


@router.post(
    "/import/finish",
    tags=["palace"],
    response_class=LinesResponse,
    responses=progress_lines(FinishLine, last="result"),
)
async def finish_import(body: FinishRequest, app: Operations) -> ProgressResponse:
    """Link what was imported with what was there, and make all services read the palace again."""
    palace, plan = named(app, body.palace), value_of(body.plan, ImportPlan)
    await app.palace_state(palace)
    return ProgressResponse.of(
        lambda progress: app.transfer.importing.finish(
            palace, plan, changed_meanwhile=body.changed_meanwhile, progress=progress
        ),
        line=lambda progress: {"progress": asdict(progress)},
        last=lambda result: {"result": asdict(result)},
    )


async def _lines(
    app: GraphPalace, palace: str, begun: PalaceAtATime, *, runs: bool, vectors: bool
) -> AsyncIterator[bytes]:
    try:
        async for found in app.transfer.exporting.rows(palace, begun, runs=runs, vectors=vectors):
            if isinstance(found, ExportedPalace):
                yield _line({"exported": asdict(found)})
            else:
                file, rows = found
                yield _line({"file": file, "rows": rows or []} | ({"again": True} if rows is None else {}))
    except GraphPalaceError as error:
        yield _line(error_body(error.code, error.message, error.detail or None))
    except Exception:
        _LOG.exception("unexpected_error")
        yield _line(error_body("INTERNAL_ERROR", "an unexpected error happened; the service's log has more"))


def _line(value: object) -> bytes:
    # In ASCII, because some readers of lines take other characters for the end of a line too.
    return json.dumps(value).encode() + b"\n"
