"""Fifty clients on a simulation's WebSocket, five of them stalled: how much slower it steps than without them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from statistics import median
from typing import Any

import httpx
import numpy as np
import uvicorn

from benchmarks.result import Result
from benchmarks.swarm import AGENTS, DIMENSION, topical_vectors
from benchmarks.synthetic import TableEmbedder
from benchmarks.workbench import Workbench, say
from graphpalace.app import opened
from graphpalace.domain.vectors import Matrix
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.serve.http.app import create_app
from graphpalace.serve.logs import configure
from graphpalace.settings.load import Settings

TARGET = 0.9
_CLIENTS, _STALLED = 50, 5
_DOCUMENTS = 1000
_TURNS, _SECONDS = 5, 6.0
_PALACE = "watched"
_QUESTION = "a question"
_PACES = {"paced": 20.0, "unpaced": 0.0}  # steps a second; the first is the default


class _Anything(TableEmbedder):
    """Gives texts that are not in the table, such as those of the service's warm-up, the vector of the question."""

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector a text."""
        return np.stack([self.table.get(text, self.table[_QUESTION]) for text in texts])


async def measure(bench: Workbench) -> Result:
    """Count steps with and without clients in turns, at the default pace and as fast as it goes."""
    assert bench.running
    configure("json")  # to stderr: the result stands alone on stdout
    embedder = _Anything()
    texts = [f"drawer {number}" for number in range(_DOCUMENTS)]
    embedder.table.update(zip(texts, topical_vectors(_DOCUMENTS, seed=7), strict=True))
    embedder.table[_QUESTION] = topical_vectors(1, seed=8)[0]
    say(f"making a palace of {_DOCUMENTS} drawers")
    async with opened(bench.settings, embedder=embedder) as app:
        await app.create_palace(_PALACE)
        for text in texts:
            await app.drawers.add(_PALACE, NewDrawer(text=text, wing="w"))
    figures: dict[str, Any] = {
        "ratio_is": "p50 of steps a second with clients divided by that without, at the default pace; at least",
        "agents": AGENTS,
        "documents": _DOCUMENTS,
        "dimension": DIMENSION,
        "clients": _CLIENTS,
        "stalled": _STALLED,
    }
    async with _service(bench.settings, embedder) as url:
        for pace, steps_per_s in _PACES.items():
            say(f"{_TURNS} turns {pace}")
            figures[pace] = await _rates(url, pace, steps_per_s)
    ratio = figures["paced"]["ratio"]
    return bench.result("clients", ratio=ratio, target=TARGET, met=ratio >= TARGET, figures=figures)


async def _rates(url: str, name: str, steps_per_s: float) -> dict[str, float]:
    params = {"simulation": name}
    async with httpx.AsyncClient(base_url=f"http://{url}/v1/mcmp", params=params, timeout=60) as client:
        asked = {"query": _QUESTION, "seed": 1, "max_iterations": 5000, "stop_on_convergence": False}
        asked |= {"palace": _PALACE, "num_agents": AGENTS, "max_steps_per_s": steps_per_s}
        rates: dict[str, list[float]] = {"alone": [], "watched": []}
        megabytes = 0.0
        for _ in range(_TURNS):
            (await client.post("/start", json=asked)).raise_for_status()
            rates["alone"].append(await _rate(client))
            watchers = await asyncio.to_thread(_watching, f"ws://{url}/v1/mcmp/ws?simulation={name}")
            rates["watched"].append(await _rate(client))
            taken, _ = await asyncio.to_thread(watchers.communicate, "")
            megabytes += int(taken.split()[-1]) / 1e6
            (await client.post("/stop")).raise_for_status()
    middle = {kind: median(values) for kind, values in rates.items()}
    return {
        "steps_per_s_alone": middle["alone"],
        "steps_per_s_watched": middle["watched"],
        "ratio": middle["watched"] / middle["alone"],
        "megabytes_a_turn": megabytes / _TURNS,
    }


async def _rate(client: httpx.AsyncClient) -> float:
    """Return the steps a second over some seconds."""
    loop = asyncio.get_running_loop()
    steps = []
    for wait in (_SECONDS, 0.0):
        steps.append(((await client.get("/status")).json()["step"], loop.time()))
        await asyncio.sleep(wait)
    (first, started), (last, ended) = steps
    return (last - first) / (ended - started)


def _watching(url: str) -> subprocess.Popen[str]:
    """Start the clients in a process of their own, and return once all are greeted."""
    command = [sys.executable, "-m", "benchmarks.watchers", url, str(_CLIENTS), str(_STALLED)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


@asynccontextmanager
async def _service(settings: Settings, embedder: TableEmbedder) -> AsyncIterator[str]:
    """Give the address of a service in a thread of this process."""
    service = settings.service.model_copy(update={"port": 0})
    simulation = settings.simulation.model_copy(update={"max_live": 2})
    app = create_app(settings.model_copy(update={"service": service, "simulation": simulation}), embedder=embedder)
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, access_log=False, ws_per_message_deflate=False)
    )
    serving = asyncio.create_task(asyncio.to_thread(server.run))
    while not server.started:  # noqa: ASYNC110  uvicorn sets a flag and tells nobody
        await asyncio.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        while (await client.get("/health/ready")).status_code != 200:  # noqa: ASYNC110  nothing to wait on
            await asyncio.sleep(0.2)
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await serving
