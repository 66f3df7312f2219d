"""Protects browsers: refuses requests of other hosts and origins, and adds headers by which an answer runs no script.

A web page can make a browser send requests to any host, also to a service on the local machine that needs no API key.
With DNS rebinding, the name of the page itself can later lead to this machine. `Host`, `Origin` and `Sec-Fetch-Site`
show which page sent a request: browsers set these headers, and pages cannot change them. Other clients need only
`Host`.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphpalace.serve.http.errors import error_response

_NOT_ALLOWED = 1008
_OWN_SITES = {"same-origin", "none"}
_NOT_FOR_LINKS = re.compile(r"/(v1|mcp)(/.*)?")
_JSON = "application/json"


class OwnPages:
    """Refuses unknown host names, requests from pages of other origins, and bodies that are not JSON.

    Pages of other origins may link to pages of the service, and nothing else. A body must be declared as JSON, because
    a page can make a browser send other kinds of bodies without a preflight request.
    """

    def __init__(self, app: ASGIApp, *, loopback_only: bool, hosts: Iterable[str]) -> None:
        """Guard an application.

        Args:
            loopback_only: Whether the service listens only on loopback, where it answers only to names of loopback.
            hosts: More host names to answer to, without port. If the service listens elsewhere and this is empty, it
                answers to every name.
        """
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._any_name = not loopback_only and not self._hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or the opening of a WebSocket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refused = self._reason(scope, Headers(scope=scope))
        if refused is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await error_response(*refused)(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": _NOT_ALLOWED})  # before it is accepted: HTTP 403

    def _reason(self, scope: Scope, headers: Headers) -> tuple[int, str, str] | None:
        for host in headers.getlist("host"):
            if not self._answers_to(host):
                message = f"this service does not answer to the name {host[:100]!r}; add it to [service] allowed_hosts"
                return 421, "MISDIRECTED", message
        if self._is_foreign(scope, headers):
            message = (
                "the request comes from a web page of another origin; if the page belongs to this service behind a"
                " proxy, add its host to [service] allowed_hosts"
            )
            return 403, "FORBIDDEN", message
        if _has_body(headers) and headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
            given = headers.get("content-type", "")
            message = f"Content-Type is {given[:100]!r}; the body must be JSON, declared as {_JSON}"
            return 415, "UNSUPPORTED_MEDIA_TYPE", message
        if (coding := headers.get("content-encoding", "").strip().lower()) not in ("", "identity"):
            return 415, "UNSUPPORTED_MEDIA_TYPE", f"the body is compressed ({coding[:40]}); send it as it is"
        return None

    def _answers_to(self, host: str) -> bool:
        name = _without_port(host).lower()
        return self._any_name or is_loopback(name) or name in self._hosts

    def _is_foreign(self, scope: Scope, headers: Headers) -> bool:
        site = headers.get("sec-fetch-site")
        if site is not None and site not in _OWN_SITES and not _is_link(scope, headers):
            return True
        origin = headers.get("origin")
        if origin is None:
            return False
        authority = origin.partition("://")[2].lower()
        return authority not in self._hosts and authority != headers.get("host", "").lower()


def is_loopback(name: str) -> bool:
    """Return whether a name or an address is a loopback address, which only this machine can reach."""
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _without_port(authority: str) -> str:
    if authority.startswith("["):
        return authority[1:].partition("]")[0]
    return authority.partition(":")[0]


def _is_link(scope: Scope, headers: Headers) -> bool:
    """Return whether a request follows a link to a page. Routes below /v1 are not pages: reading may change data."""
    return (
        scope.get("method") in ("GET", "HEAD")
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
        and not _NOT_FOR_LINKS.fullmatch(scope["path"])
    )


def _has_body(headers: Headers) -> bool:
    return "transfer-encoding" in headers or headers.get("content-length", "0").strip() != "0"


_POLICY = "default-src 'none'; frame-ancestors 'none'"  # for data; pages have their own policy


class AnswerHeaders:
    """Middleware that adds security headers to each answer, unless the answer sets them itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                headers.setdefault("Content-Security-Policy", _POLICY)
            await send(message)

        await self._app(scope, receive, with_headers)
