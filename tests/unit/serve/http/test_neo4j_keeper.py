"""The service starts its Neo4j again, but not one that was stopped or that belongs to somebody else."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from graphpalace.errors import DatabaseBroken, DatabaseUnavailable, NotEnoughDisk
from graphpalace.serve.http.process import supervisor as neo4j_keeper
from graphpalace.serve.http.process.supervisor import Neo4jKeeper


class Server:
    """A managed server in words."""

    def __init__(self, *, killed: bool = False, fails: Exception | None = None) -> None:
        self.killed = killed
        self.fails = fails
        self.starts = 0

    def ended_by_itself(self) -> bool:
        return self.killed

    def up(self) -> None:
        self.starts += 1
        if self.fails:
            raise self.fails
        self.killed = False


def keeper(server: Server, answer: Exception | None = None) -> Neo4jKeeper:
    async def probe() -> None:
        if answer:
            raise answer

    return Neo4jKeeper(cast(Any, server), probe)


async def test_a_server_that_was_killed_is_started_again_once() -> None:
    server = Server(killed=True)
    kept = keeper(server)
    assert await kept.look()
    assert not await kept.look()
    assert server.starts == 1


async def test_a_server_that_has_given_its_database_up_is_started_again() -> None:
    server = Server()
    assert await keeper(server, DatabaseBroken()).look()
    assert server.starts == 1


@pytest.mark.parametrize("answer", [None, DatabaseUnavailable("stopped by `graphpalace down`, or just starting")])
async def test_a_server_that_answers_or_that_was_stopped_is_left_alone(answer: Exception | None) -> None:
    server = Server()
    assert not await keeper(server, answer).look()
    assert server.starts == 0


async def test_a_start_that_fails_is_told_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neo4j_keeper, "_LOOK_S", 0)
    monkeypatch.setattr(neo4j_keeper, "_AGAIN_S", 0)
    server = Server(killed=True, fails=NotEnoughDisk("3 MiB are free"))
    kept = keeper(server)
    kept.start()
    try:
        async with asyncio.timeout(10):
            while server.starts < 3:  # noqa: ASYNC110 - the server in words has no event
                await asyncio.sleep(0.01)
            assert kept.trouble == "3 MiB are free"
            server.fails = None
            while kept.trouble:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
    finally:
        await kept.stop()
    assert not server.killed
