"""`graphpalace doctor` gives advice that fits the server in question."""

from __future__ import annotations

from pathlib import Path

from graphpalace.hook import notes
from graphpalace.serve.cli.server.doctor import Check, examine
from graphpalace.settings.load import Settings


async def _found(settings: Settings, **neo4j: object) -> dict[str, Check]:
    changed = settings.model_copy(update={"neo4j": settings.neo4j.model_copy(update=neo4j)})
    return {check.name: check for check in await examine(changed)}


async def test_a_user_that_an_external_server_does_not_know_is_no_matter_of_starting_it(settings: Settings) -> None:
    if not settings.neo4j.uri:
        settings = settings.model_copy(update={"neo4j": settings.neo4j.model_copy(update=_external(settings))})
    database = (await _found(settings, user="nobody"))["Database"]
    assert database.state == "bad"
    assert "refused the user or the password: set [neo4j] user and password" in database.found
    assert "graphpalace up" not in database.found + database.fix


def _external(settings: Settings) -> dict[str, object]:
    from graphpalace.app import managed_server

    return {"uri": managed_server(settings).uri}


async def test_a_file_in_the_place_of_the_data_folder_is_named_with_the_setting(
    settings: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    found = await _found(settings, uri="", data_dir=str(file))
    assert (found["Data folder"].state, found["Data folder"].found) == ("bad", f"{file} is a file")
    assert "GRAPHPALACE_NEO4J__DATA_DIR" in found["Data folder"].fix
    assert found["Database"].state == "bad"


async def test_a_server_that_was_never_started_is_answered_with_what_starts_it(
    settings: Settings, tmp_path: Path
) -> None:
    found = await _found(settings, uri="", data_dir=str(tmp_path / "palace"))
    started = found["Managed Neo4j"]
    assert (started.state, started.found, started.fix) == ("note", "not started yet", "run graphpalace up")
    assert "Database" not in found
    assert "bad" not in [check.state for check in found.values()]


async def test_hooks_are_shown_once_they_have_run_and_a_failure_with_its_reason(
    settings: Settings, tmp_path: Path
) -> None:
    home = str(tmp_path)
    assert "Hooks" not in await _found(settings, uri="", data_dir=home)
    notes.noted(home, "codex", "Stop", took_s=0.04, did="files")
    notes.noted(home, "codex", "filing", took_s=4.0, did="2 turns into home")
    good = (await _found(settings, uri="", data_dir=home))["Hooks"]
    assert (good.state, good.found) == ("good", "2 have run, the slowest in 40 ms (codex Stop)")
    notes.noted(home, "codex", "Stop", took_s=0.05, did="failed", error="no service runs")
    notes.leave_unfiled(home, "codex", "", {"transcript_path": "/a"})
    bad = (await _found(settings, uri="", data_dir=home))["Hooks"]
    assert bad.state == "note"
    assert "codex Stop failed at 2" in bad.found
    assert "no service runs; 1 conversations wait to be filed" in bad.found
    assert bad.fix == f"see {tmp_path / 'hooks' / 'hooks.log'}"
