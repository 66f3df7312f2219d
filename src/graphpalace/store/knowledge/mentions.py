"""Read which drawers mention which names."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.domain.knowledge.mentions import MentionChanges, MentionColumns, SpellingColumns
from graphpalace.store.connection.database import Database, palace_row


class MentionStore:
    """Reads mentions for the index in memory, and the changes to keep it up to date."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, palace: str) -> list[MentionColumns]:
        """Return all mentions of a palace, in parts of ten thousand."""
        return [MentionColumns(**row) for row in await self._database.read(palace, "knowledge/load_mentions")]

    async def load_some(self, palace: str, drawers: Sequence[str]) -> MentionColumns:
        """Return the mentions in some drawers."""
        (row,) = await self._database.read(palace, "knowledge/load_some_mentions", ids=list(drawers))
        return MentionColumns(**row)

    async def spellings(self, palace: str, names: Sequence[str] | None = None) -> list[SpellingColumns]:
        """Return how names are written: all names of a palace, or some."""
        ids = None if names is None else list(names)
        return [
            SpellingColumns(**row) for row in await self._database.read(palace, "knowledge/load_spellings", ids=ids)
        ]

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
