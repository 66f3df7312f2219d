"""The change feed of a palace: which drawers each write stored and removed."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.store.connection.database import Database, Transaction


async def record_change(tx: Transaction, *, stored: Sequence[str] = (), removed: Sequence[str] = ()) -> int:
    """Append an entry to the change feed of the palace that the transaction has locked, and return its revision.

    Args:
        stored, removed: Ids of drawers; both are empty if only wings or rooms changed.
    """
    (row,) = await tx.run("ingest/record_change", stored=list(stored), removed=list(removed))
    return row["revision"]


class ChangeStore:
    """Deletes old entries from the change feeds of all palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def forget(self, *, keep_s: int) -> int:
        """Delete the entries of all feeds that are older than some seconds, and return their number.

        A service whose last read is older than these entries reads the whole palace again.
        """
        (row,) = await self._database.write(None, "ingest/prune_changes", keep_s=keep_s)
        return row["pruned"]
