"""The WebSocket that shows a simulation, as a client uses it."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect


def watch(http: httpx.Client, name: str, **how: Any) -> ClientConnection:
    """Open the WebSocket of a simulation."""
    url = f"ws://{http.base_url.host}:{http.base_url.port}/v1/mcmp/ws?simulation={name}"
    return connect(url, max_size=None, **how)


def heard(client: ClientConnection, kind: str, *, seconds: float = 20) -> dict[str, Any]:
    """Return the data of the next message of a type."""
    end = time.monotonic() + seconds
    while True:
        message = json.loads(client.recv(timeout=max(end - time.monotonic(), 0.01)))
        if message["type"] == kind:
            return message["data"]
