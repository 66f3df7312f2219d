"""What the benchmarks share: a Neo4j of their own in a temporary folder, and a large palace in it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx
import psutil

from benchmarks.large_palace import DRAWERS, LargePalace, fill
from benchmarks.result import Result, commit, machine
from graphpalace.app import managed_server
from graphpalace.managed_neo4j.java import find_java
from graphpalace.managed_neo4j.server import ManagedServer
from graphpalace.managed_neo4j.state import Running, read_state
from graphpalace.settings.load import Settings, cache_dir, load

_AT_REST_S = 0.1  # of processor time in a second, and less: nothing goes on


class Workbench:
    """A Neo4j that runs as long as this is used; nothing of the user's palaces is touched.

    Args:
        home: An empty folder; who made it removes it.
        drawers: Drawers or members of a lane, for benchmarks that can be made smaller or larger; None: their own size.
        collections: Folders of test collections, for the benchmark that measures how good a search is.
    """

    def __init__(self, home: Path, *, drawers: int | None = None, collections: Sequence[Path] = ()) -> None:
        self.home = home
        self.drawers = drawers
        self.collections = collections
        # Downloaded jars are shared with the user's own server; they are read only.
        self._neo4j = {
            "data_dir": str(home / "data"),
            "cache_dir": str(cache_dir(load())),
            "bolt_port": 0,
            "http_port": 0,
        }
        self._large: dict[int, LargePalace] = {}

    @cached_property
    def settings(self) -> Settings:
        """Settings of this server; all else by default."""
        return Settings.model_validate({"neo4j": self._neo4j})

    @cached_property
    def server(self) -> ManagedServer:
        """The server, which `running` starts."""
        return managed_server(self.settings)

    @cached_property
    def running(self) -> Running:
        """Start the server."""
        say("starting a Neo4j")
        return self.server.up(timeout_s=300)

    def close(self) -> None:
        """Stop the server if it was started."""
        if "running" in self.__dict__:
            self.server.down()

    async def large(self, drawers: int = DRAWERS) -> LargePalace:
        """Return the palace of so many drawers, made at the first call."""
        if drawers not in self._large:
            assert self.running
            self._large[drawers] = await fill(self.settings, f"drawers_{drawers}", drawers=drawers)
        return self._large[drawers]

    def result(self, name: str, *, ratio: float, target: float, met: bool, figures: dict[str, Any]) -> Result:
        """Return a result with commit and machine."""
        here = machine(neo4j=self.running.version, java=find_java().version)
        return Result(name, ratio, target, met, figures, commit(), here)

    def cpu_s(self) -> float:
        """Return the seconds of processor time that this process and the server have used so far."""
        state = read_state(self.server.home / "server.json")
        server = state.process() if state else None
        spent = [process.cpu_times() for process in (psutil.Process(), server) if process]
        return sum(times.user + times.system for times in spent)

    def rest(self, *, most_s: float = 120) -> float:
        """Wait until the server has done what goes on in it after its last answer, and return the seconds it took."""
        started, before = time.perf_counter(), self.cpu_s()
        while time.perf_counter() - started < most_s:
            time.sleep(1)
            now = self.cpu_s()
            if now - before < _AT_REST_S:
                break
            before = now
        return time.perf_counter() - started

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of a `graphpalace` process that uses this server and no settings file."""
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("GRAPHPALACE_")}
        named = {f"GRAPHPALACE_NEO4J__{key.upper()}": str(value) for key, value in self._neo4j.items()}
        return inherited | named | more

    @contextmanager
    def service(self, palace: str, **more: str) -> Iterator[Service]:
        """Run `graphpalace serve` on a free port until the block ends.

        Args:
            more: Further variables of its environment.
        """
        environment = self.environment(
            GRAPHPALACE_PALACE__NAME=palace,
            GRAPHPALACE_SERVICE__LOG_FORMAT="json",
            GRAPHPALACE_SERVICE__OPEN_ON_LOOPBACK="true",  # the key is not what is measured
            **more,
        )
        command = [str(Path(sys.executable).with_name("graphpalace")), "serve", "--port", "0"]
        with (self.home / "service.log").open("ab") as log:
            started = time.perf_counter()
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, env=environment, cwd=self.home, text=True
            )
            try:
                yield Service(process, started)
            finally:
                process.terminate()
                try:
                    process.wait(30)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


class Service:
    """A `graphpalace serve` that was just started.

    Attributes:
        url: Where it listens.
        listening_s: Seconds from the start of the process until it said so.
        pid: Of the process.
    """

    def __init__(self, process: subprocess.Popen[str], started: float) -> None:
        self._started = started
        self.pid = process.pid
        assert process.stdout
        for line in process.stdout:
            if line.startswith("GraphPalace serves "):
                self.url = line.split()[2]
                break
        else:
            raise RuntimeError("the service ended before it listened")
        self.listening_s = time.perf_counter() - started

    def ready_s(self, *, lenient: bool = False, timeout_s: float = 300) -> float:
        """Wait until it is ready, or finds words at least, and return the seconds from the start of the process."""
        path = "/health/ready?lenient" if lenient else "/health/ready"
        with httpx.Client(base_url=self.url, timeout=timeout_s) as client:
            while time.perf_counter() - self._started < timeout_s:
                try:
                    if client.get(path).status_code == 200:
                        return time.perf_counter() - self._started
                except httpx.TransportError:
                    pass
                time.sleep(0.02)
        raise RuntimeError(f"the service was not ready in {timeout_s} s")


def say(text: str) -> None:
    """Tell a person what is being done; standard output is for results."""
    print(f"  {text} ...", file=sys.stderr, flush=True)
