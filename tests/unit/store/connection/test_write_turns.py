"""Writes in a row: each begins while the one before commits, and links to it only after that."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from graphpalace.domain.drawers.records import WriteResult
from graphpalace.errors import DatabaseFailed
from graphpalace.store.connection.write_turn import WriteTurn

_WRITTEN = WriteResult(revision=1, created=(), kept=(), removed=(), edges=0)


class _Writer:
    """A write whose transaction says when it is where, and whose commits take as long as they are told."""

    def __init__(self, name: str, turn: WriteTurn, log: list[str], *outcomes: Exception | None) -> None:
        self.name = name
        self.committed = asyncio.Event()
        self._turn = turn
        self._log = log
        self._outcomes = list(outcomes) or [None]

    def start(self) -> asyncio.Task[WriteResult]:
        return asyncio.create_task(self._turn.take(self._write))

    async def _write(self) -> WriteResult:
        while True:  # as the driver does, which begins again after an error that may pass
            self._turn.begin()
            self._log.append(f"{self.name} begins")
            await self._turn.follow()
            self._log.append(f"{self.name} links")
            self._turn.leave()
            await self.committed.wait()
            self.committed.clear()
            outcome = self._outcomes.pop(0)
            if outcome is None:
                self._log.append(f"{self.name} commits")
                return _WRITTEN
            if not isinstance(outcome, _PassingError):
                raise outcome


class _PassingError(Exception):
    pass


async def _until(condition: Callable[[], bool]) -> None:
    for _ in range(1000):  # rounds of the event loop; there is nothing else to wait for
        if condition():
            return
        await asyncio.sleep(0)
    pytest.fail("this never came to be")


async def test_the_next_begins_while_one_commits_and_links_when_it_has() -> None:
    log: list[str] = []
    turn = WriteTurn()
    first, second = _Writer("first", turn, log), _Writer("second", WriteTurn(turn), log)
    one = first.start()
    await turn.ready()
    two = second.start()
    await _until(lambda: "second begins" in log)
    for _ in range(20):
        await asyncio.sleep(0)
    assert log == ["first begins", "first links", "second begins"]
    first.committed.set()
    second.committed.set()
    assert await asyncio.gather(one, two) == [_WRITTEN, _WRITTEN]
    assert log[3:] == ["first commits", "second links", "second commits"]


async def test_what_follows_a_write_that_failed_fails_too_and_links_nothing() -> None:
    log: list[str] = []
    turn = WriteTurn()
    first, second = _Writer("first", turn, log, DatabaseFailed("full")), _Writer("second", WriteTurn(turn), log)
    one, two = first.start(), second.start()
    await _until(lambda: "second begins" in log)
    first.committed.set()
    for task in (one, two):
        with pytest.raises(DatabaseFailed, match="full"):
            await task
    assert "second links" not in log


async def test_one_that_waits_makes_way_for_one_that_begins_again() -> None:
    log: list[str] = []
    turn = WriteTurn()
    first, second = _Writer("first", turn, log, _PassingError(), None), _Writer("second", WriteTurn(turn), log)
    one, two = first.start(), second.start()
    await _until(lambda: "second begins" in log)
    first.committed.set()
    await _until(lambda: log.count("first begins") == 2 and not first.committed.is_set())
    for _ in range(20):
        await asyncio.sleep(0)
    assert log.count("second begins") == 1  # it left its transaction and waits outside
    first.committed.set()
    second.committed.set()
    assert await asyncio.gather(one, two) == [_WRITTEN, _WRITTEN]
    assert log[-4:] == ["first commits", "second begins", "second links", "second commits"]


async def test_one_whose_predecessor_is_cancelled_ends_too() -> None:
    log: list[str] = []
    turn = WriteTurn()
    first, second = _Writer("first", turn, log), _Writer("second", WriteTurn(turn), log)
    one, two = first.start(), second.start()
    await _until(lambda: "second begins" in log)
    one.cancel()
    with pytest.raises(asyncio.CancelledError):
        await one
    with pytest.raises(asyncio.CancelledError):
        await two
