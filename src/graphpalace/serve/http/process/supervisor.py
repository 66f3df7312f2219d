"""Connects the service to its database, restarts and reconnects it while it is down, and follows its changes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import structlog

from graphpalace.app import GraphPalace, managed_server, wire
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import DatabaseBroken, DatabaseUnavailable, GraphPalaceError, ModelMismatch
from graphpalace.managed_neo4j.server import ManagedServer
from graphpalace.serve.http.process.warm_up import WarmUp, give_back_memory
from graphpalace.serve.timetable import Timetable
from graphpalace.settings.load import Settings
from graphpalace.store.connection.schema import SchemaStore, ServerStore
from graphpalace.store.palaces.languages import WordsDue, renew_words
from graphpalace.store.palaces.palaces import ChangeStore
from graphpalace.telemetry import metrics
from graphpalace.telemetry.work_ids import background_task

_LOG = structlog.get_logger("graphpalace.service")
_LOOK_S = 0.25  # for a process that has exited, which costs two small files
_PROBE_EVERY = 8  # looks, for a query that shows a process that runs and serves nothing
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
        self._looks = 0
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
        self._looks += 1
        if await asyncio.to_thread(self._server.ended_by_itself):
            why = "it exited by itself"
        elif self._looks % _PROBE_EVERY != 1:
            return False
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


_DAY_S = 24 * 3600
_CHANGES_KEPT_S = _DAY_S
_PRUNE_S = 3600
_RESUME_S = 15
_GIVE_BACK_S = 60
_ANSWER_S = 5.0
_STARTING = "the service is starting"


class Supervisor:
    """The connection of the service to its database.

    The service starts without a connection. A task connects, migrates and loads, and tries again every second until it
    succeeds. After that, scheduled jobs follow the changes of other services, delete old entries of the change feed,
    and resume background jobs that no service is working on.
    """

    def __init__(self, settings: Settings, *, embedder: Embedder | None = None) -> None:
        self._settings = settings
        self._embedder = embedder
        self._wired: GraphPalace | None = None
        self._trouble = _STARTING
        self._timetable = Timetable()
        self._task: asyncio.Task[None] | None = None
        self._warm_up = WarmUp()
        self._keeper = None if settings.neo4j.uri else Neo4jKeeper(managed_server(settings), self._probe)

    def operations(self) -> GraphPalace:
        """Return the operations.

        Raises:
            DatabaseUnavailable: Until the database has been reached for the first time.
        """
        if self._wired is None:
            raise DatabaseUnavailable(self._trouble)
        return self._wired

    def start(self) -> None:
        """Start connecting."""
        self._task = background_task("start", self._connect())
        if self._keeper:
            self._keeper.start()

    async def stop(self) -> None:
        """Stop the jobs and close the connections."""
        if self._keeper:
            await self._keeper.stop()
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self._warm_up.stop()
        await self._timetable.stop()
        if self._wired:
            await self._wired.close()

    async def readiness(self, *, lenient: bool = False) -> tuple[bool, dict[str, Any]]:
        """Return whether requests can be answered, and the state of database, schema, indexes, memory and model.

        Args:
            lenient: Whether the service counts as ready while the model still loads: full-text search works then.
        """
        report: dict[str, Any] = {"database": "down", "schema": "unknown", "indexes": {}, "palaces_in_memory": []}
        if self._wired is None:
            return False, report | {"starting": self._trouble == _STARTING, "reason": self._trouble}
        report["embedding_model"] = self._warm_up.state
        try:
            async with asyncio.timeout(_ANSWER_S):
                await self._wired.database.verify()
                # A server that has stopped serving its database still accepts connections; only a query shows it.
                report["schema"] = await SchemaStore(self._wired.database).state()
                report["database"] = "up"
                indexes = await ServerStore(self._wired.database).indexes()
        except TimeoutError:
            reason = f"Neo4j at {self._wired.database.uri} did not answer within {_ANSWER_S:g} s"
            return False, report | {"reason": self._why(reason)}
        except GraphPalaceError as error:
            state = {"database": "broken"} if isinstance(error, DatabaseBroken) else {}
            return False, report | state | {"reason": self._why(error.message)}
        report["indexes"] = {index.name: index.state for index in indexes if not index.online}
        report["palaces_in_memory"] = self._wired.replica.indexes.loaded
        reason = self._missing(report, lenient=lenient)
        return reason is None, report if reason is None else report | {"reason": reason}

    def _missing(self, report: dict[str, Any], *, lenient: bool) -> str | None:
        """Return what keeps the service from being ready although the database answers, or None."""
        if report["schema"] != "current":
            return f"the schema is {report['schema']}"
        if report["indexes"]:
            return f"indexes are not online yet: {', '.join(report['indexes'])}"
        if not lenient and self._warm_up.state != "loaded":
            return f"the embedding model: {self._warm_up.state}; full-text search works already (/health/ready?lenient)"
        if not lenient and not self._warm_up.done:
            return "the usual questions are being asked once, so that the first answer is quick"
        return None

    def _why(self, reason: str) -> str:
        """Return why the database does not answer, and why its server could not be restarted."""
        failed = self._keeper.trouble if self._keeper else None
        return f"{reason}. It could not be restarted: {failed}" if failed else reason

    async def _probe(self) -> None:
        if self._wired is None:
            raise DatabaseUnavailable(self._trouble)
        await ServerStore(self._wired.database).info()

    async def _connect(self) -> None:
        while self._wired is None:
            try:
                self._wired = await self._reach()
            except Exception as error:  # whatever the error is, the service logs it and keeps trying
                message = error.message if isinstance(error, GraphPalaceError) else repr(error)
                if message != self._trouble:
                    _LOG.warning("database_not_ready", reason=message)
                self._trouble = message
                await asyncio.sleep(1)
        _LOG.info("ready", palaces=self._wired.replica.indexes.loaded)
        self._warm_up.start(self._wired, self._settings.palace.name)
        self._timetable.every(_GIVE_BACK_S, give_back_memory)
        self._timetable.every(self._settings.service.refresh_s, self._refresh)
        self._timetable.every(_PRUNE_S, self._prune)
        self._timetable.every(_RESUME_S, self._resume, at_once=True)
        self._timetable.every(_RESUME_S, self._renew_words, at_once=True)
        self._timetable.start()

    async def _reach(self) -> GraphPalace:
        wired = wire(self._settings, embedder=self._embedder)
        try:
            await wired.database.verify()
            await wired.prepare(any_model=True)  # so that `reembed` can give the palace another one
            with contextlib.suppress(ModelMismatch):  # the warm-up says it
                await wired.replica.indexes.warm(self._settings.palace.name)
        except BaseException:
            await wired.close()
            raise
        return wired

    async def _refresh(self) -> None:
        with contextlib.suppress(DatabaseUnavailable):
            await self.operations().follow()
            metrics.REPLICA_FOLLOWED.set_to_current_time()

    async def _prune(self) -> None:
        with contextlib.suppress(DatabaseUnavailable):
            await ChangeStore(self.operations().database).forget(keep_s=_CHANGES_KEPT_S)
            await self.operations().history.keyed_requests.forget(keep_s=self._settings.service.keep_keys_days * _DAY_S)

    async def _renew_words(self) -> None:
        with contextlib.suppress(DatabaseUnavailable):
            await renew_words(self.operations().database, _tell_renewal)

    async def _resume(self) -> None:
        with contextlib.suppress(DatabaseUnavailable):
            await self.operations().jobs.resume_unfinished()
            await self.operations().knowledge.names.resume()


def _tell_renewal(due: WordsDue) -> None:
    if due.drawers:
        _LOG.info("renewing_words", palace=due.name, done=due.drawers - due.left, drawers=due.drawers)
