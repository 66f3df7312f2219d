"""What is written down about the managed Neo4j, and whether that process still lives."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path

import psutil

_SAME_START_S = 2.0  # clocks are adjusted; a reused process id starts later than this

# Servers started by this process: kept so that a dead one can be collected and is not taken for a living one.
children: dict[int, subprocess.Popen[bytes]] = {}


@dataclass(frozen=True)
class Running:
    """A Neo4j that runs; `already_running` tells that it did so before it was asked for."""

    pid: int
    bolt_uri: str
    http_url: str
    version: str
    started_at: datetime
    already_running: bool


@dataclass(frozen=True)
class Stopped:
    """No Neo4j runs, and why."""

    reason: str


@dataclass(frozen=True)
class ServerState:
    """The content of server.json. `created` is the process's own start time, which tells a reused pid."""

    pid: int
    created: float
    bolt_port: int
    http_port: int
    version: str
    java: str
    started_at: str
    stopped: str | None = None

    @property
    def ports(self) -> dict[str, int]:
        """The ports by the names of their settings."""
        return {"bolt_port": self.bolt_port, "http_port": self.http_port}

    def running(self, *, already: bool) -> Running:
        """Describe the server to callers."""
        return Running(
            pid=self.pid,
            bolt_uri=f"bolt://127.0.0.1:{self.bolt_port}",
            http_url=f"http://127.0.0.1:{self.http_port}",
            version=self.version,
            started_at=datetime.fromisoformat(self.started_at),
            already_running=already,
        )

    def process(self) -> psutil.Process | None:
        """Return the process, or None when it has ended, also when its pid was given to another one."""
        if self.stopped is not None:
            return None
        if (child := children.get(self.pid)) is not None and child.poll() is not None:
            children.pop(self.pid, None)
        try:
            process = psutil.Process(self.pid)
            same = abs(process.create_time() - self.created) < _SAME_START_S
            return process if same and process.status() != psutil.STATUS_ZOMBIE else None
        except psutil.NoSuchProcess:
            return None


def read_state(path: Path) -> ServerState | None:
    """Return what was written down, or None where there is nothing readable."""
    try:
        return ServerState(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def write_state(path: Path, state: ServerState) -> None:
    """Write the state down in one step, so that no reader sees half of it."""
    draft = path.with_suffix(".part")
    draft.write_text(json.dumps(asdict(state), indent=2) + "\n", encoding="utf-8")
    draft.replace(path)


def stop_process(state: ServerState, *, timeout_s: float) -> ServerState:
    """End the server, first by asking. Return the state with the reason why it stopped."""
    process = state.process()
    if process is None:
        return state if state.stopped else replace(state, stopped=f"Process {state.pid} ended by itself.")
    reason = "It was stopped."
    try:
        process.terminate()
        try:
            process.wait(timeout_s)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(10)
            reason = f"It was killed, because it did not end within {timeout_s:g} s of being asked."
    except psutil.NoSuchProcess:
        pass
    if (child := children.pop(state.pid, None)) is not None:
        child.poll()
    return replace(state, stopped=reason)
