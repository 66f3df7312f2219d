"""The same palace behind every door: in this process and over HTTP, with asyncio and without."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from graphpalace import Palace
from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.serve.http.process import supervisor
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, served
from tests.words import WordEmbedder


@pytest.fixture(scope="session")
def service_url(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a service of the tests' database answers. It outlives these tests, so it takes up no jobs of others."""
    readable = (str(tmp_path_factory.getbasetemp()),)
    own = changed(settings, ingest={"folders": readable}, conversations={"folders": readable})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(supervisor, "_RESUME_S", 3600)
        with served(own) as client:
            yield str(client.base_url)


class AwaitedPalace:
    """A synchronous palace whose methods are awaited, so that one test serves both kinds."""

    def __init__(self, palace: Palace) -> None:
        self._palace = palace

    def __getattr__(self, name: str) -> Any:
        return _awaited(getattr(self._palace, name))


def _awaited(found: Any) -> Any:
    if not callable(found):
        return AwaitedPalace(found)

    def call(*args: Any, **kwargs: Any) -> Any:
        if inspect.isgeneratorfunction(inspect.unwrap(found)):
            return _items(found(*args, **kwargs))
        return asyncio.to_thread(found, *args, **kwargs)

    return call


async def _items(iterator: Iterator[Any]) -> AsyncIterator[Any]:
    end = object()
    while (item := await asyncio.to_thread(next, iterator, end)) is not end:
        yield item


@pytest.fixture(params=["open", "connect", "async open", "async connect"])
async def door(request: pytest.FixtureRequest, settings: Settings, palace: str, service_url: str) -> AsyncIterator[Any]:
    """An empty palace behind one of the four doors."""
    make: dict[str, Callable[[], Any]] = {
        "open": lambda: Palace.open(palace, settings, embedder=WordEmbedder()),
        "connect": lambda: Palace.connect(service_url, name=palace),
        "async open": lambda: AsyncPalace.open(palace, settings, embedder=WordEmbedder()),
        "async connect": lambda: AsyncPalace.connect(service_url, name=palace),
    }
    found = make[request.param]()
    if isinstance(found, AsyncPalace):
        async with found:
            yield found
    else:
        try:
            yield AwaitedPalace(found)
        finally:
            await asyncio.to_thread(found.close)
