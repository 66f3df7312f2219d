"""Restarts the managed Neo4j if it has exited by itself, or has stopped serving its database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from graphpalace.errors import DatabaseBroken, DatabaseUnavailable, GraphPalaceError
from graphpalace.managed_neo4j.server import ManagedServer

_LOG = structlog.get_logger("graphpalace.service")
_LOOK_S = 2.0
_AGAIN_S = 10.0  # pause after a failed start


class Neo4jKeeper:
    """Watches the managed Neo4j while the service runs, and restarts it if necessary.

    A server that was stopped with `graphpalace down` stays down. One that was never started is not started either; that
    is done by `graphpalace up`.
    """

    def __init__(self, server: ManagedServer, probe: Callable[[], Awaitable[None]]) -> None:
        """Create a keeper.

        Args:
            probe: Runs a query, and raises an error if that fails.
        """
        self._server = server
        self._probe = probe
        self._task: asyncio.Task[None] | None = None
        self.trouble: str | None = None  # why the last restart failed

    def start(self) -> None:
        """Start watching, on the running event loop."""
        self._task = asyncio.create_task(self._keep())

    async def stop(self) -> None:
        """Stop watching."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def look(self) -> bool:
        """Check once, restart the server if necessary, and return whether it was restarted.

        Raises:
            GraphPalaceError: If it does not start.
        """
        if await asyncio.to_thread(self._server.ended_by_itself):
            why = "it exited by itself"
        else:
            try:
                await self._probe()
                return False
            except DatabaseBroken as error:
                why = error.message
            except DatabaseUnavailable:  # it was stopped on purpose, or is still starting
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
