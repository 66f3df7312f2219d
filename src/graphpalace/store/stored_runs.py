"""Runs as nodes: (:Run) with ids and scores as arrays, what is nested as JSON, DERIVED_FROM edges for the lineage."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from graphpalace.domain.run import FrontierPoint, Members, Metrics, Run
from graphpalace.store.database import Database

_DELETED_AT_ONCE = 50  # so that no write waits long for what others left behind


async def create_run(database: Database, run: Run) -> bool:
    """Store a run and remove some expired ones; return false, with nothing stored, if its id is taken."""
    properties = {
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
    rows = await database.write(
        "runs/create_run",
        palace=run.palace,
        id=run.id,
        properties=properties,
        ids=list(run.ids),
        scores=list(run.scores),
        parent=run.parent,
        sources=list(run.sources),
    )
    await database.write("runs/delete_expired", palace=run.palace, now=run.created_at, most=_DELETED_AT_ONCE)
    return bool(rows)


async def get_run(database: Database, palace: str, run_id: str) -> Run | None:
    """Return a run, expired or not, or None if it is not in the palace."""
    rows = await database.read("runs/get_run", palace=palace, id=run_id)
    if not rows:
        return None
    run = rows[0]["run"]
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
        created_at=_moment(rows[0]["created_ms"]),
        expires_at=_moment(rows[0]["expires_ms"]),
        parent=run.get("parent"),
        history=tuple(run["history"]),
        sources=tuple(run["sources"]),
        counts=json.loads(run["counts"]),
        folded={kept: tuple(others) for kept, others in json.loads(run["folded"]).items()},
        frontier=tuple(FrontierPoint(**point) for point in json.loads(run["frontier"])),
        contributions=json.loads(run["contributions"]),
        metrics=Metrics(**metrics) if metrics else None,
    )


async def read_members(database: Database, palace: str, ids: Sequence[str]) -> Members:
    """Return what a fusion needs to know of drawers, in one query; those that are gone are left out."""
    rows = await database.read("runs/read_members", palace=palace, ids=list(ids))
    known = {
        drawer: (row["document"] or drawer, row["closet"], row["family"], tuple(row["codes"]))
        for row in rows
        for drawer in row["drawers"]
    }
    there = [one for one in ids if one in known]
    documents, closets, families, codes = zip(*(known[one] for one in there), strict=True) if there else ((),) * 4
    return Members(tuple(there), documents, closets, families, codes)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
