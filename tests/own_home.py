"""A data folder with a service and a Neo4j that `graphpalace up` starts, and that can be killed."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import httpx
import neo4j

from graphpalace.client import service_file
from tests.acceptance.commands import apart, environ_of
from tests.acceptance.served import free_port
from tests.own_server import server_section

BACK_S = 180  # the goal of 10 s is for a machine with nothing else to do; docs/RELIABILITY.md has what was measured
_NOTHING_FADES = {"GRAPHPALACE_DECAY__CYCLE_SECONDS": "1e9", "GRAPHPALACE_PHEROMONES__MAX_PHEROMONE": "1e9"}


class OwnHome:
    """A data folder with a service and a Neo4j that `graphpalace up` starts."""

    def __init__(self, folder: Path) -> None:
        with free_port() as listener:
            self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.environ = environ_of(server_section(folder / "data")) | _NOTHING_FADES
        self.environ |= {"GRAPHPALACE_SERVICE__PORT": self.url.rpartition(":")[2]}
        self.environ |= {"GRAPHPALACE_SERVICE__OPEN_ON_LOOPBACK": "true"}
        for kind in ("READ", "WRITE"):  # as shipped
            del self.environ[f"GRAPHPALACE_SERVICE__{kind}_DEADLINE_S"]
        self.folder, self._cwd = folder / "data", folder

    def run(self, *words: str) -> str:
        ran = apart(self.environ, self._cwd, *words)
        assert ran.code == 0, ran.err
        return ran.out

    @property
    def neo4j_pid(self) -> int:
        return json.loads((self.folder / "neo4j" / "server.json").read_text())["pid"]

    def kill(self, what: str) -> None:
        """Kill the service, Neo4j, or both."""
        neo4j_pid = self.neo4j_pid
        if what != "Neo4j":
            os.kill(service_file.running(self.folder).pid, signal.SIGKILL)
        if what != "service":
            os.kill(neo4j_pid, signal.SIGKILL)

    def wait_until_ready(self) -> None:
        until = time.monotonic() + BACK_S
        while time.monotonic() < until:
            try:
                if httpx.get(f"{self.url}/health/ready", timeout=10).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.05)
        raise AssertionError((self.folder / "service.log").read_text()[-3000:])

    def driver(self) -> neo4j.Driver:
        port = json.loads((self.folder / "neo4j" / "server.json").read_text())["bolt_port"]
        password = (self.folder / "neo4j" / "password").read_text().strip()
        return neo4j.GraphDatabase.driver(f"bolt://127.0.0.1:{port}", auth=("neo4j", password))
