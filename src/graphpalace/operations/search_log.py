"""What searches showed, kept for some hours, so that feedback can name a search."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import structlog

from graphpalace.domain.lesson import Candidates
from graphpalace.domain.trail import EdgeRef, NodeRef, Trail
from graphpalace.domain.vectors import Vector, from_bytes, to_bytes
from graphpalace.errors import GraphPalaceError, NotFound
from graphpalace.store.database import Database, Row
from graphpalace.store.palaces import get_palace

MOST_CANDIDATES = 40
RERANK = "rerank-"  # what ids of reranks begin with
_IN_MEMORY = 1000
_PAUSE_S = 0.1  # searches that end within it are written in one transaction

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class KeptSearch:
    """One search.

    Attributes:
        id: `search-{12 hex}`, or `rerank-{12 hex}`.
        candidates: What the lanes found, before anything learned was applied.
        shares: Of the lanes in each drawer that was shown, 0 to 1.
        trails: The ways walked to drawers, where the path lane walked some.
        names: What else feedback may call what was shown, with the drawer that stands for it; None: a document of the
            caller's own.
        namespace: Of the caller's own documents.
    """

    id: str
    palace: str
    query: str
    question: Vector | None
    candidates: Candidates
    shares: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    trails: Mapping[str, Trail] = field(default_factory=dict)
    names: Mapping[str, str | None] = field(default_factory=dict)
    namespace: str = ""


def new_search_id(kind: str = "search-") -> str:
    """Return an id that no other search has, or no other rerank."""
    return f"{kind}{secrets.token_hex(6)}"


class SearchLog:
    """Keeps searches in memory at once and in Neo4j a moment later, so that no answer waits for a write."""

    def __init__(self, database: Database, *, ttl_h: float) -> None:
        """Wire it.

        Args:
            ttl_h: Hours that a search is kept.
        """
        self._database = database
        self._ttl_ms = int(ttl_h * 3_600_000)
        self._known: OrderedDict[tuple[str, str], KeptSearch] = OrderedDict()
        self._waiting: list[Row] = []
        self._writer: asyncio.Task[None] | None = None

    def keep(self, search: KeptSearch) -> None:
        """Remember a search, and write it soon."""
        self._known[search.palace, search.id] = search
        while len(self._known) > _IN_MEMORY:
            self._known.popitem(last=False)
        self._waiting.append(_row(search, expires_ms=int(time.time() * 1000) + self._ttl_ms))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())

    async def find(self, palace: str, search_id: str) -> KeptSearch:
        """Return a search.

        Raises:
            NotFound: If it is not in the palace, or has expired.
        """
        if (known := self._known.get((palace, search_id))) is not None:
            return known
        rows = await self._database.read("learning/find_search", palace=palace, id=search_id)
        if not rows:
            await get_palace(self._database, palace)
            raise NotFound(
                f"there is no search {search_id!r} in palace {palace!r}; searches are kept for"
                f" {self._ttl_ms / 3_600_000:g} h: give the question in its place",
                run=search_id,
                palace=palace,
            )
        return _search(rows[0]["search"])

    def forget(self, palace: str) -> None:
        """Drop what is in memory of a palace."""
        self._known = OrderedDict((key, search) for key, search in self._known.items() if key[0] != palace)

    async def flush(self) -> None:
        """Write what is waiting."""
        if self._writer is not None:
            await self._writer
        await self._write_waiting()

    async def _write(self) -> None:
        while self._waiting:
            await asyncio.sleep(_PAUSE_S)
            await self._write_waiting()

    async def _write_waiting(self) -> None:
        rows, self._waiting = sorted(self._waiting, key=lambda row: row["palace"]), []
        if not rows:
            return
        try:
            await self._database.write("learning/keep_searches", searches=rows, now_ms=int(time.time() * 1000))
        except GraphPalaceError as error:  # feedback can still give the question
            _log.warning("searches_not_kept", count=len(rows), reason=error.message)


def _row(search: KeptSearch, *, expires_ms: int) -> Row:
    return {
        "id": search.id,
        "palace": search.palace,
        "query": search.query,
        "question": None if search.question is None else to_bytes(search.question),
        "candidates": list(search.candidates.ids),
        "evidence": to_bytes(search.candidates.evidence),
        "shown": search.candidates.shown,
        "shares": _text(search.shares),
        "trails": _text({drawer: [list(way.edges), list(way.nodes)] for drawer, way in search.trails.items()}),
        "names": _text(search.names),
        "namespace": search.namespace,
        "expires_ms": expires_ms,
    }


def _search(row: Row) -> KeptSearch:
    question = row.get("question")
    trails: dict[str, list[list[list[str]]]] = json.loads(row["trails"])
    return KeptSearch(
        row["id"],
        row["palace"],
        row["query"],
        None if question is None else from_bytes([question], dimension=len(question) // 4)[0],
        Candidates(tuple(row["candidates"]), np.frombuffer(row["evidence"], "<f4"), row["shown"]),
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
