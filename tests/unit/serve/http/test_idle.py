"""A service that nobody uses ends; requests and work in the background count, watching its health does not."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from graphpalace.errors import DatabaseUnavailable
from graphpalace.serve.http.process.idle import ClockedRequests, IdleStop, RequestClock

AFTER_S = 0.2


class _Operations:
    busy = False


async def _ended(clock: RequestClock, operations: Any, *, within_s: float) -> bool:
    ended = asyncio.Event()
    stop = IdleStop(clock, operations, after_s=AFTER_S, end=ended.set)
    stop.start()
    try:
        await asyncio.wait_for(ended.wait(), within_s)
    except TimeoutError:
        return False
    finally:
        await stop.stop()
    return True


async def test_it_ends_after_the_time_also_without_a_database() -> None:
    def unavailable() -> Any:
        raise DatabaseUnavailable

    assert await _ended(RequestClock(), unavailable, within_s=10)


async def test_a_request_under_way_and_work_in_the_background_keep_it() -> None:
    clock, operations = RequestClock(), _Operations()
    with clock.request():
        assert not await _ended(clock, lambda: operations, within_s=4 * AFTER_S)
    operations.busy = True
    assert not await _ended(clock, lambda: operations, within_s=4 * AFTER_S)
    operations.busy = False
    assert await _ended(clock, lambda: operations, within_s=10)


@pytest.mark.parametrize(
    ("kind", "path", "counts"),
    [
        ("http", "/v1/search", True),
        ("http", "/", True),
        ("http", "/mcp", True),
        ("websocket", "/v1/mcmp/ws", True),
        ("http", "/health/ready", False),
        ("http", "/metrics", False),
        ("lifespan", "", False),
    ],
)
async def test_what_counts_as_a_request(kind: str, path: str, counts: bool) -> None:
    clock = RequestClock()
    clock._last -= 100
    seen = []

    async def app(*_: Any) -> None:
        seen.append(clock.idle_s)

    await ClockedRequests(app, clock=clock)({"type": kind, "path": path}, cast("Any", None), cast("Any", None))
    assert (seen[0] == 0) == counts
    assert (clock.idle_s < 50) == counts
