"""The recorded state of the managed Neo4j, and whether its process is still running."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path

import psutil

from graphpalace.managed_neo4j.launch import USER
from graphpalace.process_start import is_process

# Servers started by this process. A child that exited must be collected, or it looks like a running process.
children: dict[int, subprocess.Popen[bytes]] = {}


@dataclass(frozen=True)
class Running:
    """A running Neo4j; `already_running` is true if it ran before the call that returned it."""

    pid: int
    bolt_uri: str
    http_url: str
    version: str
    started_at: datetime
    already_running: bool

    @property
    def browser_url(self) -> str:
        """The link to Neo4j Browser, which fills in its address and the user."""
        return f"{self.http_url}/browser/?dbms={self.bolt_uri.replace('//', f'//{USER}@')}"


NEVER_STARTED = "It was never started."


@dataclass(frozen=True)
class Stopped:
    """No Neo4j is running; `reason` says why."""

    reason: str


@dataclass(frozen=True)
class ServerState:
    """The content of server.json. `created` and `born`, the process's mark, reveal a reused pid."""

    pid: int
    created: float
    bolt_port: int
    http_port: int
    version: str
    java: str
    started_at: str
    stopped: str | None = None
    born: str = ""

    @property
    def ports(self) -> dict[str, int]:
        """The ports by the names of their settings."""
        return {"bolt_port": self.bolt_port, "http_port": self.http_port}

    def running(self, *, already: bool) -> Running:
        """Return the description of the running server."""
        return Running(
            pid=self.pid,
            bolt_uri=f"bolt://127.0.0.1:{self.bolt_port}",
            http_url=f"http://127.0.0.1:{self.http_port}",
            version=self.version,
            started_at=datetime.fromisoformat(self.started_at),
            already_running=already,
        )

    def process(self) -> psutil.Process | None:
        """Return the process, or None if it has exited, even if its pid now belongs to another process."""
        if self.stopped is not None:
            return None
        if (child := children.get(self.pid)) is not None and child.poll() is not None:
            children.pop(self.pid, None)
        try:
            process = psutil.Process(self.pid)
            same = is_process(self.pid, born=self.born, created=self.created)
            return process if same and process.status() != psutil.STATUS_ZOMBIE else None
        except psutil.NoSuchProcess:
            return None


def read_state(path: Path) -> ServerState | None:
    """Return the recorded state, or None if there is no readable one."""
    try:
        return ServerState(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def write_state(path: Path, state: ServerState) -> None:
    """Write the state in one step, so that no reader sees half of it."""
    draft = path.with_suffix(".part")
    draft.write_text(json.dumps(asdict(state), indent=2) + "\n", encoding="utf-8")
    draft.replace(path)


def stop_process(state: ServerState, *, timeout_s: float) -> ServerState:
    """Terminate the server, and kill it after `timeout_s` seconds. Return the state with the reason why it stopped."""
    process = state.process()
    if process is None:
        return state if state.stopped else replace(state, stopped=f"Process {state.pid} exited by itself.")
    reason = "It was stopped."
    try:
        process.terminate()
        try:
            process.wait(timeout_s)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(10)
            reason = f"It was killed because it did not exit within {timeout_s:g} s."
    except psutil.NoSuchProcess:
        pass
    if (child := children.pop(state.pid, None)) is not None:
        child.poll()
    return replace(state, stopped=reason)
