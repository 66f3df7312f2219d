"""Store runs as (:Run) nodes: rankings as arrays, nested values as JSON, and DERIVED_FROM edges to their sources."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from graphpalace.domain.runs.run import DocumentPart, DrawerColumns, FrontierPoint, Metrics, Run, ShownDocument
from graphpalace.store.connection.database import Database, Row

_DELETED_AT_ONCE = 50  # expired runs that one write deletes; few, so that the write stays fast


class StoredRuns:
    """Stores runs, and reads their documents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, palace: str, run: Run) -> bool:
        """Store a run, and delete some expired ones; return False if its id is taken or the palace was dropped."""
        rows = await self._database.write(
            palace,
            "runs/create_run",
            id=run.id,
            properties=_properties(run),
            ids=list(run.ids),
            scores=list(run.scores),
            parent=run.parent,
            sources=list(run.sources),
        )
        await self._database.write(palace, "runs/delete_expired", now=run.created_at, most=_DELETED_AT_ONCE)
        return bool(rows)

    async def get(self, palace: str, run_id: str) -> Run | None:
        """Return a run, expired or not, or None if it is not in the palace."""
        rows = await self._database.read(palace, "runs/get_run", id=run_id)
        return _run(palace, run_id, rows[0]) if rows else None

    async def members(self, palace: str, ids: Sequence[str]) -> DrawerColumns:
        """Return the columns of drawers that a fusion needs. Drawers that no longer exist are left out."""
        rows = await self._database.read(palace, "runs/read_members", ids=list(ids))
        known = {
            drawer: (row["document"] or drawer, row["closet"], row["family"], tuple(row["codes"]))
            for row in rows
            for drawer in row["drawers"]
        }
        there = [one for one in ids if one in known]
        documents, closets, families, codes = zip(*(known[one] for one in there), strict=True) if there else ((),) * 4
        return DrawerColumns(tuple(there), documents, closets, families, codes)

    async def documents(self, palace: str, ids: Sequence[str], *, parts: Sequence[str]) -> dict[str, ShownDocument]:
        """Return drawers with their closets, by id. Drawers that do not exist are left out.

        Args:
            parts: Parts of publications to read as well: abst, claim, desc.
        """
        rows = await self._database.read(palace, "runs/read_documents", ids=list(ids), parts=list(parts))
        return {row["id"]: _shown(row) for row in rows}

    async def publications(
        self, palace: str, ids: Sequence[str], *, id_type: str, parts: Sequence[str]
    ) -> dict[str, ShownDocument]:
        """Return publications by one of their ids. If several have the same id, the latest is returned.

        Args:
            id_type: Property that has the id: pub_id, app_id or exam_id.
            parts: As in `documents`.
        """
        rows = await self._database.read(
            palace, "runs/read_publications", id_type=id_type, ids=list(ids), parts=list(parts)
        )
        return {row["id"]: _shown(row) for row in rows}


def _shown(row: Row) -> ShownDocument:
    parts = [DocumentPart(part, text) for part, text in row["parts"]]
    return ShownDocument(row["id"], row["text"], parts, **row["closet"])


def _properties(run: Run) -> dict[str, Any]:
    return {
        "kind": run.kind,
        "lane": run.lane,
        "recipe": _text(run.recipe),
        "revision": run.revision,
        "created_at": run.created_at,
        "expires_at": run.expires_at,
        "parent": run.parent,
        "history": list(run.history),
        "sources": list(run.sources),
        "counts": _text(run.counts),
        "folded": _text(run.folded),
        "frontier": _text([asdict(point) for point in run.frontier]),
        "contributions": _text(run.contributions),
        "metrics": _text(asdict(run.metrics) if run.metrics else None),
    }


def _run(palace: str, run_id: str, row: Row) -> Run:
    run = row["run"]
    metrics = json.loads(run["metrics"])
    return Run(
        id=run_id,
        palace=palace,
        kind=run["kind"],
        lane=run["lane"],
        ids=tuple(run["ids"]),
        scores=tuple(run["scores"]),
        recipe=json.loads(run["recipe"]),
        revision=run["revision"],
        created_at=_moment(row["created_ms"]),
        expires_at=_moment(row["expires_ms"]),
        parent=run.get("parent"),
        history=tuple(run["history"]),
        sources=tuple(run["sources"]),
        counts=json.loads(run["counts"]),
        folded={kept: tuple(others) for kept, others in json.loads(run["folded"]).items()},
        frontier=tuple(FrontierPoint(**point) for point in json.loads(run["frontier"])),
        contributions=json.loads(run["contributions"]),
        metrics=Metrics(**metrics) if metrics else None,
    )


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
