"""Starts the managed Neo4j again when it has ended by itself, or runs and has given its database up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from graphpalace.errors import DatabaseBroken, DatabaseUnavailable, GraphPalaceError
from graphpalace.store.managed.server import ManagedServer

_LOG = structlog.get_logger("graphpalace.service")
_LOOK_S = 2.0
_AGAIN_S = 10.0  # after a start that failed


class Neo4jKeeper:
    """Looks after the managed Neo4j as long as the service runs.

    One that was stopped with `graphpalace down` stays down, and one that was never started is left to `graphpalace up`.
    """

    def __init__(self, server: ManagedServer, probe: Callable[[], Awaitable[None]]) -> None:
        """Wire it.

        Args:
            probe: Runs a query, and raises what stands in its way.
        """
        self._server = server
        self._probe = probe
        self._task: asyncio.Task[None] | None = None
        self.trouble: str | None = None  # why it could not be started again

    def start(self) -> None:
        """Begin to look, on the running event loop."""
        self._task = asyncio.create_task(self._keep())

    async def stop(self) -> None:
        """Stop looking."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def look(self) -> bool:
        """Look once, and start the server again if need be; return whether it was.

        Raises:
            GraphPalaceError: If it does not start.
        """
        if await asyncio.to_thread(self._server.ended_by_itself):
            why = "it ended by itself"
        else:
            try:
                await self._probe()
                return False
            except DatabaseBroken as error:
                why = error.message
            except DatabaseUnavailable:  # it is stopped, or about to answer
                return False
        _LOG.warning("neo4j_starts_again", reason=why)
        await asyncio.to_thread(self._server.up)
        return True

    async def _keep(self) -> None:
        while True:
            try:
                if await self.look():
                    _LOG.info("neo4j_started_again")
                self.trouble = None
            except GraphPalaceError as error:
                if error.message != self.trouble:
                    _LOG.warning("neo4j_did_not_start_again", reason=error.message)
                self.trouble = error.message
                await asyncio.sleep(_AGAIN_S)
            except Exception:
                _LOG.exception("neo4j_not_looked_after")
            await asyncio.sleep(_LOOK_S)
