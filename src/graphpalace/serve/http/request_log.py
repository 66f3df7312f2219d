"""Give each request an id, log it and count it."""

from __future__ import annotations

import re
import time
import uuid

import structlog
from prometheus_client import Counter, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphpalace.serve.http.api_key import KEY_IN_SCOPE
from graphpalace.serve.http.errors import error_response

_LOG = structlog.get_logger("graphpalace.http")
_REQUESTS = Counter("graphpalace_http_requests_total", "Requests", ["method", "route", "status"])
_SECONDS = Histogram("graphpalace_http_request_seconds", "Duration of requests", ["method", "route"])
_CLIENT_GONE = 499  # status for the log if the client has disconnected, as in nginx
_REQUEST_ID = re.compile(r"[\w.-]{1,128}")


def _route(scope: Scope) -> str:
    """Return the path without its variable parts, which may be names that somebody wants to be forgotten later."""
    return getattr(scope.get("route"), "path", "unmatched")


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
                _LOG.exception("unexpected_error", path=_route(scope))
                if answering:
                    raise
                message = "an unexpected error happened; the service's log has more under the X-Request-ID"
                await error_response(500, "INTERNAL_ERROR", message)(scope, receive, with_id)
            else:
                status = status if answering else _CLIENT_GONE
            finally:
                seconds = time.perf_counter() - started
                route = _route(scope)
                _REQUESTS.labels(scope["method"], route, status).inc()
                _SECONDS.labels(scope["method"], route).observe(seconds)
                key = {"key": scope[KEY_IN_SCOPE]} if KEY_IN_SCOPE in scope else {}
                ms = round(seconds * 1000, 2)
                _LOG.info("request", method=scope["method"], path=route, status=status, ms=ms, **key)
