"""Links that open the page once without the key, the routes that make and take them, and their sessions."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable
from hashlib import sha256

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import Scope

LINK_S = 600
_MOST_LINKS = 100
_MOST_SESSIONS = 1000


class PageLinks:
    """The links and sessions of one service. They are in memory only, so all of them end with the service.

    A link is exchanged for a session by the first browser that follows it. If it is followed again, by another browser,
    somebody may have read it on the way, so the session that it gave ends too.
    """

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s = clock_s
        self._links: dict[bytes, tuple[float, str | None]] = {}  # when each was made, and the session that it gave
        self._sessions: dict[str, None] = {}

    def new_link(self) -> str:
        """Return the token of a new link, which is valid for ten minutes."""
        token = secrets.token_urlsafe(32)
        self._links[_hashed(token)] = (self._clock_s(), None)
        while len(self._links) > _MOST_LINKS:
            self._links.pop(next(iter(self._links)))
        return token

    def enter(self, token: str, *, known: str) -> str | None:
        """Return the session for a token, or None if the token is unknown, too old, or was used by another browser.

        Args:
            known: The session that the browser has already, or an empty text.
        """
        made, session = self._links.get(_hashed(token), (None, None))
        if session is not None and session in self._sessions:
            if secrets.compare_digest(session.encode(), known.encode()):
                return session
            del self._sessions[session]
            return None
        if made is None or session is not None or self._clock_s() - made > LINK_S:
            return None
        session = secrets.token_urlsafe(32)
        self._links[_hashed(token)] = (made, session)
        self._sessions[session] = None
        while len(self._sessions) > _MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        return session

    def knows(self, session: str) -> bool:
        """Return whether a browser with this session may use the service."""
        return session in self._sessions


def cookie_name(scope: Scope) -> str:
    """Return the name of the session's cookie: browsers share cookies between all ports of a host."""
    server = scope.get("server") or ("", 0)
    return f"graphpalace-{server[1]}"


def session_of(scope: Scope) -> str:
    """Return the session that a request carries in its cookie, or an empty text."""
    given = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1")
    found = re.search(rf"(?:^|;)\s*{re.escape(cookie_name(scope))}=([\w-]*)", given)
    return found[1] if found else ""


def _hashed(token: str) -> bytes:
    return sha256(token.encode()).digest()


MAKE, ENTER = "/page/links", "/page/enter"
_USED = """<!doctype html><html lang="en"><meta charset="utf-8"><title>GraphPalace</title>
<p>This link was used before, or is too old. Run <code>graphpalace page</code> again.</p></html>"""

router = APIRouter(include_in_schema=False)


@router.post(MAKE)
async def make_link(request: Request) -> JSONResponse:
    """Return a link to the page, relative to the service, which works once."""
    token = _links(request).new_link()
    return JSONResponse({"path": f"{ENTER}?token={token}", "valid_s": LINK_S}, headers={"Cache-Control": "no-store"})


@router.get(ENTER)
async def enter(request: Request, token: str = "") -> Response:
    """Exchange the token of a link for a cookie, and go on to the page."""
    headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    session = _links(request).enter(token, known=session_of(request.scope))
    if session is None:
        return HTMLResponse(_USED, 403, headers=headers)
    answer = RedirectResponse(f"{request.scope.get('root_path', '')}/", 303, headers=headers)
    secure = request.url.scheme == "https"
    answer.set_cookie(cookie_name(request.scope), session, httponly=True, samesite="strict", secure=secure)
    return answer


def _links(request: Request) -> PageLinks:
    return request.app.state.page_links
