"""A service that runs is used; one of another version is told apart. Starting real ones is tested elsewhere."""

from __future__ import annotations

import http.server
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

import graphpalace
from graphpalace.client import ensure_service as module
from graphpalace.client import service_file
from graphpalace.client.ensure_service import alone, current, ensure_service
from graphpalace.client.service_file import RunningService
from graphpalace.client.service_process import last_words
from graphpalace.errors import Conflict, ServiceUnavailable, SettingsInvalid
from graphpalace.settings.home import Home


class _Ready(http.server.BaseHTTPRequestHandler):
    asked = 0

    def do_GET(self) -> None:
        type(self).asked += 1
        self.send_response(200 if self.asked > 2 else 503)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Stay quiet."""


@pytest.fixture
def url() -> Iterator[str]:
    """A service that is ready when it is asked for the third time."""
    _Ready.asked = 0
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Ready) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def service(url: str) -> RunningService:
    process = psutil.Process()
    return RunningService(url, "secret", process.pid, process.create_time(), graphpalace.__version__)


def test_a_running_service_is_used_and_one_that_just_started_is_waited_for(
    tmp_path: Path, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    service_file.write(tmp_path, service)
    monkeypatch.setattr(module, "_YOUNG_S", 0.0)
    assert ensure_service(Home(tmp_path)) == service
    assert _Ready.asked == 0
    monkeypatch.setattr(module, "_YOUNG_S", time.time() - service.started + 60)
    assert ensure_service(Home(tmp_path)) == service
    assert _Ready.asked == 3


def test_a_service_of_a_later_version_is_left_alone_and_one_of_an_earlier_version_does_not_count(
    tmp_path: Path, service: RunningService
) -> None:
    service_file.write(tmp_path, replace(service, version="0.0.9"))
    assert current(Home(tmp_path)) is None
    service_file.write(tmp_path, replace(service, version="99.10.0"))
    with pytest.raises(Conflict, match=r"GraphPalace 99\.10\.0.*graphpalace service restart"):
        ensure_service(Home(tmp_path))


def test_who_waited_for_a_start_that_failed_gets_its_error_and_later_ones_try_again(tmp_path: Path) -> None:
    home = Home(tmp_path)
    asked_at = time.time()
    module._note(home, ServiceUnavailable("the disk is full"))
    with pytest.raises(ServiceUnavailable, match="the disk is full"):
        module._raise_again(home, since=asked_at)
    module._raise_again(home, since=time.time() + 1)
    module._raise_again(home, since=asked_at)  # the old failure was removed


def test_a_lock_that_is_never_given_back_is_named(tmp_path: Path) -> None:
    with (
        alone(Home(tmp_path)),
        pytest.raises(ServiceUnavailable, match="has been starting or stopping"),
        alone(Home(tmp_path), timeout_s=0.1),
    ):
        pass


def test_a_file_in_the_place_of_the_data_folder_is_named_with_the_setting(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(SettingsInvalid, match=r"\[neo4j\] data_dir"):
        ensure_service(Home(tmp_path / "file"))


@pytest.mark.parametrize(
    ("log", "words"),
    [("", ""), ("a\nerror CONFLICT why\n{}\n", "error CONFLICT why"), ("a\n\nKilled\n\n", "Killed")],
)
def test_the_last_words_of_a_log_are_its_error_or_its_last_line(tmp_path: Path, log: str, words: str) -> None:
    (tmp_path / "log").write_text(log)
    assert last_words(tmp_path / "log") == words
    assert last_words(tmp_path / "nowhere") == ""
