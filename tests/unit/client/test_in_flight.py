"""A few calls are under way at a time, and their answers come in order."""

from __future__ import annotations

import asyncio
import threading

import pytest

from graphpalace.client.in_flight import AsyncInFlight, InFlight


async def test_answers_come_in_order_and_no_more_are_under_way_than_may_be() -> None:
    under_way, most, taken = 0, 0, list[int]()
    first_may_end = asyncio.Event()

    async def call(number: int) -> int:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        if number == 0:
            await first_may_end.wait()
        elif number == 1:
            first_may_end.set()  # which is only possible while both are under way
        under_way -= 1
        return number

    async with AsyncInFlight(2) as calls:
        for number in range(5):
            await calls.start(lambda number=number: call(number), taken.append)
        await calls.finish()
        assert taken == [0, 1, 2, 3, 4]
    assert most == 2


async def test_the_first_error_is_raised_when_no_call_is_under_way_any_more() -> None:
    ended = list[int]()

    async def call(number: int) -> int:
        if number == 0:
            raise ValueError("refused")
        await asyncio.sleep(0)
        ended.append(number)
        return number

    taken = list[int]()
    with pytest.raises(ValueError, match="refused"):
        async with AsyncInFlight(2) as calls:
            for number in range(5):
                await calls.start(lambda number=number: call(number), taken.append)
    assert ended == [1]
    assert taken == []


async def test_who_cancels_the_block_cancels_its_calls() -> None:
    begun, cancelled = asyncio.Event(), False

    async def call() -> None:
        nonlocal cancelled
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled = True
            raise

    async def block() -> None:
        async with AsyncInFlight(2) as calls:
            await calls.start(call, id)

    task = asyncio.create_task(block())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cancelled


def test_threads_do_the_same_without_asyncio() -> None:
    taken, second = list[int](), threading.Event()

    def call(number: int) -> int:
        if number == 0:
            assert second.wait(10)
        elif number == 1:
            second.set()
        elif number == 4:
            raise ValueError("refused")
        return number

    with InFlight(2) as calls:
        for number in range(3):
            calls.start(lambda number=number: call(number), taken.append)
    assert taken == [0, 1, 2]
    with pytest.raises(ValueError, match="refused"), InFlight(2) as calls:
        for number in (3, 4, 5, 6):
            calls.start(lambda number=number: call(number), taken.append)
    assert taken == [0, 1, 2, 3]
