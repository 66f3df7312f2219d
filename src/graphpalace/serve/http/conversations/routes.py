"""The routes that file conversations, list and show them."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Query, Request

from graphpalace.domain.conversations import ConversationDrawers, ConversationPage, FiledConversation, TranscriptFile
from graphpalace.operations.drawers.readable_paths import readable_paths
from graphpalace.serve.http.conversations.models import MessagesRequest, TranscriptRequest
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router

router = new_router()


@router.post("/messages", tags=["conversations"])
async def file_messages(body: MessagesRequest, app: Operations) -> FiledConversation:
    """File messages of a conversation word for word. Those that are filed already are left as they are.

    Secrets are masked. To finish after an error, send the same request again.
    """
    return await app.conversations.file(named(app, body.palace), body.transcript(), wing=body.wing, again=body.again)


@router.post("/conversations", tags=["conversations"])
async def file_transcript(body: TranscriptRequest, app: Operations, request: Request) -> FiledConversation | None:
    """File what is new in a transcript of the service's machine. The answer is null if it has no message yet.

    A client that leaves does not stop it. To finish after an error, send the request again.
    """
    folders = request.app.state.conversation_folders
    (path,) = await asyncio.to_thread(
        readable_paths, [body.path], folders, field="path", setting="[conversations] folders"
    )
    file = TranscriptFile(path, body.host, body.project, body.conversation)
    return await app.conversations.file_transcript(named(app, body.palace), file, wing=body.wing, again=body.again)


@router.get("/conversations", tags=["conversations"])
async def list_conversations(
    app: Operations,
    palace: PalaceName = None,
    wing: str | None = None,
    project: str | None = None,
    host: str | None = None,
    after: str = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> ConversationPage:
    """List conversations page by page, the one that was filed last first."""
    return await app.conversations.page(
        named(app, palace), wing=wing, project=project, host=host, after=after, limit=limit
    )


@router.get("/conversations/{host}/{conversation:path}", tags=["conversations"])
async def show_conversation(
    host: str,
    conversation: str,
    app: Operations,
    palace: PalaceName = None,
    wing: Annotated[str | None, Query(description="default: the wing that it was filed into last")] = None,
) -> ConversationDrawers:
    """Read a conversation: its drawers in the order in which they were said."""
    return await app.conversations.show(named(app, palace), host, conversation, wing=wing)
