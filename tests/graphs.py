"""What is in a palace, in a form that can be compared."""

from __future__ import annotations

from typing import Any

from graphpalace.store.database import Database

_TIMES = {"created_at", "ingested_at", "cycle_started_at", "revision", "settled_revision"}


async def nodes_of(database: Database, palace: str) -> list[dict[str, Any]]:
    """Return every node but the change feed, without times and revisions, by id."""
    rows = await database.read("tests/all_nodes", palace=palace)
    return [
        {key: value for key, value in row["properties"].items() if key not in _TIMES}
        | {"labels": [label for label in row["labels"] if "_" not in label]}
        for row in rows
    ]


async def edges_of(database: Database, palace: str) -> list[dict[str, Any]]:
    """Return every edge with its ends, in order."""
    rows = await database.read("tests/all_edges", palace=palace)
    return [row["properties"] | {"type": row["type"], "from": row["from"], "to": row["to"]} for row in rows]
