"""A Neo4j for the tests: a server that is named, a container where Docker answers, else a managed server."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from graphpalace.app import GraphPalace
    from graphpalace.settings.load import Settings

# A fixture imports what it needs: the tests of one room of pure functions start in a second.
IMAGE = "neo4j:2026.08.1-community"
_MOST_WORKERS = 4  # a worker and its Neo4j take some 3 GB
# Planning queries takes most of the suite's time. By default, Neo4j plans a query anew every ten seconds if the numbers
# of nodes have changed, as they do where palaces come and go, and once more with compiled expressions when it has been
# used some times. In a service that runs for long, this pays off; in tests it does not. It keeps a thousand plans, and
# the queries of the tests have more.
SELDOM_PLANNED = {
    "dbms.cypher.min_replan_interval": "1h",
    "internal.cypher.expression_engine": "INTERPRETED",
    "server.memory.query_cache.per_db_cache_num_entries": "8000",
}
# Java's second compiler takes half of a server's processor time, and pays off only in servers that run for long.
os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")


def pytest_xdist_auto_num_workers() -> int:
    """Return how many workers `-n auto` means; each starts a Neo4j of its own, so a server that is named has one."""
    return 0 if "GRAPHPALACE_TEST_NEO4J_URI" in os.environ else min(os.cpu_count() or 1, _MOST_WORKERS)


@pytest.fixture(scope="session")
def _test_queries() -> Iterator[None]:
    """Let `tests/NAME` mean a query file beside the tests."""
    from tests.named_queries import queries_of_tests

    with queries_of_tests():
        yield


@pytest.fixture(scope="session")
def _logs() -> None:
    """Keep what a service in a thread logs out of what a command prints beside it."""
    from graphpalace.serve import logs

    logs.configure()


@pytest.fixture(scope="session")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, object]]:
    """The section [neo4j] of a server that only the tests use."""
    from graphpalace import app as wiring
    from graphpalace.managed_neo4j import launch
    from graphpalace.settings.load import Settings
    from tests.own_server import server_section

    if uri := os.environ.get("GRAPHPALACE_TEST_NEO4J_URI"):
        password = os.environ.get("GRAPHPALACE_TEST_NEO4J_PASSWORD", "")
        yield {"uri": uri, "user": os.environ.get("GRAPHPALACE_TEST_NEO4J_USER", "neo4j"), "password": password}
        return
    if _docker_answers():
        from testcontainers.neo4j import Neo4jContainer

        with Neo4jContainer(IMAGE) as container:
            yield {"uri": container.get_connection_url(), "user": "neo4j", "password": container.password}
        return
    section = server_section(tmp_path_factory.mktemp("neo4j"), heap_mb=1024)
    server = wiring.managed_server(Settings(neo4j=section))  # pyright: ignore[reportArgumentType]
    as_shipped = launch.settings
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launch, "settings", lambda of: as_shipped(of) | SELDOM_PLANNED)
        server.up(timeout_s=180)
    yield section
    server.down()


@pytest.fixture(scope="session")
def neo4j_settings(_server: dict[str, object], _test_queries: None, _logs: None) -> Iterator[dict[str, object]]:
    """The section [neo4j] of a server that only the tests use, which has indexes for some palaces."""
    from tests.spare_palaces import indexes_made, indexes_stay

    asyncio.run(indexes_made(_server))
    with indexes_stay():
        yield _server


def _docker_answers() -> bool:
    with suppress(Exception):
        import docker

        docker.from_env(timeout=2).ping()
        return True
    return False


@pytest.fixture(scope="session")
def settings(neo4j_settings: dict[str, object]) -> Settings:
    """Settings of the tests' server, where nothing works on a palace beside a test, and requests have much time."""
    from graphpalace.settings.load import Settings

    quiet = {
        "ingest": {"settle_after_s": 0},
        "entities": {"recogniser": "off"},
        "search": {"lane_timeout_s": 45},
        "service": {"read_deadline_s": 60, "write_deadline_s": 60, "wait_s": 20},  # the first plans take long
    }
    return Settings(neo4j=neo4j_settings, **quiet)  # pyright: ignore[reportArgumentType]


@pytest.fixture(scope="session")
async def app(settings: Settings) -> AsyncIterator[GraphPalace]:
    """All operations, with an embedder that is quick and knows only words."""
    from graphpalace import app as wiring
    from tests.spare_palaces import forgotten_by
    from tests.words import WordEmbedder

    async with wiring.opened(settings, embedder=WordEmbedder()) as opened:
        with forgotten_by(opened.forget):
            yield opened


@pytest.fixture
async def palace(app: GraphPalace) -> AsyncIterator[str]:
    """The name of an empty palace, which is emptied and used again."""
    from graphpalace.errors import NotFound
    from tests.spare_palaces import FREE, UNTOUCHED, spare_name

    name = spare_name()
    await app.create_palace(name)
    yield name
    app.forget(name)
    with suppress(NotFound):
        if name not in UNTOUCHED and (await app.palace_state(name)).dimension != app.embedder.dimension:
            await app.drop_palace(name)  # its vector index is for vectors of another length
    dropped = name in FREE  # by the test
    if await app.database.auto_commit(name, "tests/empty_palace", name=name) and not dropped:
        FREE.append(name)
