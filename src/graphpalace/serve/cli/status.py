"""What `graphpalace status` finds."""

from __future__ import annotations

from typing import Any

from graphpalace.bootstrap import managed_server, open_database
from graphpalace.errors import GraphPalaceError
from graphpalace.settings import Settings
from graphpalace.store.managed.state import Running
from graphpalace.store.migrate import schema_state


async def status(settings: Settings) -> dict[str, Any]:
    """Return the state of server, database, schema and palaces; nothing is changed."""
    found: dict[str, Any] = {"server": "external", "uri": settings.neo4j.uri, "database": "down", "palaces": []}
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
            found |= (await database.read("health/server_info"))[0]
            found["database"] = "up"
            found["schema"] = await schema_state(database)
            found["palaces"] = await database.read("palaces/list_palaces")
        finally:
            await database.close()
    except GraphPalaceError as error:
        found["reason"] = error.message
    return found
