"""The state of the database."""

from __future__ import annotations

from dataclasses import replace

from graphpalace.app.database import managed_server, open_database
from graphpalace.domain.palaces.palaces import DatabaseStatus
from graphpalace.errors import GraphPalaceError
from graphpalace.managed_neo4j.state import Running
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import SchemaStore, ServerStore
from graphpalace.store.palaces.palaces import PalaceStore


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
        return DatabaseStatus("running", server.uri, pid=state.pid, browser=state.http_url, version=state.version)
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
