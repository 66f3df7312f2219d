"""Read which drawers mention which names."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

from graphpalace.domain.knowledge.mentions import MentionChanges, MentionColumns, SpellingColumns
from graphpalace.store.connection.database import Database, palace_row


class MentionStore:
    """Reads mentions for the index in memory, and the changes to keep it up to date."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, palace: str) -> AsyncGenerator[tuple[SpellingColumns, MentionColumns], None]:
        """Yield the mentions of a palace, at most five thousand at a time, each with how its name is written."""
        async for row in self._database.stream(palace, "knowledge/load_mentions"):
            ids = row["ids"]
            yield (
                SpellingColumns(ids, row["shown"], row["normalised"], row["aliases"]),
                MentionColumns(
                    row["drawers"], [ids[at] for at in row["names"]], row["is_title"], row["success"], row["cycles"]
                ),
            )

    async def load_some(self, drawers: Sequence[str]) -> MentionColumns:
        """Return the mentions in some drawers."""
        (row,) = await self._database.read(None, "knowledge/load_some_mentions", ids=list(drawers))
        return MentionColumns(**row)

    async def spellings(self, names: Sequence[str]) -> SpellingColumns:
        """Return how some names are written. Those that no longer exist are left out."""
        (row,) = await self._database.read(None, "knowledge/load_spellings", ids=list(names))
        return SpellingColumns(**row)

    async def changes(self, palace: str, *, since: int | None) -> MentionChanges | None:
        """Return what changed since a revision; None if the palace does not exist.

        Args:
            since: None: only the state of the palace.
        """
        rows = await self._database.read(
            palace, "knowledge/read_mention_changes", seen=since or 0, loaded=since is not None
        )
        row = palace_row(rows)
        if row is None:
            return None
        entries = row["changes"]
        # A deposit names its edges as "TYPE source target"; the source of a REFERENCES edge is the drawer.
        trails = (edge.split(" ") for entry in entries for edge in entry["edges"])
        return MentionChanges(
            row["born"],
            row["revision"],
            row["cycle"],
            len(entries),
            frozenset(drawer for entry in entries for drawer in entry["removed"]),
            frozenset(drawer for entry in entries for drawer in entry["named"])
            | {source for kind, source, _ in trails if kind == "REFERENCES"},
        )
