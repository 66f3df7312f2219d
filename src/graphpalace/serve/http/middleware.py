"""Middleware for every request: request ids, logs, metrics and the API key."""

from __future__ import annotations

import base64
import contextlib
import re
import secrets
import time
import uuid

import structlog
from prometheus_client import Counter, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphpalace.serve.http.errors import error_response

_LOG = structlog.get_logger("graphpalace.http")
_REQUESTS = Counter("graphpalace_http_requests_total", "Requests", ["method", "route", "status"])
_SECONDS = Histogram("graphpalace_http_request_seconds", "Duration of requests", ["method", "route"])
_OPEN = re.compile(r"/health/(live|ready)|/|/web/.*")  # these need no key; the page asks for it
_CLIENT_GONE = 499  # status for the log if the client has disconnected, as in nginx
_KEY, _NOT_ALLOWED = "key.", 1008
_REQUEST_ID = re.compile(r"[\w.-]{1,128}")


class RequestLog:
    """Gives each request an id (the caller's X-Request-ID, if it is a plain one), and logs and counts it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        given = headers.get(b"x-request-id", b"").decode("latin-1")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        status, answering = 500, False
        started = time.perf_counter()

        async def with_id(message: Message) -> None:
            nonlocal status, answering
            if message["type"] == "http.response.start":
                status, answering = message["status"], True
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self._app(scope, receive, with_id)
            except Exception:  # handled here, so that the answer and the log have the request's id
                _LOG.exception("unexpected_error", path=scope["path"])
                if answering:
                    raise
                message = "an unexpected error happened; the service's log has more under the X-Request-ID"
                await error_response(500, "INTERNAL_ERROR", message)(scope, receive, with_id)
            else:
                status = status if answering else _CLIENT_GONE
            finally:
                seconds = time.perf_counter() - started
                route = getattr(scope.get("route"), "path", "unmatched")
                _REQUESTS.labels(scope["method"], route, status).inc()
                _SECONDS.labels(scope["method"], route).observe(seconds)
                _LOG.info(
                    "request", method=scope["method"], path=scope["path"], status=status, ms=round(seconds * 1000, 2)
                )


class ApiKey:
    """Requires the API key for all requests except health checks and the page. Without a key, all requests pass.

    A WebSocket may send the key as a subprotocol, `key.` followed by the key in URL-safe base64, because pages in a
    browser have no other way.
    """

    def __init__(self, app: ASGIApp, *, key: str) -> None:
        self._app = app
        self._key = key.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or the opening of a WebSocket."""
        if scope["type"] == "http" and self._key and not _OPEN.fullmatch(scope["path"]) and not self._carried(scope):
            message = "an API key is needed: send it as `Authorization: Bearer KEY`"
            refused = error_response(401, "UNAUTHORIZED", message, **{"WWW-Authenticate": "Bearer"})
            await refused(scope, receive, send)
        elif scope["type"] == "websocket" and self._key and not self._carried(scope):
            await receive()
            await send({"type": "websocket.close", "code": _NOT_ALLOWED})  # before it is accepted: HTTP 403
        else:
            await self._app(scope, receive, send)

    def _carried(self, scope: Scope) -> bool:
        scheme, _, given = dict(scope["headers"]).get(b"authorization", b"").partition(b" ")
        offered = [given] if scheme.lower() == b"bearer" else []
        offered += [_decoded(one) for one in scope.get("subprotocols") or () if one.startswith(_KEY)]
        return any(secrets.compare_digest(one, self._key) for one in offered)


def _decoded(subprotocol: str) -> bytes:
    encoded = subprotocol.removeprefix(_KEY)
    with contextlib.suppress(ValueError):
        return base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    return b""
