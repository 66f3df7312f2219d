"""Read the columns by which drawers are found and filtered: their vectors, and the facts of their closets."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphpalace.domain.palaces.palaces import DrawerChange, PalaceVersion
from graphpalace.store.connection.database import Database, Row, palace_row

_NEEDED = ("ids", "wings", "rooms", "times_ms", "embeddings")
_PARTS = 8  # that the database sends at once


@dataclass(frozen=True, slots=True)
class DrawerColumns:
    """Drawers as columns of equal length.

    Attributes:
        wings, rooms: Ids of the wing and the room of each drawer.
        times_ms: `occurred_at` of each drawer, or else when it was stored, in milliseconds since 1970.
        importances: 0 to 1.
        pointer_shares: The share of the words of each drawer that are links, 0 to 1.
        authors, projects, conversations: Who said it, and in which project and conversation; "" where there is none.
        embeddings: Vectors in the form of `domain.vectors.to_bytes`.
        news: The older drawers that each drawer is probably news on, each as a pair of its id and the probability.
        model: Embedding model that made them.
    """

    ids: Sequence[str]
    wings: Sequence[str]
    rooms: Sequence[str]
    times_ms: Sequence[int]
    importances: Sequence[float]
    pointer_shares: Sequence[float]
    authors: Sequence[str]
    projects: Sequence[str]
    conversations: Sequence[str]
    embeddings: Sequence[bytes]
    news: Sequence[Sequence[tuple[str, float]]]
    model: str

    @classmethod
    def of(cls, row: Row) -> DrawerColumns:
        """Return the columns of a row, without drawers that somebody deleted while they were read.

        Some properties of those are null.
        """
        needed = [row[name] for name in _NEEDED]
        if not any(None in column for column in needed):
            return cls(**row)
        kept = [at for at, values in enumerate(zip(*needed, strict=True)) if None not in values]
        columns = {name: [values[at] for at in kept] for name, values in row.items() if name != "model"}
        return cls(**columns, model=row["model"])


class DrawerVectorStore:
    """Reads drawers with their vectors, and the change feed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, palace: str) -> AsyncGenerator[DrawerColumns, None]:
        """Yield all drawers of a palace, in parts of a thousand, a few of which are in memory at a time."""
        async for row in self._database.stream(palace, "search/load_vectors", fetched=_PARTS):
            yield DrawerColumns.of(row)

    async def load_some(self, palace: str, ids: Sequence[str]) -> DrawerColumns:
        """Return drawers by id. Drawers that no longer exist are left out."""
        rows = await self._database.read(palace, "search/load_some_vectors", ids=list(ids))
        return DrawerColumns(**rows[0]) if rows else DrawerColumns([], [], [], [], [], [], [], [], [], [], [], "")

    async def changes(self, palace: str, *, since: int | None) -> tuple[PalaceVersion, list[DrawerChange]] | None:
        """Return the state of a palace, and its changes since a revision, in order.

        Args:
            since: Revision after which to return changes; None: return no changes.

        Returns:
            None if the palace does not exist.
        """
        rows = await self._database.read(palace, "search/read_changes", seen=since or 0, loaded=since is not None)
        row = palace_row(rows)
        if row is None:
            return None
        return version_of(row), [DrawerChange(each["stored"], each["removed"]) for each in row["changes"]]


def version_of(row: Row) -> PalaceVersion:
    """Return the state of a palace from a row that includes its columns."""
    return PalaceVersion(
        row["born"],
        row["learned"],
        row["forgot"],
        row["cycle"],
        row["since_ms"],
        row["revision"],
        row["drawers"],
        row["model"],
        row["dimension"],
        row["facts"],
        row["facts_forgot"],
    )


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
