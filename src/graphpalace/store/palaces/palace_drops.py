"""Drop a palace: it is gone for everybody at once, and what was in it is deleted after that, by whoever comes by."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeVar

from graphpalace.domain.identity import palace_name
from graphpalace.errors import Conflict, NotFound
from graphpalace.store.connection.database import Database

T = TypeVar("T")

_NODES = 1000  # in one transaction
_MARK = "dropped "  # no palace has a blank in its name
_LEFT_S = 30.0  # a service that has not been at it for so long has ended
_WAIT_S = 5.0
_PAUSE_S = 0.05


class DropInProgress(Exception):
    """A palace of that name is still being deleted."""


def dropped_name(name: str) -> str:
    """Return what a palace is called from the moment it is dropped until all that was in it is deleted."""
    return _MARK + palace_name(name)


class PalaceDrops:
    """Drops palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def drop(self, name: str) -> int:
        """Remove a palace with everything in it and its indexes; return the number of nodes removed.

        From the first moment on nobody finds it, and nothing can be added to it. If this is broken off, it is finished
        by the next start of a service, or by who makes a palace of that name.

        Raises:
            NotFound: If there is none of that name.
        """
        if not await self._database.write(name, "palaces/begin_drop", dropped=dropped_name(name)):
            raise NotFound(f"there is no palace {name!r}; `graphpalace palace list` shows those there are", palace=name)
        return await self._delete(name)

    async def finish(self, *, left_s: float = _LEFT_S) -> list[str]:
        """Finish what somebody began to drop and has left for some seconds; return the names."""
        rows = await self._database.read(None, "palaces/list_drops")
        names = [row["dropped"].removeprefix(_MARK) for row in rows if row["idle_ms"] >= 1000 * left_s]
        for name in names:
            await self._delete(name)
        return names

    async def after(self, name: str, attempt: Callable[[], Awaitable[T]]) -> T:
        """Return what the attempt returns, as soon as it does not raise `DropInProgress` any more.

        Raises:
            Conflict: If a palace of that name is still being deleted after some seconds.
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
        """Delete what is left of a palace that was dropped; several may do so at once."""
        dropped = dropped_name(name)
        await self._database.change_schema(name, "palaces/drop_stems_index")
        await self._database.change_schema(name, "palaces/drop_exact_index")
        await self._database.change_schema(name, "palaces/drop_vector_index")
        removed = 1  # the palace itself
        while True:
            rows = await self._database.write(name, "palaces/delete_some", dropped=dropped, most=_NODES)
            removed += sum(row["deleted"] for row in rows)
            if not rows or rows[0]["over"]:
                return removed
