"""Set up a Neo4j by hand, as its operator would, and run the tests against it through `neo4j://`.

    python -m scripts.external_neo4j 5.26.30                                     # all tests that need a database
    python -m scripts.external_neo4j 2026.08.1 tests/integration/test_search.py  # some of them, with options of pytest

Only the jar files come from GraphPalace. The server has a configuration of its own and another user, and the user
`neo4j` does not exist, so nothing can work only because GraphPalace has started the server.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import neo4j
from tests.conftest import SELDOM_PLANNED

from graphpalace.managed_neo4j.jars import ensure_jars
from graphpalace.managed_neo4j.java import find_java
from graphpalace.managed_neo4j.ports import choose_ports, listens
from graphpalace.managed_neo4j.ready import answers
from graphpalace.settings.load import cache_dir, load

USER = "librarian"
FOLDERS = ("tests/integration", "tests/contract", "tests/acceptance")
# These tests say nothing of a server that they are given.
LEFT_OUT = {
    "tests/integration/test_managed_server.py": "starts and stops servers of its own",
    "tests/acceptance/test_compact.py": "compacts the store of a managed server",
    "tests/acceptance/test_doctor_restarts.py": "breaks and restarts a managed server",
}
NOT_TRIED = """\
Not tried: tests marked chaos, which stop the server; a cluster, and so a change of its leader and readers that lag
behind; TLS (neo4j+s://); the Enterprise edition, and users with few rights. tests/integration/test_routing.py tries
routing, bookmarks and retries, with a server that has several addresses."""
_START_S = 180.0
_OPENS = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in ("java.nio", "sun.nio.ch")]  # as Neo4j asks


@contextmanager
def external_server(version: str) -> Iterator[dict[str, str]]:
    """Run a Neo4j, and yield its address, user and password."""
    with tempfile.TemporaryDirectory(prefix="external-neo4j-") as folder:
        home = Path(folder)
        port = choose_ports({"bolt_port": 0}, before={})["bolt_port"]
        java = find_java(want_vector_module=False).path
        (home / "conf").mkdir()
        (home / "conf" / "neo4j.conf").write_text("".join(f"{key}={value}\n" for key, value in _conf(port).items()))
        jars = ensure_jars(version, cache_dir=cache_dir(load()))
        class_path = os.pathsep.join(map(str, jars))
        environ = os.environ | {"NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf"), "CLASSPATH": class_path}
        first, password = secrets.token_urlsafe(12), secrets.token_urlsafe(12)
        admin = [str(java), "org.neo4j.cli.AdminTool", "dbms", "set-initial-password", first]
        subprocess.run(admin, env=environ, check=True, stdout=subprocess.DEVNULL)
        main = "CommunityEntryPoint" if version.startswith("5.") else "Neo4jCommunity"
        options = [f"--home-dir={home}", f"--config-dir={home / 'conf'}", "--console-mode"]
        log = home / "console.log"
        with log.open("wb") as stream:
            command = [str(java), "-Xmx1g", *_OPENS, f"org.neo4j.server.{main}", *options]
            server = subprocess.Popen(command, env=environ, stdout=stream, stderr=stream)
        try:
            _create_user(port, first, password, server, log)
            yield {"URI": f"neo4j://127.0.0.1:{port}", "USER": USER, "PASSWORD": password}
        finally:
            server.terminate()
            server.wait(60)


def _conf(port: int) -> dict[str, str]:
    return {
        "server.default_listen_address": "127.0.0.1",
        "server.default_advertised_address": "localhost",  # to which neo4j:// sends all queries
        "server.bolt.listen_address": f":{port}",
        "server.http.enabled": "false",
        "server.memory.pagecache.size": "256m",
        "dbms.usage_report.enabled": "false",
    } | SELDOM_PLANNED


def _create_user(port: int, first: str, password: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait for the server, create a user, and remove the one that every new server has."""
    until = time.monotonic() + _START_S
    uri = f"bolt://127.0.0.1:{port}"
    while not (listens(port) and answers(port, first)):
        if server.poll() is not None or time.monotonic() > until:
            raise SystemExit(f"Neo4j did not start:\n{log.read_text(errors='replace')}")
        time.sleep(0.5)
    with neo4j.GraphDatabase.driver(uri, auth=("neo4j", first)) as driver:
        create = f"CREATE USER {USER} SET PASSWORD $password CHANGE NOT REQUIRED"
        driver.execute_query(create, password=password, database_="system")
    with neo4j.GraphDatabase.driver(uri, auth=(USER, password)) as driver:
        driver.execute_query("DROP USER neo4j", database_="system")


def main(version: str, options: Sequence[str]) -> int:
    """Run the tests against a server of this version, and return the exit code of pytest."""
    chosen = [*options] if any(one.startswith("tests/") for one in options) else [*FOLDERS, *options]
    for path, why in LEFT_OUT.items():
        print(f"left out: {path}, which {why}")
    ignored = [f"--ignore={path}" for path in LEFT_OUT]
    with external_server(version) as server:
        print(f"Neo4j {version} at {server['URI']}, user {server['USER']}", flush=True)
        environ = os.environ | {f"GRAPHPALACE_TEST_NEO4J_{name}": value for name, value in server.items()}
        pytest = [sys.executable, "-m", "pytest", "-n", "0", "-m", "not chaos", "-rs", *ignored, *chosen]
        code = subprocess.run(pytest, env=environ, check=False).returncode
    print(NOT_TRIED)
    return code


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server is stopped then too
    raise SystemExit(main(sys.argv[1], sys.argv[2:]))
