"""Commands that read, embed and store let the service do it, or do the same in their own process."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from graphpalace import Palace
from graphpalace.client import service_file
from graphpalace.error_codes import EXIT
from graphpalace.settings.load import Settings
from tests import transcripts
from tests.acceptance.commands import GRAPHPALACE, Ran, apart, environ_of, in_process, printed
from tests.acceptance.served import announced, changed, in_data_folder, until
from tests.spare_palaces import spare_name

_KEY = SecretStr("a key of the service")


@pytest.fixture(scope="module")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def service(settings: Settings, data_folder: Path) -> Iterator[httpx.Client]:
    """A service of the tests' database, which commands find by its file."""
    own = changed(settings, entities={"recogniser": "rules", "read_after_s": 3600}, service={"api_key": _KEY})
    with announced(own, data_folder) as client:
        yield client


@pytest.fixture(scope="module")
def environ(settings: Settings, data_folder: Path) -> dict[str, str]:
    section = in_data_folder(settings, data_folder)
    return environ_of(section | {"password": section["password"].get_secret_value()}) | {
        "GRAPHPALACE_ENTITIES__RECOGNISER": "rules",
        "GRAPHPALACE_ENTITIES__READ_AFTER_S": "3600",
        "GRAPHPALACE_INGEST__SETTLE_AFTER_S": "0",
    }


@pytest.fixture
def command(
    environ: dict[str, str],
    service: httpx.Client,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., Ran]:
    """Run a command in this process, beside the service."""
    return in_process(environ, tmp_path, monkeypatch, capsys)


@pytest.fixture
def palace(service: httpx.Client) -> Iterator[str]:
    """A palace of the service."""
    name = spare_name()
    service.post("/v1/palaces", json={"name": name}).raise_for_status()
    yield name
    service.delete(f"/v1/palaces/{name}", params={"confirm": name}).raise_for_status()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    for name, text in (("a/ships.md", "# Ships\n\nAnn Miller sails.\n"), ("b/bread.md", "# Bread\n\nFlour.\n")):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def no_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands fail that open a palace in their own process."""

    def opened(*_args: object, **_options: object) -> None:
        raise AssertionError("the command does the work itself")

    monkeypatch.setattr("graphpalace.client.transports.local.LocalTransport.__init__", opened)


def test_the_commands_that_work_long_leave_the_work_to_the_service(
    command: Callable[..., Ran], palace: str, folder: Path, tmp_path: Path, no_models: None
) -> None:
    where = ("--palace", palace)
    report = printed(command("ingest", folder, "--wing", "notes", "--json", *where))
    assert (report["documents_stored"], report["drawers_created"]) == (2, 2)
    assert printed(command("ingest", folder, "--wing", "notes", "--json", *where))["documents_unchanged"] == 2
    (folder / "b" / "bread.md").unlink()
    pruned = command("ingest", folder, "--wing", "notes", "--prune", "--yes", *where)
    assert "pruned sources: 1, drawers: 1" in pruned.err
    assert (
        "stored in notes > keys" in command("add", "The key is here.", "--wing", "notes", "--room", "keys", *where).out
    )
    assert "the names of 2 drawers were read (rules)" in command("names", "build", *where).out
    (tmp_path / "talk.jsonl").write_bytes(transcripts.lines(transcripts.CLAUDE_CODE))
    watched = command("watch", tmp_path, "--once", *where)
    assert "1 transcript read, 1 with something new" in watched.out, watched
    assert "has vectors of" in command("reembed", *where).out
    assert command("export", tmp_path / "copy", *where).code == 0
    assert "0 new rows" in command("import", tmp_path / "copy", *where).out


def test_a_document_of_standard_input_is_read_by_the_service(
    environ: dict[str, str], service: httpx.Client, palace: str
) -> None:
    ran = subprocess.run(
        [GRAPHPALACE, "ingest", "-", "--wing", "w", "--name", "night watch.html", "--palace", palace, "--json"],
        input=b"<p>The gates are <b>shut</b> at ten.</p>",
        env=environ,
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["documents_stored"] == 1
    with _opened(service, palace) as found:
        assert [drawer.source_uri for drawer in found.list(wing="w")] == ["stdin:night%20watch.html"]


def test_in_process_means_that_the_service_has_no_part_in_it(
    environ: dict[str, str],
    service: httpx.Client,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def called(*_args: object, **_options: object) -> None:
        raise AssertionError("the service was asked")

    monkeypatch.setattr("graphpalace.client.transports.sockets.SocketTransport.__init__", called)
    name = spare_name()
    config = tmp_path / "own.toml"
    config.write_text(f'[palace]\nname = "{name}"\n')  # the first command makes this palace, with its model
    own = {key: value for key, value in environ.items() if key != "GRAPHPALACE_PALACE__NAME"}
    run = in_process(own | {"GRAPHPALACE_CONFIG": str(config)}, tmp_path, monkeypatch, capsys)
    (tmp_path / "talk.jsonl").write_bytes(transcripts.lines(transcripts.CLAUDE_CODE))
    ingested = run("ingest", folder, "--wing", "notes", "--in-process")
    assert "documents: 2 stored" in ingested.out, ingested
    assert "the names of 0 drawers were read (rules)" in run("names", "build", "--in-process").out
    assert "stored in notes > general" in run("add", "The key is here.", "--wing", "notes", "--in-process").out
    assert "1 transcript read, 1 with something new" in run("watch", tmp_path, "--once", "--in-process").out
    assert "has vectors of minilm-bge already" in run("reembed", "--in-process").out
    monkeypatch.undo()
    with _opened(service, name) as found:
        assert {wing.name: wing.drawers for wing in found.wings()}["notes"] == 3
        exported = tmp_path / "copy"
        found.export(exported)
        found.palaces.drop(name)
    monkeypatch.setattr("graphpalace.client.transports.sockets.SocketTransport.__init__", called)
    imported = in_process(environ, tmp_path, monkeypatch, capsys)("import", exported, "--in-process", "--palace", name)
    assert f"imported into palace {name}: " in imported.out, imported
    monkeypatch.undo()
    with _opened(service, name) as found:
        found.palaces.drop(name)


def test_settings_of_the_environment_are_sent_or_refused(
    command: Callable[..., Ran], palace: str, folder: Path, no_models: None
) -> None:
    words = ("ingest", folder, "--wing", "w", "--json", "--palace", palace)
    assert printed(command(*words, GRAPHPALACE_INGEST__MAX_FILES="1"))["skipped"] == {"over max_files": 1}
    refused = command(*words, GRAPHPALACE_INGEST__MAX_CHARS="300")
    assert refused.code == EXIT["SETTINGS_INVALID"]
    assert (
        "GRAPHPALACE_INGEST__MAX_CHARS is set here, but the service runs with another ingest.max_chars" in refused.err
    )
    odd = command(*words, GRAPHPALACE_INGEST__MAX_FILES="some")
    assert "[ingest] max_files is 'some'" in odd.err


def test_a_model_that_the_settings_file_has_changed_is_refused(
    command: Callable[..., Ran], palace: str, tmp_path: Path, no_models: None
) -> None:
    config = tmp_path / "other.toml"
    config.write_text('[embeddings]\nmodel = "all-MiniLM-L6-v2"\n')
    refused = command("--config", config, "reembed", "--palace", palace)
    assert refused.code == EXIT["SETTINGS_INVALID"]
    assert "[embeddings] model has changed, but the service runs with another embeddings.model" in refused.err


def test_what_a_service_may_not_read_is_sent(
    command: Callable[..., Ran], palace: str, folder: Path, data_folder: Path, no_models: None
) -> None:
    with _file_of_service(data_folder, proof=""):
        report = printed(command("ingest", folder, "--wing", "w", "--json", "--palace", palace))
    assert report["documents_stored"] == 2
    assert printed(command("ingest", folder, "--wing", "w", "--json", "--palace", palace))["documents_unchanged"] == 2


def test_the_service_of_another_user_is_refused(
    command: Callable[..., Ran], palace: str, folder: Path, data_folder: Path, no_models: None
) -> None:
    file = service_file.path_of(data_folder)
    file.chmod(0o644)
    try:
        refused = command("ingest", folder, "--wing", "w", "--palace", palace)
    finally:
        file.chmod(0o600)
    assert refused.code == EXIT["UNAUTHORIZED"]
    assert "other users can read" in refused.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_command_that_ends_stops_its_work_in_the_service(
    environ: dict[str, str], service: httpx.Client, palace: str, tmp_path: Path, number: signal.Signals
) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for file in range(400):
        words = "\n\n".join(f"Text {file} {part} of the ships." for part in range(40))
        (many / f"{file}.md").write_text(words)
    words = ["ingest", str(many), "--wing", "w", "--palace", palace]
    child = subprocess.Popen([GRAPHPALACE, *words], env=environ, stderr=subprocess.PIPE, text=True)
    with _opened(service, palace) as found:
        until(lambda: found.stats().nodes.get("Drawer", 0) > 0, seconds=120)
        child.send_signal(number)
        _, said = child.communicate(timeout=30)
        if number == signal.SIGINT:
            assert child.returncode == 130
            assert "stopped: what is already stored is kept; run the same command again to store the rest" in said
        until(lambda: _is_still(found), seconds=60)
        assert found.stats().nodes["Closet"] < 400
        assert found.ingest(many, wing="w").documents_stored > 0
        assert found.stats().nodes["Closet"] == 400


def test_two_commands_at_once_wait_for_each_other_on_a_wing(
    environ: dict[str, str], service: httpx.Client, palace: str, tmp_path: Path
) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for file in range(60):
        (many / f"{file}.md").write_text(f"# Note {file}\n\nText {file} of the ships.\n")
    run = partial(apart, environ, tmp_path)
    words = ("ingest", many, "--json", "--palace", palace, "--wing")
    with ThreadPoolExecutor(3) as threads:
        one, two, other = threads.map(lambda wing: printed(run(*words, wing)), ["same", "same", "other"])
    assert sorted((one["documents_stored"], two["documents_stored"])) == [0, 60]
    assert sorted((one["documents_unchanged"], two["documents_unchanged"])) == [0, 60]
    assert other["documents_stored"] == 60
    with _opened(service, palace) as found:
        assert {wing.name: wing.drawers for wing in found.wings()} == {"same": 60, "other": 60}


def _opened(service: httpx.Client, palace: str) -> Palace:
    return Palace.connect(str(service.base_url), _KEY.get_secret_value(), name=palace)


def _is_still(door: Palace) -> bool:
    before = door.stats().revision
    time.sleep(1)
    return door.stats().revision == before


@contextmanager
def _file_of_service(folder: Path, **change: Any) -> Iterator[None]:
    """Change something in the file of the service for a while."""
    before = service_file.running(folder)
    service_file.write(folder, replace(before, **change))
    try:
        yield
    finally:
        service_file.write(folder, before)
