"""What a database holds, in a form that two databases can be compared by."""

from __future__ import annotations

from collections import Counter
from typing import Any

from graphpalace.store.connection.database import Database


async def everything(database: Database) -> tuple[Counter[str], Counter[str]]:
    """Return all nodes and all relationships, each with how often it is there, exact to the bit."""
    nodes: dict[str, str] = {}
    async for row in database.stream(None, "compact/list_nodes"):
        nodes[row["id"]] = f"{sorted(row['labels'])} {_exact(row['properties'])}"
    edges = [
        f"{nodes[row['source']]} -{row['type']} {_exact(row['properties'])}-> {nodes[row['target']]}"
        async for row in database.stream(None, "compact/list_relationships")
    ]
    return Counter(nodes.values()), Counter(edges)


async def schema(database: Database) -> set[str]:
    """Return the statements that create all indexes and constraints."""
    queries = ("compact/list_index_statements", "compact/list_constraint_statements")
    return {row["statement"] for query in queries for row in await database.read(None, query)}


def _exact(value: Any) -> str:
    if isinstance(value, dict):
        return str(sorted((name, _exact(one)) for name, one in value.items()))
    if isinstance(value, list):
        return str([_exact(one) for one in value])
    zone = getattr(getattr(value, "tzinfo", None), "zone", "")
    return f"{type(value).__name__} {value.hex() if isinstance(value, float) else value!r} {zone}"
