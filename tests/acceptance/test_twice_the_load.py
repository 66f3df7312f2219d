"""Twice as many searches as the service can answer: the surplus is refused at once, and the rest does not get slow."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterator

import httpx
import numpy as np
import pytest

from graphpalace.settings.load import Settings
from graphpalace.settings.sections.service import ServiceSettings
from tests.acceptance.served import changed, served_apart
from tests.spare_palaces import spare_name

_SECONDS = 8.0
_SHIPPED = ServiceSettings()


@pytest.fixture(scope="module")
def http(settings: Settings) -> Iterator[httpx.Client]:
    """A service with the limits that are shipped."""
    limits = {"wait_s": _SHIPPED.wait_s, "read_deadline_s": _SHIPPED.read_deadline_s}
    own = changed(settings, palace={"name": spare_name()}, service=limits)
    with served_apart(own) as client:
        texts = [f"owls of wood {number} hunt {('mice', 'moles', 'moths')[number % 3]}" for number in range(200)]
        drawers = [{"text": text, "wing": "w"} for text in texts]
        client.post("/v1/drawers/batch", json={"drawers": drawers}).raise_for_status()
        for _ in range(20):
            client.post("/v1/search", json={"query": "which owls hunt moles"})
        yield client
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


class _Client:
    """Sends one request again and again at nearly no cost: it shares the processor with the service that it loads."""

    def __init__(self, http: httpx.Client) -> None:
        request = http.build_request("POST", "/v1/search", json={"query": "which owls hunt moles"})
        headers = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
        self._sent = f"POST /v1/search HTTP/1.1\r\n{headers}\r\n".encode() + request.content
        self._place = (request.url.host, request.url.port)
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask(self) -> tuple[int, bytes, bytes]:
        """Return status, head and body of the answer."""
        try:
            return await self._asked(*(self._free.pop() if self._free else await self._opened()))
        except (asyncio.IncompleteReadError, ConnectionError):  # it was being closed as idle
            return await self._asked(*await self._opened())

    async def _opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(*self._place)

    async def _asked(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[int, bytes, bytes]:
        writer.write(self._sent)
        head = await reader.readuntil(b"\r\n\r\n")
        body = await reader.readexactly(int(re.findall(rb"(?i)\r\ncontent-length: (\d+)", head)[0]))
        self._free.append((reader, writer))
        return int(head.split(b" ", 2)[1]), head, body


@pytest.mark.chaos
@pytest.mark.alone
@pytest.mark.timeout(200)
async def test_twice_the_capacity_refuses_the_surplus_at_once_and_answers_the_rest_in_time(http: httpx.Client) -> None:
    took: dict[int, list[float]] = {}
    ask = _Client(http).ask

    async def search() -> None:
        began = time.perf_counter()
        status, head, body = await ask()
        took.setdefault(status, []).append(time.perf_counter() - began)
        if status == 503:
            assert json.loads(body)["error"]["code"] in ("OVERLOADED", "TOOK_TOO_LONG")
            assert int(re.findall(rb"(?i)\r\nretry-after: (\d+)", head)[0]) > 0

    async def again_and_again(until: float) -> None:
        while time.perf_counter() < until:
            await search()

    # Full load: as many clients as have a turn, and half as many that wait for theirs.
    until = time.perf_counter() + _SECONDS
    await asyncio.gather(*(again_and_again(until) for _ in range(_SHIPPED.searches_at_once * 3 // 2)))
    per_s = len(took[200]) / _SECONDS
    usual, full = (float(np.quantile(took[200], share)) for share in (0.5, 0.99))

    took.clear()
    under_way: list[asyncio.Task[None]] = []
    began, late = time.perf_counter(), 0.0
    while (passed := time.perf_counter() - began) < _SECONDS:  # at its times, whether others are answered or not
        under_way += [asyncio.create_task(search()) for _ in range(int(2 * per_s * passed) - len(under_way))]
        slept = time.perf_counter()
        await asyncio.sleep(0.01)
        late = max(late, time.perf_counter() - slept - 0.01)
    await asyncio.gather(*under_way)
    assert set(took) == {200, 503}
    answered, refused = (float(np.quantile(took[status], share)) for status, share in ((200, 0.99), (503, 0.5)))
    print(
        f"full load: {per_s:.0f} searches a second, p99 {full * 1000:.0f} ms; twice as many: "
        f"{len(took[200])} answered, p99 {answered * 1000:.0f} ms ({answered / full:.2f} times); "
        f"{len(took[503])} refused, half of them within {refused * 1000:.0f} ms; "
        f"the client itself was late by {late * 1000:.0f} ms"
    )
    assert len(took[200]) > per_s * _SECONDS / 2
    # The goals are one time and twice. What else a machine does meanwhile makes it more.
    assert refused < _SHIPPED.wait_s + 10 * usual
    assert answered < 5 * full + _SHIPPED.wait_s
