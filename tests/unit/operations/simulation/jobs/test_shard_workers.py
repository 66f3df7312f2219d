"""Processes that make slices, one of which dies when it does most harm."""

import os
import select
import signal
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from tests.unit.operations.simulation.jobs.test_shard import small_shard

from graphpalace.operations.simulation.jobs.shards import ProcessWorkers, make_slice

pytestmark = pytest.mark.slow


class _Deadly(list[str]):
    """Identifiers with which a process dies, once, in the midst of a message that one write cannot carry."""

    def __init__(self, ids: list[str], died: Path) -> None:
        super().__init__(ids)
        self.died = died

    def __reduce__(self) -> tuple[object, ...]:
        return _armed, (list(self), self.died)


def _armed(ids: list[str], died: Path) -> list[str]:
    whole = Connection._send  # pyright: ignore[reportAttributeAccessIssue]

    def send(self: Connection, message: bytes) -> None:
        if len(message) > select.PIPE_BUF and not died.exists():
            died.touch()
            os.write(self.fileno(), message[: select.PIPE_BUF])
            os.kill(os.getpid(), signal.SIGKILL)
        whole(self, message)

    Connection._send = send  # pyright: ignore[reportAttributeAccessIssue]
    return ids


@pytest.mark.timeout(60)
async def test_a_process_that_dies_while_it_hands_over_its_outcome_does_not_block_the_others(tmp_path: Path) -> None:
    shard = small_shard(deterministic=True)
    workers = ProcessWorkers(2)
    placed = await workers.place(replace(shard, ids=_Deadly(list(shard.ids), tmp_path / "died")))
    outcome = await workers.make_slice(placed, b"", 0.0)
    await workers.remove(placed)
    await workers.close()
    assert outcome.state == make_slice(shard, b"", 0.0).state
