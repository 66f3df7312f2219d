"""The file of a running service: who can read it, and when it counts."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from graphpalace import process_start
from graphpalace.client import service_file
from graphpalace.client.service_file import RunningService
from graphpalace.errors import ServiceUnavailable, Unauthorized
from graphpalace.managed_neo4j.state import ServerState
from graphpalace.process_start import birth, created_at


@pytest.fixture
def service() -> RunningService:
    process = psutil.Process()
    return RunningService("http://127.0.0.1:8600", "secret", process.pid, process.create_time(), "1.0")


def test_only_its_owner_can_read_what_was_written(tmp_path: Path, service: RunningService) -> None:
    service_file.write(tmp_path / "new", service)
    assert stat.S_IMODE(service_file.path_of(tmp_path / "new").stat().st_mode) == 0o600
    assert service_file.running(tmp_path / "new") == service


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such mode")
def test_a_file_that_others_can_read_is_refused(tmp_path: Path, service: RunningService) -> None:
    service_file.write(tmp_path, service)
    service_file.path_of(tmp_path).chmod(0o640)
    with pytest.raises(Unauthorized, match="chmod 600"):
        service_file.read(tmp_path)


@pytest.mark.parametrize("change", [{"started": 1.0}, {"pid": 2**22 + 1}])
def test_a_file_whose_process_is_gone_does_not_count(
    tmp_path: Path, service: RunningService, change: dict[str, float]
) -> None:
    service_file.write(tmp_path, replace(service, **change))  # pyright: ignore[reportArgumentType]
    with pytest.raises(ServiceUnavailable, match="graphpalace up"):
        service_file.running(tmp_path)


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"url": "x", "more": 1}'])
def test_a_file_that_cannot_be_understood_is_none(tmp_path: Path, service: RunningService, text: str) -> None:
    service_file.write(tmp_path, service)
    service_file.path_of(tmp_path).write_text(text, "utf-8")
    assert service_file.read(tmp_path) is None


def test_a_service_removes_its_own_file_and_no_other(tmp_path: Path, service: RunningService) -> None:
    service_file.write(tmp_path, service)
    service_file.remove(tmp_path, service.pid + 1)
    assert service_file.read(tmp_path) == service
    service_file.remove(tmp_path, service.pid)
    assert service_file.read(tmp_path) is None
    service_file.remove(tmp_path, service.pid)


def test_the_file_of_a_copied_data_folder_does_not_count(tmp_path: Path, service: RunningService) -> None:
    service_file.write(tmp_path / "one", replace(service, home=str(tmp_path / "one")))
    assert service_file.read(tmp_path / "one")
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    assert service_file.read(tmp_path / "two") is None


def test_what_a_later_version_adds_to_the_file_is_ignored(tmp_path: Path, service: RunningService) -> None:
    service_file.write(tmp_path, service)
    path = service_file.path_of(tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"more": 1}), "utf-8")
    assert service_file.read(tmp_path) == service


@pytest.mark.skipif(sys.platform != "linux", reason="other systems are asked by psutil itself")
def test_processes_are_told_apart_as_psutil_does_and_a_zombie_is_none() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert created_at(child.pid) == pytest.approx(psutil.Process(child.pid).create_time(), abs=0.5)
    assert birth(child.pid) not in (None, birth(os.getpid()))
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and nobody has collected it
    assert created_at(child.pid) is None
    child.wait()
    assert created_at(child.pid) is None


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the time of creation stays as it was written down")
@pytest.mark.parametrize("seconds", [-3600, 365 * 24 * 3600])
def test_a_service_and_a_neo4j_still_run_after_the_clock_of_the_machine_was_set(
    service: RunningService, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    me, read = psutil.Process(), process_start._read
    noted = replace(service, pid=me.pid, started=me.create_time(), born=birth(me.pid) or "")
    server = ServerState(me.pid, me.create_time(), 1, 2, "5", "java", "2026-01-01T00:00:00Z", born=birth(me.pid) or "")

    def shifted(path: str) -> str:
        """What Linux then says: the moment at which the machine started has moved."""
        return re.sub(r"btime (\d+)", lambda found: f"btime {int(found[1]) + seconds}", read(path))

    monkeypatch.setattr(process_start, "_read", shifted)
    assert created_at(me.pid) == pytest.approx(me.create_time() + seconds, abs=1)
    assert noted.alive
    assert server.process() == me
    assert not replace(noted, born="").alive  # as it was before there were marks
    assert not replace(noted, born="another").alive
