"""The doctor and a service with its own Neo4j: each test breaks something, and runs the command that is suggested."""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil
import pytest

from graphpalace.settings.load import cache_dir, load

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(390)]


class Ward:
    """A data folder with its service and its Neo4j."""

    def __init__(self, folder: Path, environ: Mapping[str, str]) -> None:
        self.home = folder / "data"
        self.neo4j = self.home / "neo4j"
        self.environ = dict(environ)

    def run(self, line: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a line of a shell."""
        return subprocess.run(
            line, shell=True, env=self.environ | more, capture_output=True, text=True, timeout=300, check=False
        )

    def found(self, **more: str) -> dict[str, Any]:
        """Return what the doctor finds and does not call good, by the name of the check."""
        ran = self.run("graphpalace doctor --json", **more)
        checks = json.loads(ran.stdout)
        password = self.neo4j / "password"
        if password.exists() and (secret := password.read_text().strip()):
            assert secret not in ran.stdout + ran.stderr
        assert ran.returncode == int(any(check["state"] == "bad" for check in checks)), ran.stdout
        return {check["name"]: check for check in reversed(checks) if check["state"] != "good"}

    def cured(self, name: str, said: str, **more: str) -> None:
        """See that the doctor finds something, run the command that it suggests, and see that it is gone."""
        found = self.found(**more)[name]
        assert said in found["found"]
        ran = self.run(found["command"], **more)
        assert ran.returncode == 0, (found, ran.stdout + ran.stderr)
        assert name not in self.found(**more), found

    def process(self, record: str) -> int:
        """Return the process that a file of the data folder names."""
        return json.loads((self.home / record).read_text())["pid"]


@pytest.fixture(scope="module")
def ward(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ward]:
    """A service that runs, with a cache of its own, and a repository from which that is filled again."""
    tmp_path = tmp_path_factory.mktemp("ward")
    theirs, ours = cache_dir(load()), tmp_path / "cache"
    for path in (*(theirs / "jars").rglob("*.jar"), *(theirs / "models").glob("*.*")):
        place = ours / path.relative_to(theirs)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(path)
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(theirs / "jars"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as repository:
        threading.Thread(target=repository.serve_forever, daemon=True).start()
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHPALACE_")}
        own = {
            "NEO4J__DATA_DIR": str(tmp_path / "data"), "NEO4J__CACHE_DIR": str(ours), "NEO4J__BOLT_PORT": "0",
            "NEO4J__HTTP_PORT": "0", "NEO4J__HEAP_MB": "512", "SERVICE__PORT": "0",
            "NEO4J__REPOSITORY_URL": f"http://127.0.0.1:{repository.server_port}",
        }  # fmt: skip
        environ = clean | {f"GRAPHPALACE_{name}": value for name, value in own.items()}
        environ |= {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{clean['PATH']}", "HOME": str(tmp_path)}
        ward = Ward(tmp_path, environ)
        try:
            assert ward.run("graphpalace up").returncode == 0
            yield ward
        finally:
            ward.run("graphpalace down")
            repository.shutdown()


def test_a_service_and_a_neo4j_that_were_killed(ward: Ward) -> None:
    assert ward.found() == {}
    service = psutil.Process(ward.process("service.json"))
    for process in (service.parent(), service):  # its keeper would start it again
        assert process is not None
        process.kill()
    os.kill(ward.process("neo4j/server.json"), signal.SIGKILL)
    _wait(lambda: "ended without being stopped" in ward.found()["Service"]["found"])
    ward.cured("Managed Neo4j", "exited by itself")
    assert ward.found() == {}


def test_a_service_of_another_version_or_with_other_settings(ward: Ward) -> None:
    record = ward.home / "service.json"
    service = json.loads(record.read_text())
    record.write_text(json.dumps(service | {"version": "0.0.9"}))
    ward.cured("Service", "of another version: it is GraphPalace 0.0.9")
    ward.environ["GRAPHPALACE_SEARCH__LANE_TIMEOUT_S"] = "7"
    ward.cured("Service settings", "another search.lane_timeout_s")


def test_a_damaged_jar_and_what_a_compact_has_left(ward: Ward) -> None:
    jar = sorted((ward.home.parent / "cache" / "jars").rglob("neo4j-bolt-*.jar"))[0]
    damaged = jar.read_bytes()[:-1] + b"?"
    jar.unlink()
    jar.write_bytes(damaged)
    (ward.neo4j / "compacting").mkdir()
    assert "an interrupted `graphpalace compact` left" in ward.found()["Leftovers"]["found"]
    ward.cured("Neo4j jars", "changed: ")
    assert ward.found() == {}


def test_a_password_that_is_wrong_or_missing(ward: Ward) -> None:
    (ward.neo4j / "password").write_text("wrong")
    ward.cured("Database", "refused the user or the password")
    (ward.neo4j / "password").unlink()
    ward.cured("Password file", "is missing")


def test_another_version_of_neo4j_than_the_settings_name_and_a_lost_record(ward: Ward) -> None:
    found = ward.found(GRAPHPALACE_NEO4J__VERSION="5.26.30")["Managed Neo4j"]
    assert "it is 2026.08.1, and [neo4j] version is 5.26.30" in found["found"]
    assert found["fix"] == 'set neo4j.version (GRAPHPALACE_NEO4J__VERSION) to "2026.08.1"'
    pid = ward.process("neo4j/server.json")
    (ward.neo4j / "server.json").unlink()
    found = ward.found()["Managed Neo4j"]
    assert f"process {pid} runs on this data" in found["found"]
    assert ward.run(found["command"]).returncode == 0
    _wait(lambda: "runs on this data" not in str(ward.found().get("Managed Neo4j")))
    assert ward.run("graphpalace up").returncode == 0
    assert ward.found() == {}


def _wait(until: Callable[[], bool]) -> None:
    for _ in range(100):
        if until():
            return
        time.sleep(0.1)
    raise AssertionError
