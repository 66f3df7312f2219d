"""The WebSocket that shows a simulation to a client."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import structlog
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from prometheus_client import Counter, Gauge

from graphpalace import __version__
from graphpalace.domain.simulation.simulation_settings import usage
from graphpalace.errors import GraphPalaceError, InvalidInput
from graphpalace.operations.simulation.kept.simulation_store import simulation_name
from graphpalace.operations.simulation.live.subscribers import Subscriber, Subscribers
from graphpalace.operations.simulation.simulations import DEFAULT, Simulations

_LOG = structlog.get_logger("graphpalace.simulation")
_CLIENTS = Gauge("graphpalace_simulation_clients", "Clients that watch simulations")
_DROPPED = Counter("graphpalace_simulation_clients_dropped_total", "Clients that took nothing for too long")
_TRY_AGAIN_LATER, _NOT_ALLOWED = 1013, 1008
SUBPROTOCOL = "graphpalace"

router = APIRouter(prefix="/v1")


@router.websocket("/mcmp/ws")
async def watch(socket: WebSocket, simulation: str = DEFAULT) -> None:
    """Send the events of a simulation to a client, and accept changes of settings from it."""
    offered = socket.scope.get("subprotocols") or ()
    await socket.accept(subprotocol=SUBPROTOCOL if SUBPROTOCOL in offered else None)
    supervisor = socket.app.state.supervisor
    try:
        app = supervisor.operations()
        name = simulation_name(simulation)
        audience = app.simulations.audience(name)
        with audience.seat() as seat, _CLIENTS.track_inprogress():
            await _greet(socket, app.simulations, audience, name)
            await app.simulations.greet(name, seat)
            await _serve(socket, seat, app.simulations, name, app.settings.simulation)
    except WebSocketDisconnect:
        return
    except GraphPalaceError as error:
        code = _NOT_ALLOWED if isinstance(error, InvalidInput) else _TRY_AGAIN_LATER
        await socket.close(code, error.message[:120])


async def _greet(socket: WebSocket, simulations: Simulations, audience: Subscribers, name: str) -> None:
    settings = (await simulations.views.settings(name)).model_dump()
    data = {
        "version": __version__,
        "status": await simulations.views.status(name),
        "settings": {"settings": settings, "usage": usage()},
    }
    await socket.send_text(audience.message("hello", data).decode())


async def _serve(socket: WebSocket, seat: Subscriber, simulations: Simulations, name: str, limits: Any) -> None:
    """Send and receive until the client disconnects, or accepts no message for too long."""
    tasks = {
        asyncio.create_task(_send(socket, seat, pause_s=1 / limits.frames_per_s, timeout_s=limits.client_timeout_s)),
        asyncio.create_task(_listen(socket, seat, simulations, name)),
    }
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        if isinstance(error := task.exception(), TimeoutError):
            _DROPPED.inc()
            _LOG.info("client_dropped", simulation=name, took_nothing_for_s=limits.client_timeout_s)
        elif error is not None and not isinstance(error, WebSocketDisconnect):
            raise error


async def _send(socket: WebSocket, seat: Subscriber, *, pause_s: float, timeout_s: float) -> None:
    while True:
        for message in await seat.take():
            async with asyncio.timeout(timeout_s):
                await socket.send_text(message.decode())
        await asyncio.sleep(pause_s)


async def _listen(socket: WebSocket, seat: Subscriber, simulations: Simulations, name: str) -> None:
    audience = simulations.audience(name)
    while True:
        try:
            await simulations.configure(name, _change(await _received(socket)))
        except GraphPalaceError as error:
            seat.put("log", audience.message("log", {"level": "error", "message": error.message}))


async def _received(socket: WebSocket) -> str:
    """Return the text of the next frame; None for a binary frame, which `_change` refuses."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000), message.get("reason"))
    return message.get("text") or ""


def _change(text: str) -> dict[str, Any]:
    try:
        message = json.loads(text)
    except ValueError:
        message = None
    if (
        not isinstance(message, dict)
        or message.get("type") != "config"
        or not isinstance(message.get("settings"), dict)
    ):
        raise InvalidInput('a client may only send {"type": "config", "settings": {...}} as text')
    return message["settings"]
