"""A service that is killed comes back by itself; one that was stopped does not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graphpalace.client import service_file
from graphpalace.client.ensure_service import alone
from graphpalace.client.service_process import end
from graphpalace.settings.home import Home

# A service as the keeper sees it: it leaves its file, ends well on SIGTERM, and, like a real one that starts, dies
# without a file while the data folder has a file `dies`.
_SERVICE = """
import os, signal, sys, time
from pathlib import Path
from graphpalace.client import service_file
from graphpalace.process_start import created_at
folder, me = Path(sys.argv[1]), os.getpid()
with (folder / "starts").open("a") as starts:
    starts.write(f"{me}\\n")
if (folder / "dies").exists():
    os.kill(me, signal.SIGKILL)
def stop(*_):
    service_file.remove(folder, me)
    os._exit(0)
signal.signal(signal.SIGTERM, stop)
service = service_file.RunningService("http://127.0.0.1:9", "", me, created_at(me), "0.1.0", str(folder.resolve()))
service_file.write(folder, service)
time.sleep(60)
"""
_KEEPER = """
import sys
from graphpalace.client import service_keeper
service_keeper.command = lambda home: [sys.executable, "-c", sys.argv[2], str(home.folder)]
sys.exit(service_keeper.main(sys.argv[1]))
"""


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The keeper of a service that has left its file."""
    process = subprocess.Popen([sys.executable, "-c", _KEEPER, str(tmp_path), _SERVICE], stdout=subprocess.DEVNULL)
    until(lambda: service_file.running_or_none(tmp_path))
    yield process
    process.terminate()
    process.wait(10)


def until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def killed(folder: Path) -> int:
    """Kill the service and return its process, once it has ended."""
    service = service_file.running(folder)
    os.kill(service.pid, signal.SIGKILL)
    until(lambda: not service.alive)
    return service.pid


def test_a_killed_service_comes_back_each_time_and_one_that_ends_well_does_not(
    keeper: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    for _ in range(2):
        before = killed(tmp_path)
        until(lambda: service_file.running_or_none(tmp_path))
        assert service_file.running(tmp_path).pid != before
    assert end(Home(tmp_path))
    assert keeper.wait(10) == 0
    assert service_file.read(tmp_path) is None


def test_a_killed_service_that_is_stopped_before_it_comes_back_stays_away(
    keeper: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    home = Home(tmp_path)
    with alone(home):
        killed(tmp_path)
        assert not end(home)
    keeper.wait(10)
    assert service_file.read(tmp_path) is None


def test_a_service_that_is_killed_again_while_it_starts_comes_back_too(
    keeper: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    (tmp_path / "dies").touch()
    killed(tmp_path)
    until(lambda: (tmp_path / "starts").read_text().count("\n") == 2)
    (tmp_path / "dies").unlink()
    until(lambda: service_file.running_or_none(tmp_path))


def test_a_keeper_that_is_stopped_stops_its_service(keeper: subprocess.Popen[bytes], tmp_path: Path) -> None:
    service = service_file.running(tmp_path)
    keeper.terminate()
    assert keeper.wait(10) == 0
    assert not service.alive
