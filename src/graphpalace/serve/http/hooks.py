"""The routes that hooks of hosts call, and the one that shows their runs."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Request

from graphpalace.domain.hooks import HookAnswer, HostName
from graphpalace.offers import hooks
from graphpalace.serve.http.offered import add_general_route, body_model
from graphpalace.serve.http.router import Operations, named, new_router

router = new_router(keyed=False)
_Body: Any = body_model(hooks.RUN)

add_general_route(router, hooks.REPORT, lambda app, _asked: app.hooks.report(), tag="conversations")


@router.post("/hooks/{host}/{event}", tags=["conversations"])
async def hooks_run(
    host: HostName,
    event: Annotated[str, Path(description="as the host names it", examples=["UserPromptSubmit"])],
    body: _Body,  # pyright: ignore[reportInvalidTypeForm] - it is made from the declaration
    app: Operations,
    request: Request,
) -> HookAnswer:
    """Do the work of a host's hook: return what to know now or what fits a prompt, or file the conversation.

    A conversation is filed in the background, from its transcript on the service's machine.
    """

    async def heard() -> bool:
        return not await request.is_disconnected()

    return await app.hooks.run(named(app, body.palace), host, event, body.input, heard=heard)
