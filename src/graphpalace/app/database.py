"""The database: connect to the user's own server or the managed one, tell its state, and compact its files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from graphpalace.domain.palaces.palaces import DatabaseStatus
from graphpalace.errors import Conflict, DatabaseAuthFailed, DatabaseUnavailable, GraphPalaceError
from graphpalace.managed_neo4j.server import ManagedServer
from graphpalace.managed_neo4j.state import Running
from graphpalace.settings.load import Settings, cache_dir, data_dir
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import SchemaStore, ServerStore
from graphpalace.store.graph_copy import CopiedGraph, copy_graph
from graphpalace.store.palaces.index_repair import IndexRepair
from graphpalace.store.palaces.languages import WordsDue, renew_words
from graphpalace.store.palaces.palaces import PalaceDrops, PalaceStore


def managed_server(settings: Settings) -> ManagedServer:
    """Return the managed Neo4j of these settings, running or not."""
    neo4j = settings.neo4j
    return ManagedServer(
        data_dir(settings),
        cache_dir(settings),
        neo4j.version,
        bolt_port=neo4j.bolt_port,
        http_port=neo4j.http_port,
        heap_mib=neo4j.heap_mb or None,
        repository_url=neo4j.repository_url or None,
    )


def open_database(settings: Settings) -> Database:
    """Return the database of these settings: the one at `[neo4j] uri`, or the managed one.

    Raises:
        DatabaseUnavailable: If the managed server was never started.
    """
    neo4j, slow_s = settings.neo4j, settings.telemetry.slow_query_s
    if neo4j.uri:
        password = neo4j.password.get_secret_value()
        return Database(uri=neo4j.uri, user=neo4j.user, password=password, database=neo4j.database, slow_query_s=slow_s)
    server = managed_server(settings)
    try:
        return Database(
            uri=server.uri, user=server.user, password=server.password, home=server.home, slow_query_s=slow_s
        )
    except DatabaseAuthFailed as error:
        raise DatabaseUnavailable("the managed Neo4j has never been started: run `graphpalace up`") from error


async def migrate_database(settings: Settings) -> list[str]:
    """Migrate the schema, and create the default palace if it is missing; return the applied versions."""
    async with reached(settings) as (_, applied):
        return applied


async def renew_palaces(settings: Settings, progress: Callable[[WordsDue], object]) -> list[str]:
    """Bring the words of all palaces up to date; return the names of the palaces that were not.

    Args:
        progress: Called before each batch of drawers.
    """
    async with reached(settings) as (database, _):
        return await renew_words(database, progress)


async def pending_migrations(settings: Settings) -> list[str]:
    """Return the versions of the migrations that `migrate_database` would apply. Nothing is changed.

    Raises:
        SchemaTooNew: If a newer version has migrated the database.
    """
    database = open_database(settings)
    try:
        await database.verify()
        return [one.version for one in await SchemaStore(database).pending()]
    finally:
        await database.close()


async def repair_indexes(settings: Settings) -> list[str]:
    """Create indexes and constraints again that are missing or have failed, and return their names."""
    async with reached(settings) as (database, _):
        return await IndexRepair(database).repair()


@asynccontextmanager
async def reached(settings: Settings) -> AsyncIterator[tuple[Database, list[str]]]:
    """Yield the migrated database, which has the default palace, and the applied versions; close it afterwards.

    This needs no embedding model, so a command can report a wrong name before it loads one.
    """
    database = open_database(settings)
    try:
        await database.verify()
        applied = await SchemaStore(database).migrate()
        await PalaceDrops(database).finish()
        await PalaceStore(database).renew()
        await make_palace(settings, database, settings.palace.name)
        yield database, applied
    finally:
        await database.close()


async def make_palace(settings: Settings, database: Database, name: str) -> bool:
    """Create a palace for the configured embedding model; return False if it exists already."""
    model, analyzer = settings.embeddings, settings.search.analyzer
    return await PalaceStore(database).create(name, model=model.model, dimension=model.dimension, analyzer=analyzer)


async def database_status(settings: Settings, database: Database | None = None) -> DatabaseStatus:
    """Return the state of the database. A database that does not answer is a state too, not an error.

    Args:
        database: A connection to use; None: open one.
    """
    found = _server(settings)
    if found.server == "stopped":
        return found
    try:
        if database is not None:
            return await _answered(found, database)
        own = open_database(settings)
        try:
            return await _answered(found, own)
        finally:
            await own.close()
    except GraphPalaceError as error:
        return replace(found, reason=error.message)


def _server(settings: Settings) -> DatabaseStatus:
    if settings.neo4j.uri:
        return DatabaseStatus("external", settings.neo4j.uri)
    server = managed_server(settings)
    state = server.status()
    if isinstance(state, Running):
        return DatabaseStatus("running", server.uri, pid=state.pid, browser=state.browser_url, version=state.version)
    return DatabaseStatus("stopped", server.uri, reason=state.reason)


async def _answered(found: DatabaseStatus, database: Database) -> DatabaseStatus:
    await database.verify()
    info = await ServerStore(database).info()
    return replace(
        found,
        database="up",
        version=info.version,
        edition=info.edition,
        schema=await SchemaStore(database).state(),
        palaces=await PalaceStore(database).every(),
    )


@dataclass(frozen=True, slots=True)
class Compacted:
    """What `compact` copied into fresh files."""

    nodes: int
    relationships: int
    bytes_before: int
    bytes_after: int


def compact(
    settings: Settings,
    *,
    tell: Callable[[str], None] = lambda _what: None,
    progress: Callable[[CopiedGraph], None] = lambda _: None,
) -> Compacted:
    """Copy the managed database into fresh files, which replace the old ones.

    The managed Neo4j is stopped afterwards. No service may run on it meanwhile.

    Raises:
        Conflict: If another Neo4j is configured, whose files only its administrator can change, or the managed one has
            no data yet.
        NotEnoughDisk: If a second store does not fit on the disk.
    """
    if settings.neo4j.uri:
        raise Conflict(
            f"[neo4j] uri is {settings.neo4j.uri!r}; compact changes only the files of the managed Neo4j. Ask the "
            "administrator of this Neo4j to copy the database into a fresh one: `neo4j-admin database copy` in the "
            "Enterprise edition, or `graphpalace compact` with a managed Neo4j and its store",
            uri=settings.neo4j.uri,
        )
    server = managed_server(settings)
    if not (server.home / "data").exists():
        raise Conflict(f"there is no database in {server.home}: nothing can be compacted")
    copied = CopiedGraph(0, 0)

    def copy(old: str, new: str, password: str) -> None:
        nonlocal copied
        copied = asyncio.run(_copied(server, (old, new), password, progress))

    before, after = server.compact(copy, tell=tell)
    return Compacted(copied.nodes, copied.relationships, before, after)


async def _copied(
    server: ManagedServer, uris: tuple[str, str], password: str, progress: Callable[[CopiedGraph], None]
) -> CopiedGraph:
    source, target = (Database(uri=uri, user=server.user, password=password) for uri in uris)
    try:
        return await copy_graph(source, target, progress=progress)
    finally:
        await source.close()
        await target.close()
