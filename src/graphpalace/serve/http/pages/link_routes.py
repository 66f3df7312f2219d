"""The routes behind `graphpalace page`: make a link that works once, and exchange it for a cookie."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from graphpalace.serve.http.pages.page_links import LINK_S, PageLinks, cookie_name, session_of

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
