"""Bodies of the routes for conversations."""

from __future__ import annotations

from base64 import b64decode
from typing import Annotated

from pydantic import BeforeValidator, Field

from graphpalace.domain.conversations import (
    MOST_HOST_CHARS,
    MOST_ID_CHARS,
    MOST_MESSAGES,
    Message,
    Name,
    Transcript,
)
from graphpalace.domain.hooks import HostName
from graphpalace.serve.http.access.owner_files import OwnerProof
from graphpalace.serve.http.request_body import Moment, PalaceField, RequestBody, fields_of, value_of, with_example

Wing = Annotated[Name, Field(description="default: the wing of the project, or else of the host")]
Project = Annotated[Name, Field(description="what it is about, such as the name of a folder")]

Again = Annotated[bool, Field(description="whether to file what was forgotten of the conversation, too")]


class MessageBody(fields_of(Message, leave_out=("folded",))):
    """One message of a conversation."""


class MessagesRequest(RequestBody):
    """Messages of one conversation to be filed."""

    model_config = with_example(
        {
            "host": "my-agent",
            "conversation": "2026-05-31-1",
            "project": "greenhouse",
            "messages": [
                {"id": "1", "speaker": "user", "text": "When do we sow the tomatoes?"},
                {"id": "2", "speaker": "assistant", "text": "In the first week of March."},
            ],
        }
    )

    host: Annotated[str, Field(min_length=1, max_length=MOST_HOST_CHARS, description="the program it is held in")]
    conversation: Annotated[str, Field(min_length=1, max_length=MOST_ID_CHARS, description="its id there")]
    project: Project = None
    wing: Wing = None
    again: Again = False
    messages: Annotated[list[MessageBody], Field(min_length=1, max_length=MOST_MESSAGES)]
    palace: PalaceField = None

    def transcript(self) -> Transcript:
        """Return the messages as a conversation."""
        messages = [value_of(message, Message) for message in self.messages]
        return Transcript(self.host, self.conversation, messages, project=self.project, joins=False)


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
    wing: Wing = None
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
    wing: Wing = None
    again: Again = False
    palace: PalaceField = None
