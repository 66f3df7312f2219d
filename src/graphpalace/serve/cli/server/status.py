"""The state that `graphpalace status` reports."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

from graphpalace.app import managed_server, open_database
from graphpalace.errors import GraphPalaceError
from graphpalace.managed_neo4j.state import Running
from graphpalace.serve.cli.server.service_state import service_state
from graphpalace.settings.home import Home
from graphpalace.settings.load import Settings, data_dir
from graphpalace.store.connection.schema import SchemaStore
from graphpalace.store.connection.server import ServerStore
from graphpalace.store.palaces.palaces import PalaceStore


async def status(settings: Settings) -> dict[str, Any]:
    """Return the state of the service, the server, the database, the schema and the palaces."""
    found: dict[str, Any] = {"server": "external", "uri": settings.neo4j.uri, "database": "down", "palaces": []}
    service = await asyncio.to_thread(service_state, Home(data_dir(settings), autostart=settings.service.autostart))
    found["service"] = asdict(service)
    if not settings.neo4j.uri:
        server = managed_server(settings)
        state = server.status()
        found["uri"] = server.uri
        if isinstance(state, Running):
            found |= {"server": "running", "pid": state.pid, "browser": state.http_url, "version": state.version}
        else:
            found |= {"server": "stopped", "reason": state.reason}
            return found
    try:
        database = open_database(settings)
        try:
            await database.verify()
            found |= asdict(await ServerStore(database).info())
            found["database"] = "up"
            found["schema"] = await SchemaStore(database).state()
            found["palaces"] = [asdict(palace) for palace in await PalaceStore(database).every()]
        finally:
            await database.close()
    except GraphPalaceError as error:
        found["reason"] = error.message
    return found
