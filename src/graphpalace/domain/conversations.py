"""Conversations: what was said, as a host's transcript or a caller gives it, and what is kept of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from graphpalace.domain.drawers.drawer import Drawer
from graphpalace.domain.drawers.new_drawer import MOST_CHARS, check_text, zoned
from graphpalace.domain.field import NAMED, WHOLE_DAY, Field
from graphpalace.domain.identity import place_name, stable_id
from graphpalace.errors import GraphPalaceError, InvalidInput

USER, ASSISTANT, SUBAGENT, TASK = "user", "assistant", "subagent", "subagent task"
ConversationOrder = Literal["filed", "said"]  # the one that was filed last, or in which something was said last, first
MOST_MESSAGES = 1000  # that one request files
MOST_HOST_CHARS, MOST_ID_CHARS = 60, 500

Name = Annotated[str | None, Field(min_length=1, max_length=200)]
FiledWing = Annotated[Name, Field(description="default: the wing of the project, or else of the host")]
Project = Annotated[Name, Field(description="what it is about, such as the name of a folder")]
Again = Annotated[bool, Field(description="whether to file what was forgotten of the conversation, too")]


@dataclass(frozen=True, slots=True)
class NewMessage:
    """One message of a conversation."""

    text: Annotated[str, Field(min_length=1, max_length=MOST_CHARS)]
    speaker: Annotated[
        str,
        Field(
            min_length=1,
            max_length=200,
            description="user, assistant, subagent for what a sub-agent says, subagent task for what it is told; or any"
            " name",
            examples=["user"],
        ),
    ]
    time: Annotated[datetime | None, Field(description="when it was said")] = None
    id: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=MOST_ID_CHARS,
            description="the same whenever this message is sent; without one, speaker, time and text tell messages "
            "apart",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Message(NewMessage):
    """One message of a conversation, as a transcript has it.

    Attributes:
        folded: Whether the text only names calls of tools.
    """

    folded: bool = False

    def check(self) -> None:
        """Check the values.

        Raises:
            InvalidInput: If the text is blank, a name is not valid, or the time is out of range.
            TooLarge: If the text is too long.
        """
        check_text(self.text)
        place_name("speaker", self.speaker)
        if self.id is not None:
            place_name("id", self.id, most_chars=MOST_ID_CHARS)
        zoned(self.time)


@dataclass(frozen=True, slots=True)
class Transcript:
    """The messages of one conversation in their order.

    Attributes:
        host: The program that it was held in.
        conversation: Its id there.
        project: What it was about, such as the name of the folder that the host worked in; None if that is not known.
        title: None: it is made from the first message.
        origin: Id of the conversation that it is a copy of in its first part, or else its own id.
        joins: Whether all messages of a speaker until another speaks are one turn; else each message is one.
        broken_lines: How many lines of its file could not be read.
    """

    host: str
    conversation: str
    messages: Sequence[Message] = field(repr=False)
    project: str | None = None
    title: str | None = None
    origin: str = ""
    joins: bool = True
    broken_lines: int = 0

    def check(self) -> None:
        """Check the values; a fault in a message names its place, for example `messages.3.text`.

        Raises:
            InvalidInput: If there are no messages or too many, a text is blank, or a name is not valid.
            TooLarge: If a text is too long.
        """
        host_name(self.host)
        place_name("conversation", self.conversation, most_chars=MOST_ID_CHARS)
        if self.project is not None:
            place_name("project", self.project)
        if not 1 <= len(self.messages) <= MOST_MESSAGES:
            raise InvalidInput(
                f"messages has {len(self.messages)} items; it must have 1 to {MOST_MESSAGES}", field="messages"
            )
        for at, message in enumerate(self.messages):
            try:
                message.check()
            except GraphPalaceError as error:
                where = f"messages.{at}.{error.detail.get('field', '')}".rstrip(".")
                raise type(error)(f"messages.{at}.{error.message}", **error.detail | {"field": where}) from None


@dataclass(frozen=True, slots=True)
class MessagesRequest:
    """Messages of one conversation to be filed."""

    host: Annotated[str, Field(min_length=1, max_length=MOST_HOST_CHARS, description="the program it is held in")]
    conversation: Annotated[str, Field(min_length=1, max_length=MOST_ID_CHARS, description="its id there")]
    messages: Annotated[Sequence[NewMessage], Field(min_length=1, max_length=MOST_MESSAGES)]
    project: Project = None
    wing: FiledWing = None
    again: Again = False

    def transcript(self) -> Transcript:
        """Return the messages as a conversation."""
        messages = [Message(one.text, one.speaker, one.time, one.id) for one in self.messages]
        return Transcript(self.host, self.conversation, messages, project=self.project, joins=False)


@dataclass(frozen=True, slots=True)
class TranscriptContent:
    """What a transcript has, if its file is on another machine.

    Attributes:
        written_at: When the file was written; None if that is not known.
    """

    data: bytes = field(repr=False)
    written_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TranscriptFile:
    """A file in which a host keeps a conversation, and what the caller knows better than the file.

    Attributes:
        host: None: the content tells it.
        project: None: the file tells it.
        conversation: None: the file tells it.
    """

    path: Path
    host: str | None = None
    project: str | None = None
    conversation: str | None = None


@dataclass(frozen=True, slots=True)
class FiledConversation:
    """What filing a conversation did. Filing the same again creates nothing."""

    host: str
    conversation: str
    source_uri: Annotated[str, Field(examples=["conversation:claude-code/0f8fad5b-d9cb-469f-a165-70867728950e"])]
    wing: str
    project: str | None
    turns: Annotated[int, Field(description="that are new, or longer than they were")]
    drawers_created: int
    drawers_removed: Annotated[int, Field(description="shorter versions of turns that have grown")]
    masked: Annotated[
        Mapping[str, int], Field(description="secrets that were masked, by kind", examples=[{"GitHub Token": 1}])
    ]
    forgotten_at: Annotated[
        str | None, Field(description="when the conversation was forgotten, so that nothing of it is filed")
    ] = None
    turns_forgotten: Annotated[int, Field(description="turns that were forgotten, and so are not filed")] = 0
    broken_lines: Annotated[int, Field(description="lines of the transcript that could not be read")] = 0


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation that is kept."""

    id: Annotated[str, Field(description="of its closet")]
    conversation: str
    host: str
    wing: str
    project: str | None
    title: str
    source_uri: str
    drawers: int
    speakers: Sequence[str]
    began_at: str | None
    ended_at: str | None
    filed_at: str | None


@dataclass(frozen=True, slots=True)
class ConversationListing:
    """Which conversations to list, and in which order."""

    wing: Annotated[str | None, NAMED] = None
    project: str | None = None
    host: str | None = None
    order: Annotated[
        ConversationOrder, Field(description="said: the one in which something was said last comes first")
    ] = "filed"
    since: Annotated[datetime | None, Field(description="something was said in it then or later")] = None
    until: Annotated[
        datetime | None,
        Field(description="it began up to this date, which is included, or before this moment"),
        WHOLE_DAY,
    ] = None
    after: Annotated[str, Field(description="the `next` of the page before")] = ""
    limit: Annotated[int, Field(ge=1, le=200, description="largest number of conversations")] = 50


@dataclass(frozen=True, slots=True)
class GroupQuery:
    """All conversations of a palace."""


@dataclass(frozen=True, slots=True)
class ConversationQuery:
    """Which conversation to read, and which part of it."""

    host: Annotated[str, Field(description="the program that it was held in")]
    conversation: Annotated[str, Field(description="its id there")]
    wing: Annotated[str | None, Field(description="needed if several wings have the conversation"), NAMED] = None
    offset: Annotated[int, Field(ge=0, description="drawers to leave out at the beginning")] = 0
    limit: Annotated[int | None, Field(ge=1, description="drawers to return; default: all")] = None


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """A page of conversations, the latest first. Send `next` as `after` to get the next page."""

    conversations: Sequence[Conversation]
    next: str | None


@dataclass(frozen=True, slots=True)
class ConversationGroup:
    """The conversations that a host had on one project, in one wing."""

    wing: str
    project: str | None
    host: str
    conversations: Annotated[int, Field(description="how many there are")]
    began_at: Annotated[str | None, Field(description="when the first of them began")]
    ended_at: Annotated[str | None, Field(description="when something was last said in one of them")]


@dataclass(frozen=True, slots=True)
class ConversationGroups:
    """How many conversations a palace has, by wing, project and host."""

    groups: Sequence[ConversationGroup]


@dataclass(frozen=True, slots=True)
class ConversationDrawers:
    """A conversation with its drawers, or a part of them, in the order in which they were said."""

    conversation: Conversation
    drawers: Sequence[Drawer]
    turns: Annotated[
        Sequence[int], Field(description="for each drawer the number of its turn, from 1; a long turn has several")
    ] = ()
    masked: Annotated[
        Mapping[str, int],
        Field(description="masked secrets in the whole conversation, by kind", examples=[{"GitHub token": 1}]),
    ] = field(default_factory=dict)
    next: Annotated[
        int | None, Field(description="send it as `offset` to get the next part; null: this is the end")
    ] = None


_SCHEME = "conversation:"


def host_name(host: str) -> str:
    """Return the name of a host if it is valid.

    Raises:
        InvalidInput: If it is not one line, or has a slash, which separates it from the conversation's id.
    """
    place_name("host", host, most_chars=MOST_HOST_CHARS)
    if "/" in host:
        raise InvalidInput(f"host is {host!r}; it must have no slash", field="host", value=host)
    return host


def conversation_mark(palace: str, uri: str) -> str:
    """Return the id of the mark of a conversation that was forgotten, wherever it is filed."""
    return stable_id("forgotten", palace, uri)


def conversation_uri(host: str, conversation: str) -> str:
    """Return the URI of a conversation as a source.

    >>> conversation_uri("codex", "0199")
    'conversation:codex/0199'
    """
    return f"{_SCHEME}{host}/{conversation}"


def is_conversation(uri: str) -> bool:
    """Return whether a source is a conversation."""
    return uri.startswith(_SCHEME)
