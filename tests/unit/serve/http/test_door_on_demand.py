"""A door that is made at the first request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from graphpalace.serve.http.process.door_on_demand import DoorOnDemand


class _Made:
    """Makes applications, and notes what happens to them."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def __call__(self) -> Starlette:
        self.events.append("made")

        @asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncIterator[None]:
            task = asyncio.current_task()
            self.events.append("began")
            yield
            assert asyncio.current_task() is task  # task groups demand it
            self.events.append("ended")

        async def answer(_: Request) -> PlainTextResponse:
            self.events.append("asked")
            return PlainTextResponse("here")

        return Starlette(routes=[Route("/door", answer)], lifespan=lifespan)


def _client(door: DoorOnDemand) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(door), base_url="http://door")


async def test_it_is_made_once_by_the_first_requests_and_ends_with_the_service() -> None:
    made = _Made()
    door = DoorOnDemand(made)
    assert made.events == []
    async with _client(door) as client:
        answers = await asyncio.gather(*(client.get("/door") for _ in range(3)))
    assert [answer.text for answer in answers] == ["here"] * 3
    await door.close()
    assert made.events == ["made", "began", "asked", "asked", "asked", "ended"]


async def test_a_client_that_leaves_while_it_is_made_does_not_undo_it() -> None:
    made = _Made()
    door = DoorOnDemand(made)
    async with _client(door) as client:
        first = asyncio.create_task(client.get("/door"))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait([first])
        assert (await client.get("/door")).text == "here"
    await door.close()
    assert made.events.count("made") == 1


async def test_what_cannot_begin_fails_each_request_and_still_ends() -> None:
    @asynccontextmanager
    async def broken(_: Starlette) -> AsyncIterator[None]:
        raise OSError("no room")
        yield

    door = DoorOnDemand(lambda: Starlette(lifespan=broken))
    async with _client(door) as client:
        for _ in range(2):
            with pytest.raises(OSError, match="no room"):
                await client.get("/door")
    await door.close()


async def test_one_that_was_never_asked_ends() -> None:
    await DoorOnDemand(_Made()).close()
