"""A database of every schema that there has been is brought to the newest, with all that it held."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import SELDOM_PLANNED
from tests.own_server import server_section
from tests.schema_dumps import DIMENSION, FOLDER, MODEL, NOTES, SixteenWords, dumped, read_dump, restored

from graphpalace import app as wiring
from graphpalace.domain.search.request import SearchRequest
from graphpalace.managed_neo4j import launch
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import SchemaStore, migrations
from graphpalace.store.palaces.index_repair import IndexRepair

DUMPS = sorted(FOLDER.glob("V*.json"))
QUESTIONS = {
    "when do I prune roses": "Prune the roses",
    "who feeds the sourdough starter": "Feed the sourdough",
    "how long do lentils simmer": "Simmer the lentils",
    "trim the hedge after the birds left": "Trim the hedge",
}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, _test_queries: None) -> Iterator[Settings]:
    """Settings of a server of this module's own, whose database the tests fill anew."""
    if "GRAPHPALACE_TEST_NEO4J_URI" in os.environ:
        pytest.skip("the tests were given one external server")
    settings = Settings.model_validate(
        {
            "neo4j": server_section(tmp_path_factory.mktemp("upgrades")),
            "embeddings": {"model": MODEL, "dimension": DIMENSION},
            "entities": {"recogniser": "off"},
            "ingest": {"settle_after_s": 0},
            "search": {"lane_timeout_s": 45},
        }
    )
    server = wiring.managed_server(settings)
    as_shipped = launch.settings
    with pytest.MonkeyPatch.context() as patch:  # after each restore, Neo4j would plan every query anew twice
        patch.setattr(launch, "settings", lambda of: as_shipped(of) | SELDOM_PLANNED)
        server.up()
    yield settings
    server.down()


@pytest.fixture
async def database(own: Settings) -> AsyncIterator[Database]:
    """The database of that server."""
    opened = wiring.open_database(own)
    yield opened
    await opened.close()


def test_each_schema_but_the_newest_has_a_dump_and_so_has_that() -> None:
    kept = {path.stem.removeprefix("V") for path in DUMPS}
    made_together = {"0003", "0006"}  # with the migration after it, in one change
    assert {migration.version for migration in migrations()} == kept | made_together


@pytest.mark.parametrize("path", DUMPS, ids=lambda path: path.stem)
async def test_a_database_of_an_earlier_schema_keeps_everything_and_is_searched(
    own: Settings, database: Database, path: Path
) -> None:
    dump = read_dump(path)
    await restored(database, dump)
    behind = [one.version for one in migrations() if f"V{one.version}" > path.stem]
    assert await wiring.pending_migrations(own) == behind
    assert await wiring.migrate_database(own) == behind
    await wiring.renew_palaces(own, lambda _: None)
    assert await SchemaStore(database).state() == "current"
    assert await IndexRepair(database).faults() == []
    _check_kept(dump, await dumped(database))
    async with wiring.opened(own, embedder=SixteenWords()) as app:
        for question, text in QUESTIONS.items():
            hit = (await app.recall.search("main", SearchRequest(question))).hits[0]
            assert text in hit.text
            assert {"fulltext", "semantic"} <= set(hit.lanes), question
        if path != DUMPS[0]:
            return  # all have the same schema by now
        note = Path(own.neo4j.data_dir) / "new.md"
        await asyncio.to_thread(note.write_text, "# Owls\n\nOwls hunt at night in the old barn.\n")
        await app.ingesting.files([note], palace="main", wing="home")
        assert "Owls hunt" in (await app.recall.search("main", SearchRequest("where do owls hunt"))).hits[0].text


def _check_kept(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Check that every node and relationship is there, with all properties that migrations do not change."""
    nodes = {_id(node): node for node in after["nodes"]}
    names = {node["id"]: _id(node) for node in (*before["nodes"], *after["nodes"])}
    for node in before["nodes"]:
        found = nodes[_id(node)]
        assert set(node["labels"]) <= set(found["labels"])
        own = found["properties"]
        assert {key for key, value in node["properties"].items() if own.get(key) != value} <= _RENEWED
    edges = {
        (one["type"], names[one["source"]], names[one["target"]]): one["properties"] for one in after["relationships"]
    }
    for one in before["relationships"]:
        found = edges[one["type"], names[one["source"]], names[one["target"]]]
        assert {key for key, value in one["properties"].items() if found.get(key) != value} <= _RENEWED
    texts = " ".join(str(node["properties"].get("text", "")) for node in after["nodes"])
    for note in NOTES.values():
        for line in note.split("\n\n")[1::2]:
            assert line.strip() in texts


_RENEWED = {"words", "title_words", "words_form"}


def _id(node: dict[str, Any]) -> str:
    found = node["properties"]
    return f"{sorted(node['labels'])[0]} {found.get('id') or found.get('version') or found.get('revision')}"
