"""The Neo4j server under all palaces: its version and its indexes."""

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
    """An index.

    Attributes:
        type: As Neo4j calls it: `RANGE`, `FULLTEXT`, `VECTOR`, ...
        state: `ONLINE`, `POPULATING` or `FAILED`.
        population: How much of it is filled, in percent.
    """

    name: str
    type: str
    state: str
    population: float

    @property
    def online(self) -> bool:
        """Whether it can be asked."""
        return self.state == "ONLINE"


class ServerStore:
    """Asks the server about itself."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def info(self) -> ServerInfo:
        """Return version and edition."""
        (row,) = await self._database.read(None, "health/server_info")
        return ServerInfo(**row)

    async def indexes(self) -> list[IndexState]:
        """Return every index of the database."""
        return [IndexState(**row) for row in await self._database.read(None, "health/list_indexes")]

    async def await_indexes(self, *, timeout_s: int = 300) -> None:
        """Return once every index is online.

        Raises:
            DatabaseFailed: If one is not after these seconds.
        """
        await self._database.read(None, "health/await_indexes", timeout_s=timeout_s)
