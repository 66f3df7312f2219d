"""Works that take turns, one of them often an empty transaction."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping

import neo4j


async def in_turns(works: Mapping[str, Callable[[int], Awaitable[None]]], turns: int) -> dict[str, list[float]]:
    """Return the seconds that each work takes in each turn; a work is given the number of the turn."""
    spent: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(turns):
        for name, work in works.items():
            started = time.perf_counter()
            await work(turn)
            spent[name].append(time.perf_counter() - started)
    return spent


def spent_in_turns(works: Mapping[str, Callable[[], object]], turns: int) -> dict[str, list[float]]:
    """As `in_turns`, for works that wait for nothing."""
    spent: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(turns):
        for name, work in works.items():
            started = time.perf_counter()
            work()
            spent[name].append(time.perf_counter() - started)
    return spent


def empty_write(driver: neo4j.AsyncDriver) -> Callable[[int], Awaitable[None]]:
    """Return a work that is one write transaction without a change."""

    async def nothing(tx: neo4j.AsyncManagedTransaction) -> None:
        await (await tx.run("RETURN 1")).consume()

    async def work(_turn: int) -> None:
        async with driver.session() as session:
            await session.execute_write(nothing)

    return work
