"""Which names the service answers to, and that no page but its own asks it for anything.

A browser sends what any page tells it to, also to a service of this machine that asks for no key, and for a name that
was led to this machine after the page was loaded. `Host`, `Origin` and `Sec-Fetch-Site` tell whose page it is: the
browser writes them, and no page can change them. What is no browser needs none but `Host`.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from graphpalace.serve.http.errors import error_response

_NOT_ALLOWED = 1008
_OWN_SITES = {"same-origin", "none"}
_NOT_FOR_LINKS = re.compile(r"/(v1|mcp)(/.*)?")
_JSON = "application/json"


class OwnPages:
    """Refuses other names than the service's, what pages of other origins ask, and bodies that are not JSON.

    A link to a page of the service may stand anywhere: following it is the only thing that other origins can do. A body
    must be declared as JSON because a browser sends any other kind for any page without asking the service first.
    """

    def __init__(self, app: ASGIApp, *, loopback_only: bool, hosts: Iterable[str]) -> None:
        """Guard an application.

        Args:
            loopback_only: Whether the service listens on loopback, where no other name can be meant than loopback's.
            hosts: Other names that are answered, without port; beyond loopback, none: every name.
        """
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._any_name = not loopback_only and not self._hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, or the beginning of a WebSocket."""
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
                message = (
                    f"this service does not answer to the name {host[:100]!r}; [service] allowed_hosts can name it"
                )
                return 421, "MISDIRECTED", message
        if self._is_foreign(scope, headers):
            message = (
                "a page of another origin asks, and only the service's own pages may; if it is the service's own behind"
                " a proxy, name its host in [service] allowed_hosts"
            )
            return 403, "FORBIDDEN", message
        if _has_body(headers) and headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
            given = headers.get("content-type", "")
            message = f"Content-Type is {given[:100]!r}; a body must be JSON and be declared as {_JSON}"
            return 415, "UNSUPPORTED_MEDIA_TYPE", message
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
    """Return whether a name or an address is this machine's own, reached by nobody else."""
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _without_port(authority: str) -> str:
    if authority.startswith("["):
        return authority[1:].partition("]")[0]
    return authority.partition(":")[0]


def _is_link(scope: Scope, headers: Headers) -> bool:
    """Return whether somebody follows a link to a page; what is below /v1 may change something when it is read."""
    return (
        scope.get("method") in ("GET", "HEAD")
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
        and not _NOT_FOR_LINKS.fullmatch(scope["path"])
    )


def _has_body(headers: Headers) -> bool:
    return "transfer-encoding" in headers or headers.get("content-length", "0").strip() != "0"
