"""The web page at /, and the page at /docs, which describes the routes."""

from __future__ import annotations

import base64
import re
from hashlib import sha256
from importlib import resources

from fastapi import APIRouter, Request, Response
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

router = APIRouter(include_in_schema=False)

_SCRIPTS = "/static-offline-docs"  # the folder of fastapi-offline


@router.get("/docs")
async def docs(request: Request) -> Response:
    """Return Swagger UI, which loads nothing from other hosts and runs only its own scripts."""
    root = request.scope.get("root_path", "")
    page = get_swagger_ui_html(
        openapi_url=f"{root}{request.app.openapi_url}",
        title=f"{request.app.title} - Swagger UI",
        swagger_js_url=f"{root}{_SCRIPTS}/swagger-ui-bundle.js",
        swagger_css_url=f"{root}{_SCRIPTS}/swagger-ui.css",
        swagger_favicon_url=f"{root}{_SCRIPTS}/favicon.png",
    )
    inline = re.findall(rb"<script>(.*?)</script>", bytes(page.body), re.DOTALL)
    hashes = " ".join(f"'sha256-{base64.b64encode(sha256(script).digest()).decode()}'" for script in inline)
    page.headers["Content-Security-Policy"] = (
        f"default-src 'none'; script-src 'self' {hashes}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return page


# The page loads nothing from other hosts. Plotly sets styles on elements.
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",  # browsers check the ETag each time, so a new version shows at once
}


class _Files(StaticFiles):
    """Static files with an ETag and the headers of the page."""

    async def answer(self, path: str, request: Request) -> Response:
        response = await self.get_response(path, request.scope)
        response.headers.update(_HEADERS)
        if isinstance(response, FileResponse) and path.endswith(".js"):
            response.headers["Content-Type"] = (
                "text/javascript; charset=utf-8"  # the table of the operating system may differ
            )
        return response


_WEB = _Files(directory=str(resources.files("graphpalace.serve") / "web"))
_PLOTLY = _Files(directory=str(resources.files("plotly") / "package_data"))


@router.api_route("/", methods=["GET", "HEAD"])
async def page(request: Request) -> Response:
    """Return the page."""
    return await _WEB.answer("index.html", request)


@router.api_route("/web/plotly.min.js", methods=["GET", "HEAD"])
async def plotly(request: Request) -> Response:
    """Return the script of Plotly."""
    return await _PLOTLY.answer("plotly.min.js", request)


@router.api_route("/web/{path:path}", methods=["GET", "HEAD"])
async def asset(path: str, request: Request) -> Response:
    """Return a script, a style sheet or a picture of the page."""
    return await _WEB.answer(path, request)
