"""Lanes of a search: small interchangeable parts, each of which ranks the drawers of a palace for a question."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

from graphpalace.domain.ranking import Ranking
from graphpalace.domain.vectors import Vector
from graphpalace.operations.drawer_indexes import DrawerIndexes
from graphpalace.score.drawer_matrix import Filter
from graphpalace.store.database import Database
from graphpalace.store.lucene import escaped


@dataclass(frozen=True, slots=True)
class Asked:
    """What every lane of one search gets.

    Attributes:
        query: The user's words; may be empty.
        vector: Gives the embedding of the question, which may still be under way; length one.
        only: Which drawers may be found; it applies before the ranking is cut.
        depth: Most results.
    """

    query: str
    vector: Callable[[], Awaitable[Vector]]
    only: Filter
    depth: int


class Lane(Protocol):
    """Ranks drawers in its own way."""

    @property
    def name(self) -> str:
        """What rankings, weights and answers call it."""
        ...

    async def rank(self, palace: str, asked: Asked) -> Ranking:
        """Return the lane's best drawers, with scores of its own scale, best first."""
        ...


class FulltextLane:
    """Lucene's BM25 in Neo4j over the words of drawers."""

    name = "fulltext"

    def __init__(self, database: Database) -> None:
        self._database = database

    async def rank(self, palace: str, asked: Asked) -> Ranking:
        """Return the drawers that share words with the question; none if it has no words."""
        words = escaped(asked.query)
        if not words:
            return Ranking(self.name, (), ())
        only = asked.only
        given: dict[str, Any] = {"index": f"drawer_text_{palace}", "query": words, "limit": asked.depth}
        if only.passes_all:
            rows = await self._database.read("search/search_fulltext", palace=palace, **given)
        else:
            rows = await self._database.read(
                "search/search_fulltext_filtered",
                palace=palace,
                wing_id=only.wing,
                room_ids=list(only.rooms) if only.rooms is not None else None,
                since_ms=only.since_ms,
                until_ms=only.until_ms,
                **given,
            )
        return Ranking.of(self.name, [(row["id"], row["score"]) for row in rows])


class SemanticLane:
    """Exact cosine of the question's embedding to every drawer's."""

    name = "semantic"

    def __init__(self, indexes: DrawerIndexes) -> None:
        self._indexes = indexes

    async def rank(self, palace: str, asked: Asked) -> Ranking:
        """Return the drawers nearest to the question."""
        return await self._indexes.nearest(palace, await asked.vector(), limit=asked.depth, only=asked.only)
