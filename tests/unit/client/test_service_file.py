"""The file of a running service: who can read it, and when it counts."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from graphpalace.client import service_file
from graphpalace.client.service_file import RunningService
from graphpalace.errors import InvalidInput, ServiceUnavailable, Unauthorized


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
    with pytest.raises(ServiceUnavailable, match="graphpalace serve"):
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


def test_two_homes_do_not_see_each_other(
    tmp_path: Path, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    service_file.write(tmp_path / "one", service)
    monkeypatch.setenv("GRAPHPALACE_NEO4J__DATA_DIR", str(tmp_path / "one"))
    assert service_file.address(None, None) == ("http://127.0.0.1:8600", "secret")
    monkeypatch.setenv("GRAPHPALACE_NEO4J__DATA_DIR", str(tmp_path / "two"))
    with pytest.raises(ServiceUnavailable, match="two"):
        service_file.address(None, None)


def test_an_address_that_is_none_of_http_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"url is 'localhost:8600'; write it like http://"):
        service_file.address("localhost:8600", None)
