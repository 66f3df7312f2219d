"""Migrations on a real Neo4j, of both versions that are pinned."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from tests.own_server import server_section
from tests.walks import way_to
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.walking.walks import ColonyRules
from graphpalace.errors import DatabaseFailed, MigrationChanged, SchemaTooNew
from graphpalace.settings.load import Settings
from graphpalace.store.connection import schema
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import SchemaStore, migrations

NEWER, OLDER = "2026.08.1", "5.26.30"


@pytest.fixture(params=[NEWER, OLDER])
def fresh(request: pytest.FixtureRequest, tmp_path: Path, _test_queries: None) -> Settings:
    """Settings of a server of this test's own."""
    if "GRAPHPALACE_TEST_NEO4J_URI" in os.environ:
        pytest.skip("the tests were given one external server")
    return Settings(neo4j=server_section(tmp_path, version=request.param))  # pyright: ignore[reportArgumentType]


async def test_a_fresh_database_is_migrated_once_by_two_at_a_time_and_a_changed_file_is_refused(
    fresh: Settings, tmp_path: Path
) -> None:
    server = wiring.managed_server(fresh)
    await asyncio.to_thread(server.up)
    try:
        databases = [wiring.open_database(fresh) for _ in range(2)]
        applied = await asyncio.gather(*(SchemaStore(database).migrate() for database in databases))
        assert sorted({version for versions in applied for version in versions}) == [m.version for m in migrations()]
        assert await SchemaStore(databases[0]).migrate() == []
        assert await SchemaStore(databases[0]).state() == "current"
        await _check_schema(databases[0])
        await _check_refusals(databases[0], tmp_path)
        for database in databases:
            await database.close()
        if fresh.neo4j.version == OLDER:  # all other tests run on the newer one
            await _check_ingest_and_search(fresh, tmp_path)
    finally:
        await asyncio.to_thread(server.down)


async def test_a_server_that_is_too_old_is_named_before_anything_is_changed(
    app: GraphPalace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "OLDEST_NEO4J", (9999, 1))
    with pytest.raises(DatabaseFailed, match=r"Neo4j [0-9.]+ at \S+ is too old: upgrade it to 9999\.1 or later"):
        await SchemaStore(app.database).migrate()


async def _check_schema(database: Database) -> None:
    names = {row["name"] for row in await database.read(None, "health/list_indexes")}
    statements = [statement for migration in migrations() for statement in migration.statements]
    declared = {statement.split()[2] for statement in statements if statement.startswith("CREATE")}
    assert declared <= names


async def _check_refusals(database: Database, tmp_path: Path) -> None:
    folder = tmp_path / "migrations"
    folder.mkdir()
    (folder / "V0001__palace_schema.cypher").write_text(
        "CREATE CONSTRAINT x IF NOT EXISTS FOR (n:X) REQUIRE n.x IS UNIQUE;"
    )
    with pytest.raises(MigrationChanged):
        await SchemaStore(database).migrate(folder=folder)
    with pytest.raises(SchemaTooNew):
        (folder / "V0001__palace_schema.cypher").unlink()
        await SchemaStore(database).migrate(folder=folder)


async def _check_ingest_and_search(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Owls\n\nOwls hunt at night.\n\n# Larks\n\nLarks sing at dawn.\n")
    async with wiring.opened(settings, embedder=WordEmbedder()) as app:
        await app.ingesting.files([tmp_path / "note.md"], palace="main", wing="birds")
        (hit, *_) = (await app.recall.search("main", SearchRequest("who sings at dawn", wing="birds"))).hits
        assert "Larks sing" in hit.text
        assert set(hit.lanes) == {"fulltext", "semantic"}
        trail = way_to(await app.replica.snapshots.get("main"), hit.id)
        assert (await app.pheromones.deposits.path_success("main", trail, deposit_id="heard")).fresh
        assert (await app.walking.navigate.find("main", "birds", hit.id)).legs[0].success == pytest.approx(1.0)
        assert (await app.walking.explore.walk("main", query="larks", rules=ColonyRules(agents=5, steps=5))).marked > 0
        assert (await app.pheromones.decay.apply("main")).cycle == 0
        vector = app.embedder.embed([hit.text])[0].tolist()
        rows = await app.database.read(None, "tests/nearest_by_index", index="drawer_vector_main", vector=vector)
        assert rows[0]["id"] == hit.id
        assert rows[0]["cosine"] == pytest.approx(1.0, abs=0.001)
