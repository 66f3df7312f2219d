"""Requests and answers of the routes that export and import palaces."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from graphpalace.domain.transfer.answers import ImportFinished, ImportPlan, TransferProgress
from graphpalace.domain.transfer.manifest import ExportedPalace
from graphpalace.serve.http.request_body import PalaceField, RequestBody, fields_of, with_example

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
        exported: What the manifest says of the palace; only in the last line, and only if the export is complete.
    """

    file: str | None = None
    rows: list[dict[str, Any]] | None = None
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
    file: Annotated[str, Field(description="without .jsonl")]
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
