"""Work done again and again: how it overlaps, fails and ends."""

from __future__ import annotations

import asyncio
import logging

from graphpalace.serve.timetable import Timetable


async def test_stopping_cancels_what_is_under_way_waits_for_it_and_reports_nothing(caplog) -> None:
    begun, ended = asyncio.Event(), []

    async def slow() -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)  # puts its things away
            ended.append(True)

    table = Timetable()
    table.every(60, slow, at_once=True)
    table.start()
    await asyncio.wait_for(begun.wait(), 5)
    await table.stop()
    assert ended == [True]
    assert caplog.text == ""


async def test_work_whose_turn_has_come_but_which_has_not_begun_ends_quietly_too(caplog) -> None:
    async def work() -> None:
        await asyncio.sleep(60)

    table = Timetable()
    table.every(60, work, at_once=True)
    table.start()
    await asyncio.sleep(0)  # the scheduler has handed the turn out; it has not run
    await asyncio.wait_for(table.stop(), 5)
    assert caplog.text == ""


async def test_work_that_takes_longer_than_its_interval_is_not_begun_twice(caplog) -> None:
    at_once, most, turns, enough = 0, 0, 0, asyncio.Event()

    async def long() -> None:
        nonlocal at_once, most, turns
        at_once, turns = at_once + 1, turns + 1
        most = max(most, at_once)
        if turns == 3:
            enough.set()
        await asyncio.sleep(0.05)
        at_once -= 1

    table = Timetable()
    table.every(0.01, long, at_once=True)
    table.start()
    await asyncio.wait_for(enough.wait(), 5)
    await table.stop()
    assert most == 1
    assert caplog.text == ""


async def test_what_goes_wrong_is_reported_and_the_work_is_done_again(caplog) -> None:
    turns, again = 0, asyncio.Event()

    async def breaks() -> None:
        nonlocal turns
        turns += 1
        if turns == 2:
            again.set()
        raise RuntimeError("out of chalk")

    table = Timetable()
    table.every(0.01, breaks)
    with caplog.at_level(logging.ERROR):
        table.start()
        await asyncio.wait_for(again.wait(), 5)
        await table.stop()
    assert "out of chalk" in caplog.text


async def test_without_at_once_the_first_turn_is_one_interval_away() -> None:
    done, first = [], asyncio.Event()

    async def late() -> None:
        done.append("late")

    async def soon() -> None:
        done.append("soon")
        first.set()

    table = Timetable()
    table.every(60, late)
    table.every(60, soon, at_once=True)
    table.start()
    await asyncio.wait_for(first.wait(), 5)
    await asyncio.sleep(0.02)
    await table.stop()
    assert done == ["soon"]


async def test_one_that_was_never_started_can_be_stopped() -> None:
    await Timetable().stop()
