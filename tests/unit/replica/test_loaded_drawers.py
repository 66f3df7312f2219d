"""Questions that wait are answered together, each with its own answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest

from graphpalace.domain.vectors import unit_rows
from graphpalace.replica.loaded_drawers import RequestBatcher
from graphpalace.vectors.drawer_matrix import DrawerMatrix
from graphpalace.vectors.drawer_rows import DrawerRows


async def test_a_batch_is_what_came_while_the_one_before_was_answered() -> None:
    batches: list[list[int]] = []

    async def double(asked: Sequence[int]) -> list[int]:
        batches.append(list(asked))
        await asyncio.sleep(0.01)
        return [2 * one for one in asked]

    together: RequestBatcher[int, int] = RequestBatcher(double)
    first = asyncio.create_task(together.ask(0))
    await asyncio.sleep(0.001)
    others = [together.ask(number) for number in range(1, 41)]
    assert await asyncio.gather(first, *others) == [2 * number for number in range(41)]
    assert batches == [[0], list(range(1, 33)), list(range(33, 41))]
    assert await together.ask(7) == 14


async def test_a_failure_is_that_of_its_batch_alone() -> None:
    async def inverse(asked: Sequence[int]) -> list[float]:
        await asyncio.sleep(0)
        return [1 / one for one in asked]

    together: RequestBatcher[int, float] = RequestBatcher(inverse)
    with pytest.raises(ZeroDivisionError):
        await together.ask(0)
    assert await together.ask(4) == 0.25


async def test_who_gives_up_holds_up_nobody() -> None:
    async def slow(asked: Sequence[int]) -> list[int]:
        await asyncio.sleep(0.02)
        return list(asked)

    together: RequestBatcher[int, int] = RequestBatcher(slow)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.005):
            await together.ask(1)
    assert await together.ask(2) == 2


@pytest.mark.parametrize("asked", [2, 5])
def test_the_best_of_each_question_are_those_that_it_gets_alone(asked: int) -> None:
    rng = np.random.default_rng(4)
    vectors = unit_rows(rng.standard_normal((300, 16)).astype(np.float32))
    matrix = DrawerMatrix(16)
    ids = [f"d{number:03}" for number in range(300)]
    matrix.put(DrawerRows(ids, ["w"] * 300, ["r"] * 300, [0] * 300, vectors))
    queries = unit_rows(rng.standard_normal((asked, 16)).astype(np.float32))
    together = matrix.nearest_of_each(queries, limit=7)
    for query, ranking in zip(queries, together, strict=True):
        alone = matrix.nearest(query, limit=7)
        assert ranking.ids == alone.ids
        assert ranking.scores == pytest.approx(alone.scores, abs=1e-6)
        assert ranking.first(3).ids == alone.ids[:3]
