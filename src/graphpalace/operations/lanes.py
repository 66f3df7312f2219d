"""Lanes of a search: small interchangeable parts, each of which ranks the drawers of a palace for a question."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from graphpalace.domain.fusion_plan import Profile
from graphpalace.domain.ranking import Ranking
from graphpalace.domain.vectors import Vector
from graphpalace.operations.drawer_indexes import DrawerIndexes
from graphpalace.score.drawer_matrix import Filter
from graphpalace.store.database import Row


@dataclass(frozen=True, slots=True)
class Asked:
    """What every lane of one search gets.

    Attributes:
        query: The user's words; may be empty.
        vector: Gives the embedding of the question, which may still be under way; length one.
        only: Which drawers may be found; it applies before the ranking is cut.
        depth: Most results.
        profile: Wanted codes with weights above 0, by scheme; for the lane of codes.
        without: Parts of the search that are left out (`question.PARTS`).
        standing: Gets where the palace stands from a lane that reads it on its way, so that no other needs to ask;
            None if that lane did not come to it.
    """

    query: str
    vector: Callable[[], Awaitable[Vector]]
    only: Filter
    depth: int
    profile: Profile = field(default_factory=dict)
    without: frozenset[str] = frozenset()
    standing: asyncio.Future[Row | None] | None = None

    def tell(self, standing: Row | None) -> None:
        """Let the other lanes know where the palace stands, or that this lane will not tell."""
        if self.standing is not None and not self.standing.done():
            self.standing.set_result(standing)


class Lane(Protocol):
    """Ranks drawers in its own way."""

    @property
    def name(self) -> str:
        """What rankings, weights and answers call it."""
        ...

    @property
    def needs_vector(self) -> bool:
        """Whether it waits for the question's embedding."""
        ...

    async def rank(self, palace: str, asked: Asked) -> Ranking:
        """Return the lane's best drawers, with scores of its own scale, best first."""
        ...


class SemanticLane:
    """Exact cosine of the question's embedding to every drawer's."""

    name = "semantic"
    needs_vector = True

    def __init__(self, indexes: DrawerIndexes) -> None:
        self._indexes = indexes

    async def rank(self, palace: str, asked: Asked) -> Ranking:
        """Return the drawers nearest to the question."""
        return await self._indexes.nearest(
            palace, await asked.vector(), limit=asked.depth, only=asked.only, standing=asked.standing
        )
