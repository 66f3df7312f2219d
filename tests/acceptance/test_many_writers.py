"""Thirty-two writers to one wing, in processes that are killed and started again, and a service that is killed, too."""

from __future__ import annotations

import multiprocessing
import random
import subprocess
import sys
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from graphpalace.app import GraphPalace
from graphpalace.settings.load import Settings
from tests.acceptance.served import client_of, free_port, run_service, until

_WRITER = """
import sys, threading
from graphpalace import Palace
url, palace, first, path = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
log, lock = open(path, "a"), threading.Lock()
def write(number):
    for turn in range(3):
        key = f"writer-{number}-{turn}"
        entry = there.write_diary("crew", f"entry {key}", searchable=False, key=f"{key}-entry")
        drawer = there.add(f"note {key} about owls", wing="w", room=f"r{number % 3}", key=key)
        with lock:
            log.write(f"{drawer.id} {entry.id}\\n")
            log.flush()
    written.append(number)
written = []
with Palace.connect(url, name=palace) as there:
    threads = [threading.Thread(target=write, args=(first + at,)) for at in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
if len(written) < 8:
    sys.exit(1)
"""


@pytest.mark.chaos
async def test_all_that_was_acknowledged_is_there_once(
    app: GraphPalace, palace: str, settings: Settings, tmp_path: Path
) -> None:
    listener, chance = free_port(), random.Random(7)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    logs = [tmp_path / f"writer-{number}" for number in range(4)]

    def service() -> BaseProcess:
        started = multiprocessing.get_context("spawn").Process(target=run_service, args=(settings, listener))
        started.start()
        return started

    def writer(number: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", _WRITER, url, palace, str(8 * number), str(logs[number])])

    def acknowledged() -> list[str]:
        return [line for log in logs if log.exists() for line in log.read_text().splitlines() if len(line.split()) == 2]

    def is_ready() -> None:
        with client_of(settings, listener) as client:
            until(lambda: client.get("/health/ready").status_code == 200, seconds=60)

    serving = service()
    try:
        is_ready()
        writers = [writer(number) for number in range(4)]
        for most in (8, 20):
            until(lambda most=most: len(acknowledged()) >= most, seconds=60)
            killed = chance.randrange(4)
            writers[killed].kill()
            writers[killed].wait()
            writers[killed] = writer(killed)
        until(lambda: len(acknowledged()) >= 30, seconds=60)
        serving.kill()
        serving.join()
        serving = service()
        writers[0].kill()
        is_ready()
        for number, one in enumerate(writers):  # one that was cut off writes all again with the same keys
            if one.wait(120):
                assert writer(number).wait(120) == 0
        done = {tuple(line.split()) for line in acknowledged()}
    finally:
        serving.kill()
        serving.join()
        listener.close()
    drawers, _ = await app.drawers.page(palace, wing="w", limit=200)
    entries = (await app.diaries.read(palace, "crew", last=1000)).entries
    assert {drawer.id for drawer in drawers} == {drawer for drawer, _ in done}
    assert sorted(drawer.text for drawer in drawers) == sorted(
        f"note writer-{number}-{turn} about owls" for number in range(32) for turn in range(3)
    )
    assert sorted(entry.id for entry in entries) == sorted({entry for _, entry in done})
    assert len(entries) == 32 * 3
    async with app.replica.indexes.reading(palace) as matrix:
        assert set(matrix.ids) == {drawer.id for drawer in drawers}
