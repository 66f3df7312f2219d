"""Runs the HTTP service on a real socket, in a thread of the tests or in a process beside them."""

from __future__ import annotations

import asyncio
import multiprocessing
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import uvicorn

from graphpalace import __version__
from graphpalace import app as wiring
from graphpalace.client import service_file
from graphpalace.client.service_file import RunningService, marks_of
from graphpalace.embedding.embedder import Embedder
from graphpalace.serve.http.app import Companion, Operations, create_app
from graphpalace.serve.http.process.server import server_config
from graphpalace.serve.mcp.door import HTTP_PATH, http_door
from graphpalace.settings.load import Settings
from tests.words import WordEmbedder


@contextmanager
def served(
    settings: Settings,
    *,
    ready: bool = True,
    embedder: Embedder | None = None,
    companions: Sequence[Callable[[Operations], Companion]] = (),
    proof: str = "",
) -> Iterator[httpx.Client]:
    """Give a client of a service that runs meanwhile, by default once it is ready.

    Args:
        proof: What shows that a caller is the user of the service.
    """
    listener = free_port()
    server = _server(settings, embedder, companions, proof)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        with client_of(settings, listener) as client:
            until(lambda: server.started, seconds=30)
            if ready:
                until(lambda: client.get("/health/ready").status_code == 200, seconds=60)
            yield client
    finally:
        server.should_exit = True
        thread.join(30)


@contextmanager
def served_apart(settings: Settings) -> Iterator[httpx.Client]:
    """As `served`, in a process of its own: hypothesis traces the threads of the process it runs in."""
    listener = free_port()
    process = multiprocessing.get_context("spawn").Process(target=run_service, args=(settings, listener))
    process.start()
    try:
        with client_of(settings, listener) as client:
            until(lambda: client.get("/health/ready").status_code == 200, seconds=60)
            yield client
        assert process.is_alive()
    finally:
        process.terminate()
        process.join(30)


def run_service(settings: Settings, listener: socket.socket) -> None:
    """Run a service on a socket until the process ends."""
    _server(settings).run(sockets=[listener])


def in_data_folder(settings: Settings, data_dir: Path) -> dict[str, Any]:
    """Return the section [neo4j] of the tests' server for a service with a data folder of its own."""
    neo4j = settings.neo4j
    section: dict[str, Any] = {"uri": neo4j.uri, "user": neo4j.user, "password": neo4j.password}
    if not neo4j.uri:
        server = wiring.managed_server(settings)
        section = {"uri": server.uri, "user": server.user, "password": server.password}
    return type(neo4j)(**section, data_dir=str(data_dir)).model_dump()


def free_port() -> socket.socket:
    """Return a socket that listens."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)  # so that who takes nothing is noticed early
    listener.bind(("127.0.0.1", 0))
    listener.listen()  # so that a client that comes early waits instead of being refused
    return listener


def _server(
    settings: Settings,
    embedder: Embedder | None = None,
    companions: Sequence[Callable[[Operations], Companion]] = (),
    proof: str = "",
) -> uvicorn.Server:
    app = create_app(
        settings, embedder=embedder or WordEmbedder(), companions=companions, doors={HTTP_PATH: http_door(settings)}
    )
    app.state.owner_proof = proof
    return uvicorn.Server(server_config(app, settings.service))


def client_of(settings: Settings, listener: socket.socket) -> httpx.Client:
    """Return a client of the service on a socket."""
    key = settings.service.api_key.get_secret_value()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return httpx.Client(base_url=f"http://127.0.0.1:{listener.getsockname()[1]}", headers=headers, timeout=60)


def until(holds: Callable[[], Any], *, seconds: float) -> None:
    """Wait until something holds.

    Raises:
        AssertionError: If it does not in time.
    """
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"still not so after {seconds} s"
        time.sleep(0.05)


async def eventually(holds: Callable[[], Awaitable[Any]], *, seconds: float) -> None:
    """Wait until something holds, and let others work meanwhile.

    Raises:
        AssertionError: If it does not in time.
    """
    deadline = time.monotonic() + seconds
    while not await holds():
        assert time.monotonic() < deadline, f"still not so after {seconds} s"
        await asyncio.sleep(0.05)


def changed(settings: Settings, **sections: dict[str, Any]) -> Settings:
    """Return settings with some values of some sections changed."""
    update = {name: getattr(settings, name).model_copy(update=values) for name, values in sections.items()}
    return settings.model_copy(update=update)


def failure(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Return the error of a response that has the one shape of all failures, without the id of its request."""
    assert response.status_code == status, response.text
    body = response.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "detail", "request_id"}
    assert body["error"].pop("request_id") == response.headers["x-request-id"]
    assert body["error"]["code"] == code
    return body["error"]


@contextmanager
def announced(settings: Settings, folder: Path, **options: Any) -> Iterator[httpx.Client]:
    """As `served`, with a file in a data folder that lets commands of that folder find the service."""
    me = psutil.Process()
    proof = "a proof that only the file has"
    with served(settings, proof=proof, **options) as client:
        service_file.write(
            folder,
            RunningService(
                str(client.base_url).rstrip("/"),
                settings.service.api_key.get_secret_value(),
                me.pid,
                me.create_time(),
                __version__,
                str(folder.resolve()),
                marks_of(settings),
                proof,
            ),
        )
        try:
            yield client
        finally:
            service_file.remove(folder, me.pid)
