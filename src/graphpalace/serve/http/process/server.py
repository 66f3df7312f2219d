"""The web server of the service: uvicorn, with limits for the head of a request."""

from __future__ import annotations

import uvicorn
from starlette.types import ASGIApp

from graphpalace.serve.http.process.bounded_heads import BoundedHeads
from graphpalace.settings.sections.service import ServiceSettings

_GRACE_S = 20


def server_config(app: ASGIApp, service: ServiceSettings) -> uvicorn.Config:
    """Return the configuration of the web server."""
    bounded = type("BoundedProtocol", (BoundedHeads,), {"service": service})
    return uvicorn.Config(
        app,
        http=bounded,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=_GRACE_S,
        server_header=False,
        ws_per_message_deflate=False,  # compressing each picture for each client costs more than sending it
    )
