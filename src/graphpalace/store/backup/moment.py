"""Find a moment of the whole database, and read all that it has then.

Neo4j Community has no snapshots: a transaction that reads for long sees what others commit meanwhile. But it tells
whether anything was committed, whoever did it (`Database.commit_mark`). So what was read is the database at one moment
if nothing was committed from its first row to its last one. First that is tried as it is. If somebody writes, the next
attempt holds a gate that all writers of GraphPalace pass, in every process, and at which they wait.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import TypeVar

from graphpalace.errors import Conflict, DatabaseBusy, RestoreUnfinished
from graphpalace.store.connection.database import Database, Row

T = TypeVar("T")

_LOOK_S = 1.0  # how often to look whether somebody wrote
_SETTLE_S = 10.0  # for writes under way; those of a request take no longer
_PAUSE_S = 0.02
_ATTEMPTS = 3  # to take the gate
_NODES = 200  # in memory at a time; a part of a simulation has 4 MiB


class _Written(Exception):
    """Somebody wrote meanwhile."""


class MomentReader:
    """Reads a database as it was at one moment.

    Args:
        longest_s: For how long writers may have to wait.
    """

    def __init__(self, database: Database, *, longest_s: float) -> None:
        self._database = database
        self._longest_s = longest_s

    async def read(self, work: Callable[[], Awaitable[T]]) -> tuple[T, float]:
        """Call `work`, which reads the database, until nothing was committed meanwhile.

        Returns:
            Its result, and for how many seconds writers had to wait.

        Raises:
            Conflict: If it takes longer than writers may have to wait, or somebody writes who does not wait.
            RestoreUnfinished: If the database is being filled from a backup.
        """
        if rows := await self._database.read(None, "backup/find_restore"):
            raise RestoreUnfinished(file=rows[0]["file"])
        try:
            return await self._undisturbed(work), 0.0
        except _Written:
            pass
        for attempt in range(_ATTEMPTS):
            try:
                return await self._gated(work)
            except _Written:
                await asyncio.sleep(attempt)
        raise Conflict(
            "somebody writes to Neo4j by other ways than this version of GraphPalace, such as Neo4j Browser or a "
            "service of an earlier version: try again when that is over"
        )

    async def _gated(self, work: Callable[[], Awaitable[T]]) -> tuple[T, float]:
        began = monotonic()
        try:
            async with asyncio.timeout(self._longest_s), self._gate():
                found = await self._undisturbed(work)
        except TimeoutError:
            raise Conflict(
                f"the database was not read within {self._longest_s:g} s ([backup] longest_pause_s), for which writers "
                "may have to wait: raise it, or make the backup when nobody writes, as nobody has to wait then",
                seconds=self._longest_s,
            ) from None
        return found, monotonic() - began

    @asynccontextmanager
    async def _gate(self) -> AsyncIterator[None]:
        """Let all writers of GraphPalace wait. If this process dies, Neo4j lets them go on."""
        gate = secrets.token_hex(8)
        async with self._database.held_transaction(timeout_s=self._longest_s + _SETTLE_S) as tx:
            await tx.run("backup/make_gate", id=gate)
        try:
            async with self._database.held_transaction(timeout_s=self._longest_s + _SETTLE_S) as tx:
                if not await tx.run("backup/hold_gate", id=gate):
                    raise _Written
                await tx.run("backup/hold_palaces")
                yield
        finally:
            async with self._database.held_transaction(timeout_s=_SETTLE_S) as tx:
                await tx.run("backup/remove_gate", id=gate)

    async def _undisturbed(self, work: Callable[[], Awaitable[T]]) -> T:
        await self._settle()
        mark = await self._database.commit_mark()
        reading = asyncio.ensure_future(work())
        try:
            while not (await asyncio.wait({reading}, timeout=_LOOK_S))[0]:
                if await self._database.commit_mark() != mark:
                    raise _Written
        finally:
            if not reading.done():
                reading.cancel()
                await asyncio.wait({reading})
        try:
            found = reading.result()
        except DatabaseBusy:  # Neo4j ends a long read because somebody wrote
            if await self._database.commit_mark() != mark:
                raise _Written from None
            raise
        await self._settle()
        if await self._database.commit_mark() != mark:
            raise _Written
        return found

    async def _settle(self) -> None:
        """Wait until the writes that are under way have ended: one that is half written shows in no mark."""
        until = monotonic() + _SETTLE_S
        waits_for = await self._writing()
        while waits_for:
            if monotonic() > until:
                raise _Written
            await asyncio.sleep(_PAUSE_S)
            waits_for &= await self._writing()

    async def _writing(self) -> set[str]:
        rows = await self._database.read(None, "backup/list_transactions", database=self._database.name)
        return {row["id"] for row in rows}


class GraphReader:
    """Reads all nodes and relationships."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def nodes(self) -> AsyncIterator[list[object]]:
        """Yield each node: its number, labels and properties."""
        async for row in self._database.stream(None, "backup/list_nodes", fetched=_NODES):
            yield [node_number(row["id"]), row["labels"], row["properties"]]

    async def relationships(self) -> AsyncIterator[list[object]]:
        """Yield each relationship: its type, the numbers of its ends, and properties."""
        async for row in self._database.stream(None, "compact/list_relationships"):
            yield [row["type"], node_number(row["source"]), node_number(row["target"]), row["properties"]]

    async def migrations(self) -> dict[str, str]:
        """Return the checksum of each applied migration, by version."""
        rows: list[Row] = await self._database.read(None, "migrations/list_applied")
        return {row["version"]: row["checksum"] for row in rows}

    async def palaces(self) -> list[str]:
        """Return the names of all palaces, sorted."""
        return [row["name"] for row in await self._database.read(None, "palaces/list_names")]


def node_number(identity: str) -> int:
    """Return the number at the end of what Neo4j calls a node, which is the node's place in its files."""
    return int(identity.rpartition(":")[2])
