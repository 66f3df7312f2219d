"""What is kept in memory of drawers for search, and how it is kept in step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphpalace.domain.changes import DrawerChange, PalaceStanding
from graphpalace.store.connection.database import Database, Row


@dataclass(frozen=True, slots=True)
class DrawerColumns:
    """Drawers as columns of one length, as the database has them.

    Attributes:
        wings, rooms: Ids of where they stand.
        times_ms: When each was said, or else stored, in milliseconds since 1970.
        importances: 0 to 1.
        embeddings: As `domain.vectors.to_bytes` writes them.
    """

    ids: Sequence[str]
    wings: Sequence[str]
    rooms: Sequence[str]
    times_ms: Sequence[int]
    importances: Sequence[float]
    embeddings: Sequence[bytes]


class DrawerVectorStore:
    """Reads drawers with their vectors, and the change feed that tells which are new."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, palace: str) -> list[DrawerColumns]:
        """Return all drawers of a palace, a thousand in each part."""
        return [DrawerColumns(**row) for row in await self._database.read(palace, "search/load_vectors")]

    async def load_some(self, palace: str, ids: Sequence[str]) -> DrawerColumns:
        """Return some drawers; those that are gone are left out."""
        (row,) = await self._database.read(palace, "search/load_some_vectors", ids=list(ids))
        return DrawerColumns(**row)

    async def changes(self, palace: str, *, since: int | None) -> tuple[PalaceStanding, list[DrawerChange]] | None:
        """Return where a palace stands, and its changes since a revision in order; None if there is no such palace.

        Args:
            since: None: no changes are asked for.
        """
        rows = await self._database.read(palace, "search/read_changes", seen=since or 0, loaded=since is not None)
        if not rows:
            return None
        return standing_of(rows[0]), [DrawerChange(each["stored"], each["removed"]) for each in rows[0]["changes"]]


def standing_of(row: Row) -> PalaceStanding:
    """Return where a palace stands, of a row that has that among other columns."""
    return PalaceStanding(
        row["born"],
        row["learned"],
        row["forgot"],
        row["cycle"],
        row["since_ms"],
        row["revision"],
        row["drawers"],
    )
