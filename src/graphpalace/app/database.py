"""Connect to the database: the user's own server, or the managed one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from graphpalace.errors import DatabaseAuthFailed, DatabaseUnavailable
from graphpalace.managed_neo4j.server import ManagedServer
from graphpalace.operations.palaces.word_renewal import renew_words
from graphpalace.settings.load import Settings, cache_dir, data_dir
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import SchemaStore
from graphpalace.store.palaces.index_repair import IndexRepair
from graphpalace.store.palaces.languages import WordsDue
from graphpalace.store.palaces.palace_drops import PalaceDrops
from graphpalace.store.palaces.palaces import PalaceStore


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
    neo4j = settings.neo4j
    if neo4j.uri:
        password = neo4j.password.get_secret_value()
        return Database(uri=neo4j.uri, user=neo4j.user, password=password, database=neo4j.database)
    server = managed_server(settings)
    try:
        return Database(uri=server.uri, user=server.user, password=server.password, home=server.home)
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
