"""Bodies of the routes that file transcripts."""

from __future__ import annotations

from base64 import b64decode
from typing import Annotated

from pydantic import BeforeValidator, Field

from graphpalace.domain.conversations import MOST_ID_CHARS, Again, FiledWing, Name
from graphpalace.domain.hooks import HostName
from graphpalace.serve.http.access.owner_files import OwnerProof
from graphpalace.serve.http.request_body import Moment, PalaceField, RequestBody, with_example


def _from_base64(value: object) -> object:
    return b64decode(value, validate=True) if isinstance(value, str) else value


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
    content: Annotated[bytes, BeforeValidator(_from_base64), Field(description="the file in base64")]
    written_at: Annotated[
        Moment | None, Field(description="when the file was written, for messages that have no time")
    ] = None
    host: ToldHost = None
    project: ToldProject = None
    conversation: ToldConversation = None
    wing: FiledWing = None
    again: Again = False
    palace: PalaceField = None
