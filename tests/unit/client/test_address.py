"""Where a client finds its service: at a URL, or by the file of its home."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

import graphpalace
from graphpalace.client import service_file
from graphpalace.client.ensure_service import address, check_url
from graphpalace.client.service_file import RunningService
from graphpalace.errors import InvalidInput, ServiceUnavailable


@pytest.fixture
def service() -> RunningService:
    process = psutil.Process()
    version = graphpalace.__version__
    return RunningService("http://127.0.0.1:8600", "secret", process.pid, process.create_time() - 0.5, version)


def test_two_homes_do_not_see_each_other(
    tmp_path: Path, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHPALACE_SERVICE__AUTOSTART", "false")
    service_file.write(tmp_path / "one", service)
    monkeypatch.setenv("GRAPHPALACE_NEO4J__DATA_DIR", str(tmp_path / "one"))
    assert address(None, None) == ("http://127.0.0.1:8600", "secret")
    monkeypatch.setenv("GRAPHPALACE_NEO4J__DATA_DIR", str(tmp_path / "two"))
    with pytest.raises(ServiceUnavailable, match="two"):
        address(None, None)


def test_an_address_that_is_none_of_http_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"url is 'localhost:8600'; write it like http://"):
        check_url("localhost:8600")
    check_url(None)
    check_url("https://palace.example")
