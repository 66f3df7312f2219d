"""Store what searches showed as (:Search) nodes that expire, with nested values as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from graphpalace.domain.learning.feedback import Candidates, LoggedSearch
from graphpalace.domain.vectors import from_bytes, to_bytes
from graphpalace.domain.walking.graph_snapshot import EdgeRef, NodeRef, Trail
from graphpalace.store.connection.database import Database, Row


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


def properties_of(candidates: Candidates) -> Row:
    """Return the properties of a node that has these candidates."""
    return {
        "candidates": list(candidates.ids),
        "evidence": to_bytes(candidates.evidence),
        "shown": candidates.shown,
        "log_odds": to_bytes(candidates.log_odds),
        "answer_log_odds": candidates.answer_log_odds,
        "other_lanes": list(candidates.others),
        "other_evidence": b"".join(to_bytes(evidence) for evidence in candidates.others.values()),
    }


def candidates_of(row: Row) -> Candidates:
    """Return the candidates in the properties of a node. Nodes of earlier versions lack some of them."""
    ids, lanes = tuple(row["candidates"]), row.get("other_lanes") or []
    others = np.frombuffer(row.get("other_evidence") or b"", "<f4").reshape(len(lanes), len(ids) if lanes else 0)
    return Candidates(
        ids,
        np.frombuffer(row["evidence"], "<f4"),
        row["shown"],
        np.frombuffer(row.get("log_odds") or b"", "<f4"),
        row.get("answer_log_odds"),
        dict(zip(lanes, others, strict=True)),
    )
