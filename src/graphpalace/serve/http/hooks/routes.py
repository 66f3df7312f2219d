"""The routes that hooks of hosts call, and the one that shows their runs."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Request
from pydantic import Field

from graphpalace.domain.hooks import HookAnswer, HookReport, HostName
from graphpalace.serve.http.request_body import PalaceField, RequestBody, with_example
from graphpalace.serve.http.router import Operations, named, new_router

router = new_router(keyed=False)


class HookRequest(RequestBody):
    """What a host says at an event."""

    model_config = with_example(
        {
            "input": {
                "session_id": "0f8fad5b-d9cb-469f-a165-70867728950e",
                "transcript_path": "/home/ann/.claude/projects/-home-ann-greenhouse/0f8fad5b.jsonl",
                "cwd": "/home/ann/greenhouse",
                "hook_event_name": "UserPromptSubmit",
                "prompt": "When does the valve open?",
            }
        }
    )

    input: Annotated[dict[str, Any], Field(description="the object that the host sends to its hooks")]
    palace: PalaceField = None


@router.get("/hooks", tags=["conversations"])
async def list_hooks(app: Operations) -> HookReport:
    """Show which hooks of hosts are installed, when each ran last, how long it took, and what went wrong.

    What is installed is read from the files of the user that the service runs as, not from those of projects.
    """
    return await app.hooks.report()


@router.post("/hooks/{host}/{event}", tags=["conversations"])
async def run_hook(
    host: HostName,
    event: Annotated[str, Path(description="as the host names it", examples=["UserPromptSubmit"])],
    body: HookRequest,
    app: Operations,
    request: Request,
) -> HookAnswer:
    """Do the work of a host's hook: return what to know now or what fits a prompt, or file the conversation.

    A conversation is filed in the background, from its transcript on the service's machine.
    """

    async def heard() -> bool:
        return not await request.is_disconnected()

    return await app.hooks.run(named(app, body.palace), host, event, body.input, heard=heard)
