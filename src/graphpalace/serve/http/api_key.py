"""Require the API key."""

from __future__ import annotations

import base64
import contextlib
import re
import secrets

from starlette.types import ASGIApp, Receive, Scope, Send

from graphpalace.serve.http.errors import error_response
from graphpalace.serve.http.pages import link_routes
from graphpalace.serve.http.pages.page_links import PageLinks, session_of

# These need no key: the page asks for it, and a link to the page has a token of its own.
_OPEN = re.compile(rf"/health/(live|ready)|/|/web/.*|{link_routes.ENTER}")
_KEY_ONLY = re.compile(rf"/mcp(/.*)?|{link_routes.MAKE}")  # for programs; the session of a browser does not do
_KEY, _NOT_ALLOWED = "key.", 1008


class ApiKey:
    """Requires the API key for all requests except health checks and the page. Without a key, all requests pass.

    A WebSocket may send the key as a subprotocol, `key.` followed by the key in URL-safe base64, because pages in a
    browser have no other way. A browser that followed a link of `graphpalace page` sends a cookie instead of the key.
    """

    def __init__(self, app: ASGIApp, *, key: str, links: PageLinks) -> None:
        self._app = app
        self._key = key.encode()
        self._links = links

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
        return any(secrets.compare_digest(one, self._key) for one in offered) or self._known(scope)

    def _known(self, scope: Scope) -> bool:
        """Return whether the request comes from a browser that followed a link."""
        return not _KEY_ONLY.fullmatch(scope["path"]) and self._links.knows(session_of(scope))


def _decoded(subprotocol: str) -> bytes:
    encoded = subprotocol.removeprefix(_KEY)
    with contextlib.suppress(ValueError):
        return base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    return b""
