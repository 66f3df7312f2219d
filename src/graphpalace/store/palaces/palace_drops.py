"""Drop palaces. A dropped palace is hidden at once; its contents are deleted afterwards, by any service."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeVar

from graphpalace.domain.identity import palace_name
from graphpalace.errors import Conflict, NotFound
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import OWN_ANALYZERS, ServerStore, language_indexes

T = TypeVar("T")

_NODES = 1000  # deleted in one transaction
_MARK = "dropped "  # no name of a palace has a space
_LEFT_S = 30.0  # a service that has not deleted anything for this long has ended
_WAIT_S = 5.0
_PAUSE_S = 0.05


class DropInProgress(Exception):
    """A palace of this name is still being deleted."""


def dropped_name(name: str) -> str:
    """Return the name of a palace from the time it is dropped until its contents are deleted."""
    return _MARK + palace_name(name)


class PalaceDrops:
    """Drops palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def drop(self, name: str) -> int:
        """Delete a palace with its contents and its indexes, and return the number of deleted nodes.

        From the start, nobody finds the palace, and nothing can be added to it. If the deletion is interrupted, it is
        completed when a service starts, or when a palace of the same name is created.

        Raises:
            NotFound: If there is no palace of this name.
        """
        if not await self._database.write(name, "palaces/begin_drop", dropped=dropped_name(name)):
            raise NotFound(f"there is no palace {name!r}; `graphpalace palace list` shows those there are", palace=name)
        return await self._delete(name)

    async def finish(self, *, left_s: float = _LEFT_S) -> list[str]:
        """Complete deletions that were interrupted, and return the names of the palaces.

        Args:
            left_s: Seconds without progress after which a deletion counts as interrupted.
        """
        names = await self.interrupted(left_s=left_s)
        for name in names:
            await self._delete(name)
        return names

    async def interrupted(self, *, left_s: float = _LEFT_S) -> list[str]:
        """Return the names of the palaces whose deletion was interrupted.

        Args:
            left_s: As for `finish`.
        """
        rows = await self._database.read(None, "palaces/list_drops")
        return [row["dropped"].removeprefix(_MARK) for row in rows if row["idle_ms"] >= 1000 * left_s]

    async def after(self, name: str, attempt: Callable[[], Awaitable[T]]) -> T:
        """Repeat an attempt until it no longer raises `DropInProgress`, and return its result.

        Raises:
            Conflict: If a palace of this name is still being deleted after some seconds.
        """
        until = monotonic() + _WAIT_S
        while True:
            try:
                return await attempt()
            except DropInProgress:
                if monotonic() > until:
                    raise Conflict(
                        f"palace {name!r} was dropped and is still being deleted: try again when that is over",
                        palace=name,
                    ) from None
            if name not in await self.finish():
                await asyncio.sleep(_PAUSE_S)

    async def _delete(self, name: str) -> int:
        """Delete the remaining contents of a dropped palace. Several services may do so at the same time."""
        dropped = dropped_name(name)
        await self._database.change_schema(name, "palaces/drop_stems_index")
        await self._database.change_schema(name, "palaces/drop_exact_index")
        await self._database.change_schema(name, "palaces/drop_vector_index")
        indexes = {index.name for index in await ServerStore(self._database).indexes()}
        for analyzer in OWN_ANALYZERS:
            for index, kind in language_indexes(name, analyzer).items():
                if index in indexes:
                    await self._database.change_schema(name, "palaces/drop_language_index", literals={"kind": kind})
        removed = 1  # the palace itself
        while True:
            rows = await self._database.write(name, "palaces/delete_some", dropped=dropped, most=_NODES)
            removed += sum(row["deleted"] for row in rows)
            if not rows or rows[0]["over"]:
                return removed
