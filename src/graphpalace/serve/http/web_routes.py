"""The web page at /: plain files of the package, and Plotly's script out of the `plotly` package."""

from __future__ import annotations

from importlib import resources

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

router = APIRouter(include_in_schema=False)

# Nothing is asked of another host. Plotly styles the elements it draws, and compiles its WebGL drawing from text.
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",  # kept, and asked for again with the ETag: a new version is seen at once
}


class _Files(StaticFiles):
    """Files with an ETag and the headers of the page."""

    async def answer(self, path: str, request: Request) -> Response:
        response = await self.get_response(path, request.scope)
        response.headers.update(_HEADERS)
        if isinstance(response, FileResponse) and path.endswith(".js"):
            response.headers["Content-Type"] = "text/javascript; charset=utf-8"  # whatever the system's table says
        return response


_WEB = _Files(directory=str(resources.files("graphpalace.serve") / "web"))
_PLOTLY = _Files(directory=str(resources.files("plotly") / "package_data"))


@router.api_route("/", methods=["GET", "HEAD"])
async def page(request: Request) -> Response:
    """Give the page."""
    return await _WEB.answer("index.html", request)


@router.api_route("/web/plotly.min.js", methods=["GET", "HEAD"])
async def plotly(request: Request) -> Response:
    """Give Plotly's script."""
    return await _PLOTLY.answer("plotly.min.js", request)


@router.api_route("/web/{path:path}", methods=["GET", "HEAD"])
async def asset(path: str, request: Request) -> Response:
    """Give a script, a style or a picture of the page."""
    return await _WEB.answer(path, request)
