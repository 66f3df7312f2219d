"""Store what searches showed as (:Search) nodes that expire, with nested values as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from graphpalace.domain.graph.trail import EdgeRef, NodeRef, Trail
from graphpalace.domain.learning.logged_search import LoggedSearch
from graphpalace.domain.vectors import from_bytes, to_bytes
from graphpalace.store.connection.database import Database, Row
from graphpalace.store.learning.candidates import candidates_of, properties_of


class SearchStore:
    """Stores and finds searches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, palace: str, search_id: str) -> LoggedSearch | None:
        """Return a search, or None if it is not in the palace."""
        rows = await self._database.read(palace, "learning/find_search", id=search_id)
        return _search(rows[0]["search"]) if rows else None

    async def keep(self, searches: Sequence[tuple[LoggedSearch, int]], *, now_ms: int) -> None:
        """Store searches of any palaces, and delete some that have expired.

        Args:
            searches: Each with its expiry, in milliseconds since 1970.
            now_ms: Current time, in milliseconds since 1970.
        """
        # All writers lock palaces in the same order, which prevents deadlocks.
        ordered = sorted(searches, key=lambda kept: kept[0].palace)
        rows = [_row(search, expires_ms=expires_ms) for search, expires_ms in ordered]
        await self._database.write(None, "learning/keep_searches", searches=rows, now_ms=now_ms)


def _row(search: LoggedSearch, *, expires_ms: int) -> Row:
    return {
        "id": search.id,
        "palace": search.palace,
        "query": search.query,
        "question": None if search.question is None else to_bytes(search.question),
        "shares": _text(search.shares),
        "trails": _text({drawer: [list(way.edges), list(way.nodes)] for drawer, way in search.trails.items()}),
        "names": _text(search.names),
        "namespace": search.namespace,
        "expires_ms": expires_ms,
    } | properties_of(search.candidates)


def _search(row: Row) -> LoggedSearch:
    question = row.get("question")
    trails: dict[str, list[list[list[str]]]] = json.loads(row["trails"])
    return LoggedSearch(
        row["id"],
        row["palace"],
        row["query"],
        None if question is None else from_bytes([question], dimension=len(question) // 4)[0],
        candidates_of(row),
        json.loads(row["shares"]),
        {
            drawer: Trail([EdgeRef(*edge) for edge in edges], [NodeRef(*node) for node in nodes])
            for drawer, (edges, nodes) in trails.items()
        },
        json.loads(row.get("names", "{}")),
        row.get("namespace", ""),
    )


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
