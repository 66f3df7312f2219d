"""Agents and their diaries. Moments are texts as ISO 8601 writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from graphpalace.domain.drawers.new_drawer import MOST_CHARS, check_text
from graphpalace.domain.field import NAMED, Field
from graphpalace.domain.identity import MOST_NAME_CHARS, place_name
from graphpalace.errors import InvalidInput

MOST_ENTRIES = 1000  # that are read at a time
DIARIES = "diaries"  # wing of the entries that a search can find; each agent has a room there


@dataclass(frozen=True, slots=True)
class Agent:
    """Somebody who keeps a diary.

    Attributes:
        entries: The number of entries in the diary.
        last_written_at: When the latest one was written; None if there is none any more.
    """

    name: Annotated[str, Field(examples=["reviewer"])]
    created_at: str
    entries: int
    last_written_at: str | None


AgentName = Annotated[str, Field(description="name of the agent, such as reviewer"), NAMED]
Text = Annotated[str, Field(min_length=1, max_length=MOST_CHARS, description="word for word")]
Topic = Annotated[str, Field(max_length=MOST_NAME_CHARS, description="what it is about, in a few words")]
Searchable = Annotated[
    bool, Field(description="false: no search, walk or list of drawers finds it, only the diary shows it")
]


@dataclass(frozen=True, slots=True)
class NewDiaryEntry:
    """A text for a diary.

    Attributes:
        searchable: Whether searches, walks and lists of drawers find it. Reading the diary always shows it.
    """

    text: Text
    topic: Topic = ""
    searchable: Searchable = True

    def check(self) -> None:
        """Check the entry.

        Raises:
            InvalidInput: If the text is blank, or the topic is too long or not one line.
            TooLarge: If the text is longer than a million characters.
        """
        check_text(self.text)
        if self.topic:
            place_name("topic", self.topic)


@dataclass(frozen=True, slots=True)
class DiaryEntryRequest:
    """A text for a diary."""

    agent: AgentName
    text: Text
    topic: Topic = ""
    searchable: Searchable = True

    def entry(self) -> NewDiaryEntry:
        """Return the text, without whose it is."""
        return NewDiaryEntry(self.text, self.topic, self.searchable)


@dataclass(frozen=True, slots=True)
class DiaryQuery:
    """Whose diary is wanted, and how much of it."""

    agent: AgentName
    last: Annotated[int, Field(ge=1, le=MOST_ENTRIES, description="largest number of entries")] = 10


@dataclass(frozen=True, slots=True)
class AgentQuery:
    """All agents of a palace."""


@dataclass(frozen=True, slots=True)
class DiaryEntry:
    """An entry of a diary.

    Attributes:
        drawer: Id of the drawer that holds its text; None if no search can find it.
    """

    id: str
    text: str
    topic: str
    written_at: str
    drawer: Annotated[str | None, Field(description="the drawer that holds its text; null: no search finds it")]


@dataclass(frozen=True, slots=True)
class Diary:
    """The latest entries of an agent's diary, the latest first."""

    agent: str
    entries: Sequence[DiaryEntry]


def check_last(last: int) -> None:
    """Raise `InvalidInput` if so many entries cannot be read at a time."""
    if not 1 <= last <= MOST_ENTRIES:
        raise InvalidInput(f"last is {last}; it must be 1 to {MOST_ENTRIES}", field="last", value=last)
