"""What `graphpalace doctor` finds in a database: each test breaks something, and applies the fix that is suggested."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.acceptance.commands import Ran, environ_of, in_process
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace, pending_migrations
from graphpalace.errors import SchemaTooNew
from graphpalace.hook import notes
from graphpalace.serve.cli.doctor.check import Check, Installation
from graphpalace.serve.cli.doctor.database_checks import clocks_agree, version_is_known
from graphpalace.serve.cli.doctor.examination import examine
from graphpalace.settings.load import Settings
from graphpalace.settings.sections.embeddings import DEFAULT_MODEL, NAMED_MODELS
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import ServerInfo, ServerStore, migrations


class Clinic:
    """The tests' server, looked at with the settings of a command, and a palace of its own."""

    def __init__(self, settings: Settings, database: Database, palace: str, here: Callable[..., Ran]) -> None:
        self.settings = settings
        self.database = database
        self.palace = palace
        self._here = here

    async def found(self, name: str, about: str, settings: Settings | None = None) -> Check | None:
        """Return what the doctor says under a name about something; None: nothing, or that it is good."""
        checks = await examine(Installation(settings or self.settings))
        found = [check for check in checks if check.name == name and check.state != "good" and about in check.found]
        assert len(found) < 2, found
        return found[0] if found else None

    async def run(self, *command: str) -> tuple[int, str]:
        """Run a command of GraphPalace; return exit code and output."""
        ran = await asyncio.to_thread(self._here, *command)
        return ran.code, ran.out + ran.err

    async def cured(self, name: str, about: str, settings: Settings | None = None) -> None:
        """Apply the command that the doctor suggests, and see that it has nothing more to say."""
        found = await self.found(name, about, settings)
        assert found is not None
        code, said = await self.run(*found.command.removeprefix("graphpalace ").split())
        assert code == 0, said
        assert await self.found(name, about, settings) is None


@pytest.fixture
def environ(neo4j_settings: dict[str, object], tmp_path: Path) -> dict[str, str]:
    """The environment of commands on the tests' server."""
    return environ_of(neo4j_settings) | {"GRAPHPALACE_EMBEDDINGS__MODEL": DEFAULT_MODEL, "HOME": str(tmp_path)}


@pytest.fixture
async def clinic(
    app: GraphPalace,
    settings: Settings,
    environ: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> AsyncIterator[Clinic]:
    """A palace of the tests' embedder, which is another one than that of the settings."""
    palace = spare_name()
    await app.create_palace(palace)
    here = in_process(environ | {"GRAPHPALACE_PALACE__NAME": palace}, tmp_path, monkeypatch, capsys)
    yield Clinic(settings, app.database, palace, here)
    app.forget(palace)
    await app.drop_palace(palace)


async def test_a_schema_that_is_older_is_told_by_migrate_check_which_changes_nothing(clinic: Clinic) -> None:
    newest = migrations()[-1].version
    await clinic.database.run_statement(f"MATCH (m:__Neo4jMigration {{version: '{newest}'}}) DETACH DELETE m")
    assert await clinic.run("migrate", "--check") == (1, f"would apply V{newest}\n")
    assert await clinic.run("migrate", "--check", "--json") == (1, f'{{\n  "pending": [\n    "{newest}"\n  ]\n}}\n')
    await clinic.cured("Schema", f"V{newest} missing")
    assert await clinic.run("migrate", "--check") == (0, "the schema is current\n")


async def test_a_schema_that_is_newer_is_refused_by_everything_with_the_same_words(
    clinic: Clinic, settings: Settings
) -> None:
    await clinic.database.run_statement("CREATE (:__Neo4jMigration {version: '9999', description: 'x', checksum: 'y'})")
    try:
        words = (
            f"has migrated this database to schema V9999, and this one knows V{migrations()[-1].version}: upgrade it"
        )
        found = await clinic.found("Schema", words)
        assert found is not None
        assert found.command == "pip install --upgrade graphpalace"
        with pytest.raises(SchemaTooNew, match="schema V9999"):
            await pending_migrations(settings)
        with pytest.raises(SchemaTooNew, match="nothing was changed"):
            async with wiring.opened(settings, embedder=WordEmbedder()):
                pass
        for command in (
            ["migrate"], ["migrate", "--check"], ["up", "--no-service"], ["palace", "list"], ["serve", "--port", "0"],
        ):  # fmt: skip
            code, said = await clinic.run(*command)
            assert (code, "SCHEMA_TOO_NEW" in said, words in said) == (4, True, True), (command, said)
    finally:
        await clinic.database.run_statement("MATCH (m:__Neo4jMigration {version: '9999'}) DELETE m")
    assert await clinic.found("Schema", "") is None


async def test_an_index_of_the_schema_that_is_missing_or_has_failed(clinic: Clinic) -> None:
    run = clinic.database.run_statement
    await run("DROP INDEX drawer_wing")
    await clinic.cured("Indexes", "drawer_wing is missing")
    await run("DROP INDEX drawer_wing")
    await run(
        "CREATE (:Drawer {id: 'too long', palace: 'nobody', wing_id: reduce(t = '', i IN range(1, 40000) | t + 'x')})"
    )
    await run("CREATE INDEX drawer_wing IF NOT EXISTS FOR (n:Drawer) ON (n.palace, n.wing_id)")
    for _ in range(100):
        if any(
            one.name == "drawer_wing" and one.state == "FAILED" for one in await ServerStore(clinic.database).indexes()
        ):
            break
        await asyncio.sleep(0.1)
    failed = await clinic.found("Indexes", "drawer_wing has failed: ")
    await run("MATCH (d:Drawer {id: 'too long'}) DELETE d")
    assert failed is not None
    await clinic.cured("Indexes", "drawer_wing has failed: ")


@pytest.mark.parametrize("kind", ["stems", "exact", "vector"])
async def test_an_index_of_a_palace_that_is_missing(clinic: Clinic, kind: str) -> None:
    name = f"drawer_{kind}_{clinic.palace}"
    await clinic.database.run_statement(f"DROP INDEX {name}")
    await clinic.cured("Indexes", f"{name} is missing")
    assert any(index.name == name and index.online for index in await ServerStore(clinic.database).indexes())


async def test_a_vector_index_for_vectors_of_another_length(clinic: Clinic) -> None:
    name = f"drawer_vector_{clinic.palace}"
    await clinic.database.run_statement(f"DROP INDEX {name}")
    await clinic.database.change_schema(clinic.palace, "palaces/create_vector_index", literals={"dimension": 17})
    await clinic.cured("Indexes", f"{name} is for vectors of 17 numbers, and those of the palace have 384")


async def test_a_palace_with_vectors_of_another_model(clinic: Clinic, app: GraphPalace) -> None:
    await app.drawers.add(clinic.palace, _drawer("Roses are pruned in late winter."))
    await clinic.cured("Vectors", f"palace {clinic.palace} has vectors of words (384 numbers)")
    state = await app.palace_state(clinic.palace)
    assert (state.model, state.dimension) == (DEFAULT_MODEL, NAMED_MODELS[DEFAULT_MODEL])
    app.forget(clinic.palace)


async def test_what_interrupted_commands_have_left(clinic: Clinic) -> None:
    run = clinic.database.run_statement
    await run(
        "CREATE (:Palace {name: 'dropped gone', palace: 'gone', id: 'palace-gone',"
        " dropped_at: datetime() - duration('PT1H')})"
    )
    await clinic.cured("Leftovers", "palace gone was dropped")
    palace = f"MATCH (p:Palace {{name: '{clinic.palace}'}}) "
    await run(palace + "SET p.words_form = 0")
    await clinic.cured("Leftovers", f"drawers of palace {clinic.palace} have words of an earlier version")
    await run(palace + f"SET p.next_model = '{DEFAULT_MODEL}', p.next_dimension = {NAMED_MODELS[DEFAULT_MODEL]}")
    await clinic.cured("Leftovers", f"palace {clinic.palace} has been changing its model")


async def test_an_import_and_an_ingest_that_were_interrupted(clinic: Clinic, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("# Owls\n\nOwls hunt at night.\n")
    assert (await clinic.run("reembed", "--palace", clinic.palace))[0] == 0
    assert (await clinic.run("ingest", str(note), "--wing", "birds", "--palace", clinic.palace))[0] == 0
    assert (await clinic.run("export", str(tmp_path / "out"), "--palace", clinic.palace))[0] == 0
    palace = f"MATCH (p:Palace {{name: '{clinic.palace}'}}) "
    await clinic.database.run_statement(palace + "SET p.importing = 'cut off'")
    found = await clinic.found("Leftovers", f"an import into palace {clinic.palace} has not ended")
    assert found is not None
    assert "run the same `graphpalace import` again" in found.fix
    code, said = await clinic.run("import", str(tmp_path / "out"), "--palace", clinic.palace)
    assert code == 0, said
    assert await clinic.found("Leftovers", "an import") is None
    await clinic.database.run_statement(
        palace + "SET p.settled_revision = 0 WITH p MATCH (c:Change {palace: p.name})"
        " SET c.created_at = datetime() - duration('PT1H')"
    )
    found = await clinic.found("Leftovers", f"palace {clinic.palace} was last changed without renewing")
    assert found is not None
    assert (await clinic.run("ingest", str(note), "--wing", "birds", "--palace", clinic.palace))[0] == 0
    assert await clinic.found("Leftovers", "was last changed without renewing") is None


async def test_a_palace_whose_pheromones_have_not_faded_for_long(clinic: Clinic) -> None:
    off = clinic.settings.model_copy(update={"decay": clinic.settings.decay.model_copy(update={"enabled": False})})
    await clinic.database.run_statement(
        f"MATCH (p:Palace {{name: '{clinic.palace}'}}) SET p.decay_finished_at = datetime() - duration('P9D')"
    )
    about = f"nothing has faded in palace {clinic.palace} for 216 hours"
    assert await clinic.found("Decay", about) is None  # a service that starts will apply it
    await clinic.cured("Decay", about, off)


async def test_two_services_on_one_database(clinic: Clinic, environ: dict[str, str], tmp_path: Path) -> None:
    services = []
    try:
        for name in ("one", "two"):
            home = {"GRAPHPALACE_NEO4J__DATA_DIR": str(tmp_path / name)}
            server = {"URI": _uri(clinic.settings), **_login(clinic.settings)}
            own = environ | home | {f"GRAPHPALACE_NEO4J__{key}": value for key, value in server.items()}
            services.append(
                subprocess.Popen(  # noqa: ASYNC220
                    [sys.executable, "-m", "graphpalace", "serve", "--port", "0"],
                    env=own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )
            )  # fmt: skip
        for _ in range(300):
            found = await clinic.found("Services", "also serves this database")
            if found is not None:
                break
            await asyncio.sleep(0.2)
        assert found is not None
        (pid,) = map(int, re.findall(r"process (\d+)", found.found))
        assert pid in [one.pid for one in services]
        assert found.command == f"kill {pid}"
        os.kill(pid, 15)
        ended = next(one for one in services if one.pid == pid)
        await asyncio.to_thread(ended.wait, 60)
        assert await clinic.found("Services", "") is None
    finally:
        for service in services:
            service.terminate()
            service.wait(60)


def _uri(settings: Settings) -> str:
    return settings.neo4j.uri or wiring.managed_server(settings).uri


def _login(settings: Settings) -> dict[str, str]:
    if settings.neo4j.uri:
        return {"USER": settings.neo4j.user, "PASSWORD": settings.neo4j.password.get_secret_value()}
    server = wiring.managed_server(settings)
    return {"USER": server.user, "PASSWORD": server.password}


async def test_a_user_that_an_external_server_does_not_know_is_no_matter_of_starting_it(clinic: Clinic) -> None:
    update = {"uri": _uri(clinic.settings), "user": "nobody"}
    external = clinic.settings.model_copy(update={"neo4j": clinic.settings.neo4j.model_copy(update=update)})
    found = await clinic.found("Database", "refused the user or the password", external)
    assert found is not None
    assert found.state == "bad"
    assert "set [neo4j] user and password" in found.fix
    assert "graphpalace up" not in found.found + found.fix


async def test_an_external_server_that_does_not_run_or_has_no_such_database(clinic: Clinic) -> None:
    neo4j = clinic.settings.neo4j
    away = neo4j.model_copy(update={"uri": "bolt://127.0.0.1:9"})
    found = await clinic.found("Database", "cannot be reached", clinic.settings.model_copy(update={"neo4j": away}))
    assert found is not None
    assert found.fix == "start it, or set [neo4j] uri to a running server"
    login = {key.lower(): value for key, value in _login(clinic.settings).items()}
    login["password"] = type(neo4j.password)(login["password"])
    named = neo4j.model_copy(update={"uri": _uri(clinic.settings), "database": "nosuch", **login})
    found = await clinic.found("Database", "nosuch", clinic.settings.model_copy(update={"neo4j": named}))
    assert found is not None
    assert found.state == "bad"


async def test_a_neo4j_that_is_too_old_and_a_clock_that_is_wrong(clinic: Clinic) -> None:
    info = await ServerStore(clinic.database).info()
    now = datetime.now(UTC)
    assert version_is_known(info, "").state == "good"
    assert version_is_known(replace(info, version="5.25.1"), "Neo4j 5.25.1").found == "Neo4j 5.25.1 is too old"
    assert version_is_known(ServerInfo("2025.01.0", "enterprise", info.now), "").state == "good"
    assert clocks_agree(info, now).state == "good"
    assert "behind" in clocks_agree(info, now + timedelta(hours=1)).found
    assert clocks_agree(info, now - timedelta(hours=1)).state == "bad"


async def test_hooks_are_shown_once_they_have_run_and_a_failure_with_its_reason(
    settings: Settings, tmp_path: Path
) -> None:
    home = str(tmp_path)
    chosen = settings.model_copy(update={"neo4j": settings.neo4j.model_copy(update={"uri": "", "data_dir": home})})

    async def found() -> dict[str, Check]:
        return {check.name: check for check in await examine(Installation(chosen))}

    assert "Hooks" not in await found()
    notes.noted(home, "codex", "Stop", took_s=0.04, did="files")
    notes.noted(home, "codex", "filing", took_s=4.0, did="2 turns into home")
    good = (await found())["Hooks"]
    assert (good.state, good.found) == ("good", "2 have run, the slowest in 40 ms (codex Stop)")
    notes.noted(home, "codex", "Stop", took_s=0.05, did="failed", error="no service runs")
    notes.leave_unfiled(home, "codex", "", {"transcript_path": "/a"})
    bad = (await found())["Hooks"]
    assert bad.state == "note"
    assert "codex Stop failed at 2" in bad.found
    assert "no service runs; 1 conversations wait to be filed" in bad.found
    assert bad.fix == f"see {tmp_path / 'hooks' / 'hooks.log'}"


def _drawer(text: str) -> object:
    from graphpalace.operations.drawers.drawers import NewDrawer

    return NewDrawer(text=text, wing="garden")
