"""The routes that file, list and show conversations."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Annotated

from fastapi import Request
from pydantic import Field

from graphpalace.domain.conversations import (
    MOST_ID_CHARS,
    Again,
    FiledConversation,
    FiledWing,
    Name,
    TranscriptContent,
    TranscriptFile,
)
from graphpalace.domain.hooks import HostName
from graphpalace.offers import conversations
from graphpalace.operations.drawers.source_files import readable_paths
from graphpalace.serve.http.access.own_parts import OwnerProof, folders_for
from graphpalace.serve.http.offered import add_route
from graphpalace.serve.http.request_body import FileBytes, Moment, PalaceField, RequestBody, with_example
from graphpalace.serve.http.router import Operations, named, new_router

# What a transcript tells by itself, unless the request says otherwise.
ToldHost = Annotated[HostName | None, Field(description="default: the content tells it")]
ToldProject = Annotated[Name, Field(description="default: the transcript tells it")]
ToldConversation = Annotated[
    str | None, Field(min_length=1, max_length=MOST_ID_CHARS, description="default: the transcript tells it")
]


class TranscriptRequest(RequestBody):
    """A transcript on the service's machine to be filed."""

    model_config = with_example({"path": "/home/ann/.claude/projects/-home-ann-greenhouse/0f8fad5b.jsonl"})

    path: Annotated[
        str, Field(description="absolute path or file URI, in a folder that [conversations] folders allows")
    ]
    host: ToldHost = None
    project: ToldProject = None
    conversation: ToldConversation = None
    wing: FiledWing = None
    again: Again = False
    proof: OwnerProof = None
    palace: PalaceField = None


class ContentRequest(RequestBody):
    """A transcript of the client's machine to be filed."""

    model_config = with_example({"path": "/home/ann/0f8fad5b.jsonl", "content": ""})

    path: Annotated[str, Field(min_length=1, max_length=10_000, description="where the client has it")]
    content: FileBytes
    written_at: Annotated[
        Moment | None, Field(description="when the file was written, for messages that have no time")
    ] = None
    host: ToldHost = None
    project: ToldProject = None
    conversation: ToldConversation = None
    wing: FiledWing = None
    again: Again = False
    palace: PalaceField = None


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
