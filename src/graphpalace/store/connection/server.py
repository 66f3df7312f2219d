"""Read the version and the indexes of the Neo4j server."""

from __future__ import annotations

from dataclasses import dataclass

from graphpalace.store.connection.database import Database


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """Version and edition of a Neo4j server."""

    version: str
    edition: str


@dataclass(frozen=True, slots=True)
class IndexState:
    """The state of an index.

    Attributes:
        type: Type in Neo4j's words: `RANGE`, `FULLTEXT`, `VECTOR`, ...
        state: `ONLINE`, `POPULATING` or `FAILED`.
        population: Percentage of the index that is built.
    """

    name: str
    type: str
    state: str
    population: float

    @property
    def online(self) -> bool:
        """Whether the index can be used."""
        return self.state == "ONLINE"


class ServerStore:
    """Reads facts about the server."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def info(self) -> ServerInfo:
        """Return version and edition of the server."""
        (row,) = await self._database.read(None, "health/server_info")
        return ServerInfo(**row)

    async def indexes(self) -> list[IndexState]:
        """Return every index of the database."""
        return [IndexState(**row) for row in await self._database.read(None, "health/list_indexes")]

    async def await_indexes(self, *, timeout_s: int = 300) -> None:
        """Wait until every index is online.

        Raises:
            DatabaseFailed: If an index is not online after `timeout_s` seconds.
        """
        await self._database.read(None, "health/await_indexes", timeout_s=timeout_s)
