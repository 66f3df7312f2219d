"""What is in a palace, in a form that can be compared."""

from __future__ import annotations

from typing import Any

from graphpalace.store.connection.database import Database

_TIMES = {"created_at", "ingested_at", "cycle_started_at", "revision", "settled_revision", "divided_revision"}


async def nodes_of(database: Database, palace: str) -> list[dict[str, Any]]:
    """Return every node but the change feed, without times and revisions, by id."""
    rows = await database.read(palace, "tests/all_nodes")
    return [
        {key: value for key, value in row["properties"].items() if key not in _TIMES}
        | {"labels": [label for label in row["labels"] if "_" not in label]}
        for row in rows
    ]


async def edges_of(database: Database, palace: str) -> list[dict[str, Any]]:
    """Return every edge with its ends, in order."""
    rows = await database.read(palace, "tests/all_edges")
    return [row["properties"] | {"type": row["type"], "from": row["from"], "to": row["to"]} for row in rows]


def differences(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> list[str]:
    """Name what two lists of nodes or edges do not share, shortly: a diff of embeddings fills pages."""
    names = [{repr(sorted(row.items(), key=str)): _name(row) for row in rows} for rows in (one, other)]
    return [
        f"only in the {which}: {names[i][row]}"
        for i, which in enumerate(("first", "second"))
        for row in sorted(names[i].keys() - names[1 - i].keys())
    ]


def _name(row: dict[str, Any]) -> str:
    shown = {key: value for key, value in row.items() if not isinstance(value, bytes | list)}
    return str(shown)[:400]
