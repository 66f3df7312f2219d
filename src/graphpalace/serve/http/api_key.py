"""Tell who sent a request, by the key or the cookie that it carries, and refuse those who may not send it."""

from __future__ import annotations

import base64
import contextlib
import re
import secrets
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from graphpalace.app import GraphPalace
from graphpalace.domain.access.caller import OWNER, Caller, Grant, Role, calling
from graphpalace.errors import Forbidden, GraphPalaceError, Unauthorized
from graphpalace.serve.http.access.asked import refusal
from graphpalace.serve.http.errors import response_to
from graphpalace.serve.http.pages.page_links import ENTER, MAKE, PageLinks, session_of

# These need no key: the page asks for it, and a link to the page has a token of its own.
_OPEN = re.compile(rf"/health/(live|ready)|/|/web/.*|{ENTER}")
_KEY_ONLY = re.compile(rf"/mcp(/.*)?|{MAKE}")  # for programs; the session of a browser does not do
_KEY, _NOT_ALLOWED = "key.", 1008
_MADE = b"gp_"  # with this begin the keys that were made for others
KEY_IN_SCOPE = "graphpalace.key"  # where the log finds the id of the key


class ApiKeyCheck:
    """Requires a key for all requests except health checks and the page, and tells the rest whose key it is.

    The key of the service is its owner's. Without one, all requests pass as the owner's, but those with a key that was
    made for somebody else. A WebSocket may send the key as a subprotocol, `key.` followed by the key in URL-safe
    base64, because pages in a browser have no other way. A browser that followed a link of `graphpalace page` sends a
    cookie instead of the key.
    """

    def __init__(self, app: ASGIApp, *, key: str, links: PageLinks, operations: Callable[[], GraphPalace]) -> None:
        self._app = app
        self._key = key.encode()
        self._links = links
        self._operations = operations

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or the opening of a WebSocket."""
        http = scope["type"] == "http"
        if (not http and scope["type"] != "websocket") or (http and _OPEN.fullmatch(scope["path"])):
            await self._app(scope, receive, send)
            return
        try:
            caller = await self._caller(scope)
            _check_path(caller, scope["path"])
        except GraphPalaceError as error:
            if http:
                await response_to(error)(scope, receive, send)
                return
            await receive()
            await send({"type": "websocket.close", "code": _NOT_ALLOWED})  # before it is accepted: HTTP 403
            return
        if caller is OWNER:
            await self._app(scope, receive, send)
            return
        scope[KEY_IN_SCOPE] = caller.key
        with calling(caller), bound_contextvars(key=caller.key):
            await self._app(scope, receive, send)

    async def _caller(self, scope: Scope) -> Caller:
        """Return who sent a request.

        Raises:
            Unauthorized: If there is no key, or one that is not valid.
            DatabaseUnavailable: If it may be a key that the database knows, and the database cannot be reached.
        """
        scheme, _, given = dict(scope["headers"]).get(b"authorization", b"").partition(b" ")
        offered = [given] if scheme.lower() == b"bearer" else []
        offered += [_decoded(one) for one in scope.get("subprotocols") or () if one.startswith(_KEY)]
        if self._key and any(secrets.compare_digest(one, self._key) for one in offered):
            return OWNER
        for one in offered:
            if one.startswith(_MADE):
                return await self._operations().access.api_keys.caller(one.decode("latin-1"))
        if not self._key or self._known(scope):
            return OWNER
        raise Unauthorized("an API key is needed: send it as `Authorization: Bearer KEY`")

    def _known(self, scope: Scope) -> bool:
        """Return whether the request comes from a browser that followed a link."""
        return not _KEY_ONLY.fullmatch(scope["path"]) and self._links.knows(session_of(scope))


def _check_path(caller: Caller, path: str) -> None:
    """Check what routes outside of the API need; those of the API check it themselves.

    Raises:
        Forbidden: If the caller's key does not allow it.
    """
    if caller.key is None:
        return
    if path == MAKE:
        raise Forbidden(
            f"the API key {caller.key} cannot create links to the page, because a link allows everything, even after "
            "the key is revoked. Enter the key on the page instead",
            key=caller.key,
        )
    if path == "/metrics" and not caller.may(Grant(Role.READ)):
        raise refusal(caller, Grant(Role.READ))


def _decoded(subprotocol: str) -> bytes:
    encoded = subprotocol.removeprefix(_KEY)
    with contextlib.suppress(ValueError):
        return base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    return b""
