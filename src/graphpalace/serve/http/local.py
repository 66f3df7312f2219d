"""The API of the service for callers of the same process: the same routes, without a port and its guards."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Protocol, Self

from fastapi import FastAPI

from graphpalace.app import GraphPalace, opened
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import DatabaseUnavailable
from graphpalace.serve.http.app import add_routes
from graphpalace.serve.timetable import Timetable
from graphpalace.settings.load import Settings
from graphpalace.telemetry.otlp import tracing


class Supervised(Protocol):
    """What has the operations, once the database is reached."""

    def operations(self) -> GraphPalace:
        """Return the operations.

        Raises:
            DatabaseUnavailable: If there are none now.
        """
        ...


def local_api(settings: Settings, supervised: Supervised) -> FastAPI:
    """Return the routes of the API alone, for callers in this process that pass no guard."""
    application = FastAPI(openapi_url=None)
    application.state.supervisor = supervised
    add_routes(application, settings)
    return application


class LocalService:
    """The operations on one database, behind the routes of the service.

    Attributes:
        application: Answers requests, as ASGI defines them, after `start` and before `stop`.
    """

    def __init__(self, settings: Settings, *, embedder: Embedder | None = None) -> None:
        """Wire it; nothing is reached yet.

        Args:
            embedder: Another embedding model than the configured one.
        """
        self._settings = settings
        self._embedder = embedder
        self._resources = AsyncExitStack()
        self._operations: GraphPalace | None = None
        self.application = local_api(settings, self)
        self.application.state.ingest_folders = None  # the caller may read what this process may read
        self.application.state.conversation_folders = None

    def operations(self) -> GraphPalace:
        """Return the operations.

        Raises:
            DatabaseUnavailable: Before `start` and after `stop`.
        """
        if self._operations is None:
            raise DatabaseUnavailable("the palace is closed")
        return self._operations

    async def start(self) -> Self:
        """Connect to the database, and follow the changes of other processes from now on.

        Raises:
            DatabaseUnavailable: If Neo4j does not run.
            SettingsInvalid: If traces are asked for without their packages.
        """
        async with AsyncExitStack() as started:
            started.enter_context(tracing(self._settings.telemetry))
            operations = await started.enter_async_context(
                opened(self._settings, embedder=self._embedder, any_model=True)
            )
            timetable = Timetable()
            timetable.every(self._settings.service.refresh_s, operations.follow)
            timetable.start()
            started.push_async_callback(timetable.stop)
            self._resources = started.pop_all()
        self._operations = operations
        return self

    async def stop(self) -> None:
        """End what is under way, and close the database."""
        self._operations = None
        await self._resources.aclose()
