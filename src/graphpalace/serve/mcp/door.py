"""MCP as an application of the HTTP service, without the libraries of MCP until it is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from graphpalace.app import GraphPalace
    from graphpalace.settings.load import Settings

HTTP_PATH = "/mcp"


def http_door(settings: Settings) -> Callable[[Callable[[], GraphPalace]], Starlette]:
    """Return what makes an HTTP application of the server, for the service to serve at `HTTP_PATH`.

    There are no sessions, so any replica can answer each request. The service refuses unknown host names and pages of
    other origins, as on every route.
    """

    def door(operations: Callable[[], GraphPalace]) -> Starlette:
        from graphpalace.serve.mcp.server import make_server

        return make_server(settings, operations).http_app(HTTP_PATH, stateless_http=True, host_origin_protection=False)

    return door
