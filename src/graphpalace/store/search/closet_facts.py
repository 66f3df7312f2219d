"""Read the facts of closets that conditions and wanted codes refer to, and the drawers of closets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphpalace.store.connection.database import Database


class ClosetFacts(NamedTuple):
    """The facts of a document. `published` is an ISO 8601 date."""

    id: str
    codes: Sequence[str]
    published: str | None
    assignee: str | None
    country: str | None


@dataclass(frozen=True, slots=True)
class RoomClosets:
    """A room with the facts of its closets."""

    wing: str
    room: str
    room_id: str
    closets: Sequence[ClosetFacts]


class ClosetDrawers(NamedTuple):
    """Ids of the drawers of a closet in a room."""

    room_id: str
    closet_id: str
    drawers: Sequence[str]


class ClosetFactStore:
    """Reads facts of closets."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, palace: str) -> list[RoomClosets]:
        """Return the facts of every closet, in each of its rooms."""
        rows = await self._database.read(palace, "search/list_closet_facts")
        return [
            RoomClosets(row["wing"], row["room"], row["room_id"], list(map(ClosetFacts._make, row["closets"])))
            for row in rows
        ]

    async def drawers(self, palace: str, rooms: Mapping[str, Sequence[str]]) -> list[ClosetDrawers]:
        """Return the drawers of closets.

        Args:
            rooms: Ids of closets, by the id of a room. Only drawers in this room are returned.
        """
        given = [{"room_id": room, "closets": list(closets)} for room, closets in rooms.items()]
        rows = await self._database.read(palace, "search/list_drawers_of_closets", rooms=given)
        return [ClosetDrawers(row["room_id"], row["closet_id"], row["drawers"]) for row in rows]
