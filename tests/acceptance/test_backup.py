"""`graphpalace backup` and `graphpalace restore`, as somebody types them."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest
from neo4j import GraphDatabase
from neo4j.exceptions import Neo4jError

from graphpalace import app as wiring
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.domain.search.request import SearchRequest
from graphpalace.error_codes import EXIT
from graphpalace.settings.load import Settings
from tests.acceptance.commands import GRAPHPALACE, Ran, apart, environ_of, printed
from tests.backups import everything
from tests.own_server import server_section
from tests.words import WordEmbedder

OTHER = "The ferry leaves at nine."


@pytest.fixture
def own(tmp_path: Path) -> Settings:
    quiet = {"ingest": {"settle_after_s": 0}, "entities": {"recogniser": "off"}}
    return Settings(neo4j=server_section(tmp_path / "data"), **quiet)  # pyright: ignore[reportArgumentType]


@pytest.fixture
def environ(own: Settings) -> dict[str, str]:
    section = {name: getattr(own.neo4j, name) for name in ("data_dir", "cache_dir", "heap_mb")}
    return environ_of(section) | {
        "GRAPHPALACE_NEO4J__BOLT_PORT": "0",
        "GRAPHPALACE_NEO4J__HTTP_PORT": "0",
        "GRAPHPALACE_SERVICE__PORT": "0",
        "GRAPHPALACE_EMBEDDINGS__BASE_URL": "http://127.0.0.1:9/v1",  # no model has to be loaded
        "GRAPHPALACE_EMBEDDINGS__MODEL": WordEmbedder.name,
    }


@pytest.fixture
def command(environ: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., Ran]]:
    """Run `graphpalace` for a folder. What it left running is stopped in the end."""
    run = partial(apart, environ, tmp_path)
    yield run
    assert run("down").code == 0


@pytest.mark.chaos
@pytest.mark.timeout(600)  # it starts several processes, which is slow on a busy machine
async def test_a_palace_is_backed_up_lost_and_restored_although_the_first_restore_is_killed(
    _test_queries: None, command: Callable[..., Ran], environ: dict[str, str], own: Settings, tmp_path: Path
) -> None:
    assert command("up").code == 0
    async with wiring.opened(own, embedder=WordEmbedder()) as palace:
        kept = await palace.drawers.add("main", NewDrawer(text=OTHER, wing="home"))
        await palace.database.auto_commit(None, "tests/make_pair", between=5000)
        await palace.history.searches.flush()
    key = tmp_path / "key"
    key.write_text("ab" * 32)

    done = printed(command("backup", "--key-file", key, "--json"))
    assert Path(done["path"]).parent == tmp_path / "data" / "backups"
    assert (done["encrypted"], done["palaces"]) == (True, ["main"])
    async with wiring.opened(own, embedder=WordEmbedder()) as palace:
        await palace.drawers.delete("main", kept.drawer.id)

    refused = command("restore", done["path"], "--key-file", key)
    assert (refused.code, "not empty" in refused.err, "--replace" in refused.err) == (EXIT["CONFLICT"], True, True)
    assert command("service", "status").code == 0  # it was started again
    assert command("restore", done["path"], "--key-file", key, "--replace").code != 0  # nobody says yes

    replace = (GRAPHPALACE, "restore", done["path"], "--key-file", key, "--replace", "--yes")
    kill_while_filling(own, environ, replace)
    part = command("migrate")
    assert (part.code, "restore" in part.err) == (EXIT["RESTORE_UNFINISHED"], True), part.err

    found = printed(command("restore", done["path"], "--key-file", key, "--json"))  # without --replace
    assert (found["nodes"], found["palaces"], found["applied"]) == (done["nodes"], ["main"], [])
    async with wiring.opened(own, embedder=WordEmbedder()) as palace:
        assert [hit.text for hit in (await palace.recall.search("main", SearchRequest(query="ferry"))).hits] == [OTHER]
        assert (await everything(palace.database))[0].total() == done["nodes"]


def kill_while_filling(own: Settings, environ: dict[str, str], words: Sequence[str | Path]) -> None:
    """Run a restore, and kill it as soon as it has created some nodes."""
    server = wiring.managed_server(own)
    process = subprocess.Popen(words, env=environ)
    with GraphDatabase.driver(
        server.uri, auth=(server.user, server.password), notifications_min_severity="OFF"
    ) as driver:
        until = time.monotonic() + 120
        while time.monotonic() < until:
            try:
                found = driver.execute_query(
                    "RETURN EXISTS { MATCH (:Restore) } AS begun, COUNT { MATCH (:Between) } AS nodes"
                ).records[0]
            except Neo4jError:  # the schema is changing
                continue
            if found["begun"] and 0 < found["nodes"] < 5000:
                break
            assert process.poll() is None, "it must be killed before its end"
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
