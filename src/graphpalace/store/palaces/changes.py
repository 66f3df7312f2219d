"""The change feed of a palace: what each write stored and removed."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.store.connection.database import Database, Transaction


async def record_change(tx: Transaction, *, stored: Sequence[str] = (), removed: Sequence[str] = ()) -> int:
    """Append an entry to the feed of the palace that the transaction holds, and return its revision.

    Args:
        stored, removed: Ids of drawers; none where wings or rooms changed.
    """
    (row,) = await tx.run("ingest/record_change", stored=list(stored), removed=list(removed))
    return row["revision"]


class ChangeStore:
    """The feeds of all palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def forget(self, *, keep_s: int) -> int:
        """Remove the entries of all feeds that are older than some seconds, and return how many it was.

        Who stands before them reads its palace as a whole.
        """
        (row,) = await self._database.write(None, "ingest/prune_changes", keep_s=keep_s)
        return row["pruned"]
