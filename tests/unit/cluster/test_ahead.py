"""Several things are worked on at once, and their results come in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from graphpalace.cluster.ahead import in_order


async def _numbers(taken: list[int], count: int = 6) -> AsyncGenerator[int, None]:
    for number in range(count):
        taken.append(number)
        yield number


async def _later(number: int) -> int:
    await asyncio.sleep(0.01 * (5 - number))  # the first ends last
    return number * number


@pytest.mark.parametrize("at_once", [1, 3, 10])
async def test_results_come_in_the_order_of_the_things(at_once: int) -> None:
    assert [pair async for pair in in_order(_numbers([]), _later, at_once=at_once)] == [
        (number, number * number) for number in range(6)
    ]


@pytest.mark.parametrize("at_once", [1, 3])
async def test_no_more_is_taken_than_may_be_worked_on(at_once: int) -> None:
    taken: list[int] = []
    async with aclosing(in_order(_numbers(taken), _later, at_once=at_once)) as found:
        async for number, _ in found:
            assert len(taken) == min(number + at_once, 6)


async def test_an_error_ends_what_was_begun() -> None:
    ended: list[int] = []

    async def work(number: int) -> int:
        try:
            if number == 1:
                raise ValueError(number)
            await asyncio.sleep(60 if number else 0)
        finally:
            ended.append(number)
        return number

    before = asyncio.all_tasks()
    with pytest.raises(ValueError, match="1"):
        async for _ in in_order(_numbers([]), work, at_once=4):
            pass
    assert sorted(ended) == [0, 1, 2, 3]  # the last one had not begun
    assert asyncio.all_tasks() == before
