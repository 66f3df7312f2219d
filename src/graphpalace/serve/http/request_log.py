"""Give each request an id and a span, log it and count it."""

from __future__ import annotations

import time

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphpalace.serve.http.api_key import KEY_IN_SCOPE
from graphpalace.serve.http.errors import error_response
from graphpalace.telemetry import metrics
from graphpalace.telemetry.spans import request_span
from graphpalace.telemetry.work_ids import current_id, id_of_request, working_as

_LOG = structlog.get_logger("graphpalace.http")
_FAILED = 500
_CLIENT_GONE = 499  # status for the log if the client has disconnected, as in nginx
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
_BEGINNINGS = ("http.response.start", "websocket.accept")


class RequestIds:
    """Gives each request and each WebSocket an id, which the answer carries as X-Request-Id, and a span."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers, status = dict(scope["headers"]), _CLIENT_GONE

        async def with_id(message: Message) -> None:
            nonlocal status
            if message["type"] in _BEGINNINGS:
                status = message.get("status", 101)
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", current_id().encode())]
            await send(message)

        with request_span(headers) as span, working_as(id_of_request(headers)):
            try:
                await self._app(scope, receive, with_id)
            finally:
                method, route = _method(scope), _route(scope)
                said = {"http.request.method": method, "http.route": route, "http.response.status_code": status}
                span.rename(f"{method} {route}", said)
                span.note(request_id=current_id())
                if status >= _FAILED:
                    span.fail(str(status))


class RequestLog:
    """Logs and counts each request, and answers it if something unexpected happens."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, answering = 500, False
        started = time.perf_counter()

        async def noted(message: Message) -> None:
            nonlocal status, answering
            if message["type"] == "http.response.start":
                status, answering = message["status"], True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception:  # handled here, so that the answer and the log have the request's id
            _LOG.exception("unexpected_error", path=_route(scope))
            if answering:
                raise
            message = "an unexpected error happened; the service's log has more under the request_id"
            await error_response(500, "INTERNAL_ERROR", message)(scope, receive, noted)
        else:
            status = status if answering else _CLIENT_GONE
        finally:
            seconds = time.perf_counter() - started
            method, route = _method(scope), _route(scope)
            metrics.HTTP_REQUESTS.labels(method, route, status).inc()
            metrics.HTTP_SECONDS.labels(method, route).observe(seconds)
            key = {"key": scope[KEY_IN_SCOPE]} if KEY_IN_SCOPE in scope else {}
            _LOG.info("request", method=method, path=route, status=status, ms=round(seconds * 1000, 2), **key)


def _route(scope: Scope) -> str:
    """Return the path without its variable parts, which may be names that somebody wants to be forgotten later."""
    return getattr(scope.get("route"), "path", "unmatched")


def _method(scope: Scope) -> str:
    """Return the method; one that somebody made up must not become a label of its own."""
    method = scope.get("method", "WEBSOCKET")
    return method if method in _METHODS or scope["type"] == "websocket" else "OTHER"
