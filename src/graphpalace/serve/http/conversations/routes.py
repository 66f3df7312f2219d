"""The routes that file conversations, list and show them."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated

from fastapi import Query, Request

from graphpalace.domain.conversations import (
    ConversationDrawers,
    ConversationGroups,
    ConversationOrder,
    ConversationPage,
    FiledConversation,
    TranscriptFile,
)
from graphpalace.domain.moments import Until
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
    order: Annotated[
        ConversationOrder, Query(description="said: the one in which something was said last comes first")
    ] = "filed",
    since: Annotated[datetime | None, Query(description="something was said in it then or later")] = None,
    until: Annotated[
        Until | None, Query(description="it began up to this date, which is included, or before this moment")
    ] = None,
    after: str = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> ConversationPage:
    """List conversations page by page, the one that was filed last first, or the one that went on last."""
    return await app.conversations.page(
        named(app, palace),
        wing=wing,
        project=project,
        host=host,
        order=order,
        since=since,
        until=until,
        after=after,
        limit=limit,
    )


@router.get("/conversations/groups", tags=["conversations"])
async def count_conversations(app: Operations, palace: PalaceName = None) -> ConversationGroups:
    """Count the conversations of each wing, project and host, and tell from when to when they went on."""
    return await app.conversations.groups(named(app, palace))


@router.get("/conversations/{host}/{conversation:path}", tags=["conversations"])
async def show_conversation(
    host: str,
    conversation: str,
    app: Operations,
    palace: PalaceName = None,
    wing: Annotated[str | None, Query(description="needed if several wings have the conversation")] = None,
    offset: Annotated[int, Query(ge=0, description="drawers to leave out at the beginning")] = 0,
    limit: Annotated[int | None, Query(ge=1, description="drawers to return; default: all")] = None,
) -> ConversationDrawers:
    """Read a conversation: its drawers in the order in which they were said, and how many secrets were masked."""
    return await app.conversations.show(named(app, palace), host, conversation, wing=wing, offset=offset, limit=limit)
