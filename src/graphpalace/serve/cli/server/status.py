"""What is known of the service of a data folder and of its database, for `status`, `service status` and `doctor`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from graphpalace import __version__
from graphpalace.client import service_file
from graphpalace.client.service_process import answers, last_words
from graphpalace.client.synchronous.palace import Palace
from graphpalace.errors import GraphPalaceError, Unauthorized
from graphpalace.hook.notes import FOLDER
from graphpalace.process_start import memory_bytes
from graphpalace.serve.cli.context import context
from graphpalace.settings.home import Home

if TYPE_CHECKING:
    from graphpalace.domain.palaces.palaces import DatabaseStatus


State = Literal["running", "not answering", "of another version", "stopped", "not readable"]


@dataclass(frozen=True, slots=True)
class ServiceState:
    """The service of a data folder, which may not run.

    Attributes:
        state: `not answering` means that its process runs and does not answer in ten seconds.
        reason: Why it is not simply running or stopped; the error at the end of its log if it was not stopped.
        memory_mib: Memory of its process that is in use (RSS).
        open: Whether it answers without a key.
    """

    state: State
    folder: str
    log: str
    autostart: bool
    url: str = ""
    pid: int | None = None
    version: str = ""
    started_at: str = ""
    memory_mib: float | None = None
    open: bool = False
    reason: str = ""


def service_state(home: Home) -> ServiceState:
    """Look at the service's file, its process, and whether it answers."""
    known = {"folder": str(home.folder), "log": str(home.log), "autostart": home.autostart}
    try:
        found = service_file.read(home.folder)
    except Unauthorized as error:
        return ServiceState("not readable", **known, reason=error.message)
    if found is None:
        return ServiceState("stopped", **known)
    if not found.alive:
        said = last_words(home.log)
        reason = f"process {found.pid} ended without being stopped" + (f"; end of its log: {said}" if said else "")
        return ServiceState("stopped", **known, reason=reason)
    state, reason = "running", ""
    if not answers(found):
        state, reason = "not answering", f"process {found.pid} does not answer at {found.url}"
    elif found.version != __version__:
        state, reason = "of another version", f"it is GraphPalace {found.version}, and this is {__version__}"
    return ServiceState(
        state,
        **known,
        url=found.url,
        pid=found.pid,
        version=found.version,
        started_at=datetime.fromtimestamp(found.started, UTC).isoformat(timespec="seconds"),
        memory_mib=_memory_mib(found.pid),
        open=not found.key,
        reason=reason,
    )


def _memory_mib(pid: int) -> float | None:
    used = memory_bytes(pid)
    return None if used is None else round(used / 2**20, 1)


def status() -> dict[str, Any]:
    """Return the state of the service, the server, the database, the palaces, and hooks that failed."""
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

    from graphpalace.app.database import database_status

    return asyncio.run(database_status(context.settings()))
