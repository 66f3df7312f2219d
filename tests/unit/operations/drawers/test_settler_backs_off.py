"""A palace that cannot be settled is tried again ever more rarely, and the log has each reason once."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from structlog.testing import capture_logs

from graphpalace.errors import DatabaseUnavailable, NotFound
from graphpalace.operations.drawers import settle as settler
from graphpalace.operations.drawers.settle import Settler

AWAY, FULL = DatabaseUnavailable("the database is away"), DatabaseUnavailable("the disk is full")


@pytest.mark.parametrize(
    ("failures", "reasons"),
    [
        ([], []),
        ([AWAY] * 12, ["the database is away"]),
        ([AWAY, AWAY, FULL, FULL, AWAY], ["the database is away", "the disk is full", "the database is away"]),
        ([ValueError("no"), AWAY, AWAY], ["ValueError('no')", "the database is away"]),
        ([AWAY, NotFound("it was dropped")], ["the database is away"]),
    ],
)
async def test_each_reason_is_said_once_and_the_waits_grow(
    failures: list[Exception], reasons: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    left = list(failures)

    async def quiet(_: object, after_s: float) -> None:
        waits.append(after_s)

    async def settle(*_: Any, **__: Any) -> None:
        if left:
            raise left.pop(0)

    monkeypatch.setattr(settler._Unsettled, "quiet", quiet)
    monkeypatch.setattr(settler, "settle", settle)
    tried = Settler(cast(Any, None), cast(Any, None), after_s=5.0)
    with capture_logs() as logs:
        tried.wrote("main")
        await asyncio.wait_for(tried._unsettled["main"].task or asyncio.sleep(0), 5)
    assert [log["reason"] for log in logs] == reasons
    ends = isinstance(failures[-1], NotFound) if failures else False
    assert waits == [5.0 * min(2**at, 64) for at in range(len(failures) + (not ends))]
    assert tried.waiting == []
