"""Find drawers from which an extractor has not read facts yet, and mark those from which it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from graphpalace.domain.knowledge.proposals import ReadDrawer
from graphpalace.store.connection.database import Database


@dataclass(frozen=True, slots=True)
class UnreadPlace:
    """Where drawers are to be read: a wing, rooms, or everywhere."""

    wing_id: str | None
    room_ids: Sequence[str] | None


class ProposalStore:
    """Keeps what an extractor has read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count_due(self, palace: str, place: UnreadPlace) -> int:
        """Return how many drawers are still to be read."""
        (row,) = await self._database.read(palace, "knowledge/count_unread", **asdict(place))
        return row["drawers"]

    async def due(self, palace: str, place: UnreadPlace, *, after: str, limit: int) -> list[ReadDrawer]:
        """Return some drawers that are still to be read, sorted by id.

        Args:
            after: The id after which they begin.
        """
        rows = await self._database.read(palace, "knowledge/list_unread", **asdict(place), after=after, limit=limit)
        return [ReadDrawer(**row) for row in rows]

    async def take(self, palace: str, drawer: ReadDrawer) -> bool:
        """Mark a drawer as read; return False if it was changed or deleted since it was listed."""
        rows = await self._database.write(palace, "knowledge/take_read", id=drawer.id, stamp=drawer.stamp)
        return bool(rows)
