"""The page at /docs, which describes the routes and lets people try them."""

from __future__ import annotations

import base64
import re
from hashlib import sha256

from fastapi import APIRouter, Request, Response
from fastapi.openapi.docs import get_swagger_ui_html

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
