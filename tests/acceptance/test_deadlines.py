"""A database that is slow keeps nobody waiting, and nothing is half written."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import httpx
import pytest

from graphpalace.app import GraphPalace
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Transaction
from graphpalace.store.palaces.palaces import hold_palace
from tests.acceptance.served import changed, failure, served
from tests.spare_palaces import spare_name


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    short = {"read_deadline_s": 60.0, "write_deadline_s": 1.5}
    return changed(settings, palace={"name": spare_name()}, service=short)


@pytest.fixture(scope="module")
def http(own: Settings) -> Iterator[httpx.Client]:
    with served(own) as client:
        first = {"text": "bread needs flour", "wing": "w"}
        while client.post("/v1/drawers", json=first).status_code == 503:  # the first plans take long
            pass
        yield client
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


@asynccontextmanager
async def locked(app: GraphPalace, palace: str) -> AsyncIterator[None]:
    """Keep others from writing to a palace."""
    begun, over = asyncio.Event(), asyncio.Event()

    async def hold(tx: Transaction) -> None:
        await hold_palace(tx, palace)
        begun.set()
        await over.wait()

    holding = asyncio.create_task(app.database.transaction(palace, hold))
    await begun.wait()
    yield
    over.set()
    await holding


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/v1/drawers", {"text": "salt", "wing": "w"}),
        ("POST", "/v1/wings", {"name": "later"}),
        ("POST", "/v1/agents/ann/diary", {"text": "slow today"}),
    ],
)
async def test_a_write_that_cannot_be_done_in_time_is_refused_and_can_be_repeated(
    http: httpx.Client, app: GraphPalace, own: Settings, method: str, path: str, body: dict[str, str]
) -> None:
    key = {"Idempotency-Key": uuid.uuid4().hex}
    async with httpx.AsyncClient(base_url=http.base_url, headers=http.headers, timeout=60) as client:

        async def nodes() -> dict[str, int]:
            return (await client.get("/v1/stats")).json()["nodes"]

        before = await nodes()
        async with locked(app, own.palace.name):
            started = time.monotonic()
            refused = await client.request(method, path, json=body, headers=key)
            took = time.monotonic() - started
            error = failure(refused, 503, "TOOK_TOO_LONG")
            assert "write_deadline_s" in error["message"]
            assert refused.headers["retry-after"] == "2"
            assert took < 10  # without the deadline, it would wait until the lock is free
            assert (await client.get("/health/live")).status_code == 200
        assert await nodes() == before
        for _ in range(2):
            (await client.request(method, path, json=body, headers=key)).raise_for_status()
        after = await nodes()
        assert sum(after.values()) > sum(before.values())
