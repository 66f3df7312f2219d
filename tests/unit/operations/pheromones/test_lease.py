"""How a lease is given back when the work under it is cancelled."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from typing import Any, cast

import pytest

from graphpalace.domain.deadline import due_in
from graphpalace.domain.pheromones.pheromones import DecayLease
from graphpalace.operations.pheromones.decay import under_lease


class _Leases:
    """One lease, whose release takes until it is allowed."""

    def __init__(self) -> None:
        self.asked, self.allowed, self.released = asyncio.Event(), asyncio.Event(), False

    async def acquire(self, _palace: str, *, by: str, lease_ms: int) -> DecayLease:
        del lease_ms
        return DecayLease(acquired=True, by=by, until="", last_cycle=0)

    async def release(self, _palace: str, *, by: str) -> None:
        del by
        self.asked.set()
        await self.allowed.wait()
        self.released = True


@pytest.mark.parametrize("deadline", [False, True])
async def test_whoever_is_cancelled_waits_for_the_release_but_for_a_request(deadline: bool) -> None:
    leases, begun = _Leases(), asyncio.Event()

    async def work(_: DecayLease) -> None:
        begun.set()
        await asyncio.Event().wait()

    with due_in(60, setting="[service] write_deadline_s") if deadline else nullcontext():
        held = asyncio.create_task(under_lease(cast(Any, leases), "main", work, by="a:1/b", lease_s=60))
    await begun.wait()
    held.cancel()
    await leases.asked.wait()
    if deadline:
        await asyncio.wait({held}, timeout=1)
    else:
        await asyncio.sleep(0)
    assert held.done() is deadline
    leases.allowed.set()
    with pytest.raises(asyncio.CancelledError):
        await held
    await asyncio.sleep(0)
    assert leases.released
