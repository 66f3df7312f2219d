"""The state that `graphpalace status` reports."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from graphpalace.client.synchronous.palace import Palace
from graphpalace.errors import GraphPalaceError
from graphpalace.hook.notes import FOLDER
from graphpalace.serve.cli.context import context
from graphpalace.serve.cli.server.service_state import service_state

if TYPE_CHECKING:
    from graphpalace.domain.palaces.palaces import DatabaseStatus
    from graphpalace.serve.cli.server.service_state import ServiceState


def status() -> dict[str, Any]:
    """Return the state of the service, the server, the database, the schema, the palaces, and hooks that failed."""
    from graphpalace.operations.hooks.reports import hook_report, recent_failures

    service = service_state(context.home())
    found = {name: value for name, value in asdict(_database(service)).items() if value not in (None, "")}
    failures = recent_failures(hook_report(context.home().folder / FOLDER), now=datetime.now(UTC))
    return found | {"palaces": list(found["palaces"]), "service": asdict(service), "hook_failures": failures}


def _database(service: ServiceState) -> DatabaseStatus:
    """Ask the service for the state of the database; without one, look at it from here."""
    if service.state == "running":
        from graphpalace.client import service_file

        running = service_file.read(context.home().folder)
        try:
            if running is not None:
                with Palace.connect(running.url, running.key or None) as palace:
                    return palace.palaces.status()
        except GraphPalaceError:  # it does not reach the database, and the reason is found from here too
            pass
    import asyncio

    from graphpalace.app.status import database_status

    return asyncio.run(database_status(context.settings()))
