"""Bodies of the routes for conversations."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from graphpalace.domain.conversations import (
    MOST_HOST_CHARS,
    MOST_ID_CHARS,
    MOST_MESSAGES,
    HostName,
    Message,
    Name,
    Transcript,
)
from graphpalace.serve.http.request_body import PalaceField, RequestBody, fields_of, value_of, with_example

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


class TranscriptRequest(RequestBody):
    """A transcript on the service's machine to be filed."""

    model_config = with_example({"path": "/home/ann/.claude/projects/-home-ann-greenhouse/0f8fad5b.jsonl"})

    path: Annotated[str, Field(description="absolute path, in a folder that [conversations] folders allows")]
    host: Annotated[HostName | None, Field(description="default: the content tells it")] = None
    project: Annotated[Name, Field(description="default: the transcript tells it")] = None
    conversation: Annotated[
        str | None, Field(min_length=1, max_length=MOST_ID_CHARS, description="default: the transcript tells it")
    ] = None
    wing: Wing = None
    again: Again = False
    palace: PalaceField = None
