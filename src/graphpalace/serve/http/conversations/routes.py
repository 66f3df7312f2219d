"""The routes that file conversations, list and show them."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

from fastapi import Request

from graphpalace.domain.conversations import (
    FiledConversation,
    TranscriptContent,
    TranscriptFile,
)
from graphpalace.offers import conversations
from graphpalace.operations.drawers.source_files import readable_paths
from graphpalace.serve.http.access.owner_files import folders_for
from graphpalace.serve.http.conversations.models import ContentRequest, TranscriptRequest
from graphpalace.serve.http.offered import add_route
from graphpalace.serve.http.router import Operations, named, new_router

router = new_router()
_add = partial(add_route, router, tag="conversations")


@router.post("/conversations", tags=["conversations"])
async def file_transcript(body: TranscriptRequest, app: Operations, request: Request) -> FiledConversation | None:
    """File the new turns of a transcript on the service's machine. The answer is null if it has no message yet.

    A client that leaves does not stop it. To finish after an error, send the request again.
    """
    folders = folders_for(request, body.proof, request.app.state.conversation_folders)
    (path,) = await asyncio.to_thread(
        readable_paths, [body.path], folders, field="path", setting="[conversations] folders"
    )
    file = TranscriptFile(path, body.host, body.project, body.conversation)
    return await app.conversations.file_transcript(named(app, body.palace), file, wing=body.wing, again=body.again)


@router.post("/conversations/content", tags=["conversations"])
async def file_content(body: ContentRequest, app: Operations) -> FiledConversation | None:
    """File the new turns of a transcript that the client sends. The answer is null if it has no message yet."""
    content = TranscriptContent(body.content, body.written_at)
    file = TranscriptFile(Path(body.path), body.host, body.project, body.conversation)
    return await app.conversations.file_transcript(
        named(app, body.palace), file, wing=body.wing, again=body.again, content=content
    )


_add(
    conversations.FILE_MESSAGES,
    lambda app, palace, asked: app.conversations.file(palace, asked.transcript(), wing=asked.wing, again=asked.again),
)
_add(conversations.LIST_CONVERSATIONS, lambda app, palace, asked: app.conversations.page(palace, asked))
_add(conversations.GROUP_CONVERSATIONS, lambda app, palace, _asked: app.conversations.groups(palace))
_add(conversations.SHOW_CONVERSATION, lambda app, palace, asked: app.conversations.show(palace, asked))
