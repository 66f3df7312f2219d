"""The `semantic` lane: finds drawers by the meaning of the question."""

from __future__ import annotations

from graphpalace.domain.search.ranking import Ranking
from graphpalace.operations.search.lanes.lane import LaneQuery
from graphpalace.replica.drawer_indexes import DrawerIndexes


class SemanticLane:
    """Ranks drawers by the exact cosine of their embedding to the question's."""

    name = "semantic"
    needs_vector = True

    def __init__(self, indexes: DrawerIndexes) -> None:
        self._indexes = indexes

    async def rank(self, palace: str, asked: LaneQuery) -> Ranking:
        """Return the drawers nearest to the question."""
        return await self._indexes.nearest(
            palace, await asked.vector(), limit=asked.depth, only=asked.only, state=asked.state
        )
