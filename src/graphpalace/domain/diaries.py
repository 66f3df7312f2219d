"""Agents and their diaries. Moments are texts as ISO 8601 writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from graphpalace.domain.identity import MOST_NAME_CHARS, place_name
from graphpalace.domain.new_drawer import MOST_CHARS, check_text
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


@dataclass(frozen=True, slots=True)
class NewDiaryEntry:
    """A text for a diary.

    Attributes:
        searchable: Whether searches, walks and lists of drawers find it. Reading the diary always shows it.
    """

    text: Annotated[str, Field(min_length=1, max_length=MOST_CHARS)]
    topic: Annotated[str, Field(max_length=MOST_NAME_CHARS, description="what it is about, in a few words")] = ""
    searchable: Annotated[
        bool, Field(description="false: no search, walk or list of drawers finds it, only the diary shows it")
    ] = True

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
