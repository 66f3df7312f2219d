"""The WebSocket that shows a simulation to a client."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import structlog
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from graphpalace import __version__
from graphpalace.app import GraphPalace
from graphpalace.domain.access.caller import Grant, Role, current_caller
from graphpalace.domain.simulation.simulation_settings import usage
from graphpalace.errors import GraphPalaceError, InvalidInput, Unauthorized
from graphpalace.operations.access import ApiKeys
from graphpalace.operations.simulation.simulation_store import simulation_name
from graphpalace.operations.simulation.simulations import DEFAULT, Simulations
from graphpalace.operations.simulation.subscribers import Subscriber, Subscribers
from graphpalace.serve.http.access.asked import refusal
from graphpalace.settings.sections.simulation import SimulationSection
from graphpalace.telemetry import metrics

_LOG = structlog.get_logger("graphpalace.simulation")
_TRY_AGAIN_LATER, _NOT_ALLOWED = 1013, 1008
SUBPROTOCOL = "graphpalace"

router = APIRouter(prefix="/v1")


@router.websocket("/mcmp/ws")
async def watch(socket: WebSocket, simulation: str = DEFAULT) -> None:
    """Send the events of a simulation to a client, and accept changes of settings from it.

    A key must be for every palace, as the simulation of a name can be started again over another palace.
    """
    caller = current_caller()
    if not caller.may(Grant(Role.READ)):
        await socket.close(_NOT_ALLOWED)  # before it is accepted: HTTP 403
        return
    offered = socket.scope.get("subprotocols") or ()
    await socket.accept(subprotocol=SUBPROTOCOL if SUBPROTOCOL in offered else None)
    supervisor = socket.app.state.supervisor
    try:
        app = supervisor.operations()
        name = simulation_name(simulation)
        audience = app.simulations.audience(name)
        with audience.seat() as seat, metrics.SIMULATION_CLIENTS.track_inprogress():
            await _greet(socket, app.simulations, audience, name)
            await app.simulations.greet(name, seat)
            await _serve(socket, seat, app, name)
    except WebSocketDisconnect:
        return
    except GraphPalaceError as error:
        code = _NOT_ALLOWED if isinstance(error, InvalidInput | Unauthorized) else _TRY_AGAIN_LATER
        await socket.close(code, error.message[:120])


async def _greet(socket: WebSocket, simulations: Simulations, audience: Subscribers, name: str) -> None:
    settings = (await simulations.views.settings(name)).model_dump()
    data = {
        "version": __version__,
        "status": await simulations.views.status(name),
        "settings": {"settings": settings, "usage": usage()},
    }
    await socket.send_text(audience.message("hello", data).decode())


async def _serve(socket: WebSocket, seat: Subscriber, app: GraphPalace, name: str) -> None:
    """Send and receive until the client disconnects, accepts no message for too long, or its key is revoked."""
    limits = app.settings.simulation
    tasks = {
        asyncio.create_task(_send(socket, seat, app.access.api_keys, limits)),
        asyncio.create_task(_listen(socket, seat, app, name)),
    }
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        if isinstance(error := task.exception(), TimeoutError):
            metrics.SIMULATION_CLIENTS_DROPPED.inc()
            _LOG.info("client_dropped", simulation=name, took_nothing_for_s=limits.client_timeout_s)
        elif error is not None and not isinstance(error, WebSocketDisconnect):
            raise error


async def _send(socket: WebSocket, seat: Subscriber, keys: ApiKeys, limits: SimulationSection) -> None:
    while True:
        messages = await seat.take()
        await _check(keys, Role.READ)
        for message in messages:
            async with asyncio.timeout(limits.client_timeout_s):
                await socket.send_text(message.decode())
        await asyncio.sleep(1 / limits.frames_per_s)


async def _listen(socket: WebSocket, seat: Subscriber, app: GraphPalace, name: str) -> None:
    audience = app.simulations.audience(name)
    while True:
        try:
            change = _change(await _received(socket))
            await _check(app.access.api_keys, Role.WRITE)
            await app.simulations.configure(name, change)
        except Unauthorized:
            raise
        except GraphPalaceError as error:
            seat.put("log", audience.message("log", {"level": "error", "message": error.message}))


async def _check(keys: ApiKeys, role: Role) -> None:
    """Check that the client's key is still valid, and is one with a role in every palace.

    Raises:
        Unauthorized: If it is not valid any more.
        Forbidden: If it has not the role.
    """
    caller = current_caller()
    if caller.key is not None:
        if not await keys.valid(caller.key):
            raise Unauthorized("the API key was revoked, or it has expired")
        if not caller.may(Grant(role)):
            raise refusal(caller, Grant(role))


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
