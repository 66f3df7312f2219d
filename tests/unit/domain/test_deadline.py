"""The time of a request goes into what works on it, and not into what others need too."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from graphpalace.domain import deadline
from graphpalace.domain.deadline import at_most_s, current_deadline, due_in, left_s, to_the_end, without_deadline
from graphpalace.errors import TookTooLong


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the time in seconds; it begins at 100."""
    now = [100.0]
    monkeypatch.setattr(deadline, "monotonic", lambda: now[0])
    return lambda seconds: now.__setitem__(0, seconds)


def test_what_is_left_gets_less_and_its_end_is_an_error_that_names_the_setting(clock: Callable[[float], None]) -> None:
    assert left_s() is None
    with due_in(5, setting="[service] read_deadline_s"):
        assert left_s() == 5
        clock(103)
        assert left_s() == 2
        clock(105)
        with pytest.raises(TookTooLong, match=r"within 5 s \(\[service\] read_deadline_s\).*Idempotency-Key") as late:
            left_s()
        assert late.value.retry_after_s == 2
    assert left_s() is None


def test_the_earlier_of_two_deadlines_holds(clock: Callable[[float], None]) -> None:
    with due_in(5, setting="a"):
        with due_in(60, setting="b") as inner:
            assert (left_s(), inner.setting) == (5, "a")
        with due_in(1, setting="c") as inner:
            assert (left_s(), inner.setting) == (1, "c")
        assert left_s() == 5


def test_a_part_gets_its_own_time_or_most_of_what_is_left(clock: Callable[[float], None]) -> None:
    assert at_most_s(10) == 10
    with due_in(5, setting="a"):
        assert at_most_s(10) == 4  # .8 of 5
        assert at_most_s(3) == 3


async def test_tasks_inherit_the_deadline_unless_they_work_for_others() -> None:
    async def seen() -> bool:
        return current_deadline() is not None

    with due_in(60, setting="a"):
        assert await asyncio.create_task(seen())
        assert not await without_deadline(seen())
        assert not await to_the_end(seen)
        assert current_deadline() is not None


async def test_what_others_need_goes_on_when_its_caller_gives_up() -> None:
    begun, may_end, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def load() -> None:
        begun.set()
        await may_end.wait()
        ended.set()

    caller = asyncio.create_task(to_the_end(load))
    await begun.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    may_end.set()
    await asyncio.wait_for(ended.wait(), 10)


async def test_an_error_reaches_who_waits() -> None:
    async def fail() -> None:
        raise KeyError("no")

    with pytest.raises(KeyError):
        await to_the_end(fail)
