"""What is known of the service of a data folder, for `status`, `service status` and `doctor`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from graphpalace import __version__
from graphpalace.client import service_file
from graphpalace.client.service_answer import answers
from graphpalace.client.service_process import last_words
from graphpalace.errors import Unauthorized
from graphpalace.process_start import memory_bytes
from graphpalace.settings.home import Home

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
