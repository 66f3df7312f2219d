"""What a reader of another memory yields, whatever that memory is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from graphpalace.domain.identity import MOST_TITLE_CHARS, MOST_URI_CHARS, as_place_name
from graphpalace.errors import InvalidInput, NotFound

Origin = Literal["mempalace", "mem0", "claude"]


@dataclass(frozen=True, slots=True)
class ForeignDrawer:
    """A text of another memory.

    Attributes:
        key: Its id there; None if it has none.
        drawer: What `add_many` takes.
    """

    key: str | None
    drawer: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ForeignConversation:
    """A conversation of another memory; `messages` are what `file_messages` takes."""

    id: str
    messages: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class ForeignFact:
    """A fact of another memory.

    Attributes:
        fact: What `add_fact` takes, without its drawers.
        drawer: Key of the text that says so; None if it is not known.
    """

    fact: Mapping[str, Any]
    drawer: str | None = None


@dataclass(frozen=True, slots=True)
class Blank:
    """A text of another memory that says nothing."""


Foreign = ForeignDrawer | ForeignConversation | ForeignFact | Blank


@dataclass(slots=True)
class ForeignText:
    """A text of another memory and where it belongs, whose names may be any texts."""

    text: str
    wing: str
    room: str
    title: str = ""
    uri: str = ""
    author: str = ""
    occurred_at: Any = None
    key: str | None = None
    drawer: dict[str, Any] = field(default_factory=dict)

    def record(self) -> ForeignDrawer | Blank:
        """Return the drawer, with names that a palace can have. The text stays as it is."""
        from graphpalace.ingest.readers.chats.messages import moment

        text = self.text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # half a pair cannot be stored
        if not text.strip():
            return Blank()
        given = {
            "text": text,
            "wing": as_place_name(self.wing) or "unknown",
            "room": as_place_name(self.room) or "general",
            "title": as_place_name(self.title, most_chars=MOST_TITLE_CHARS) or None,
            "source_uri": as_place_name(self.uri, most_chars=MOST_URI_CHARS) or None,
            "author": as_place_name(self.author, most_chars=MOST_TITLE_CHARS) or None,
            "occurred_at": moment(self.occurred_at),
        }
        return ForeignDrawer(self.key, {name: value for name, value in given.items() if value is not None})


def read_json(path: Path) -> Any:
    """Return the content of a file of JSON.

    Raises:
        NotFound: If there is no such file.
        InvalidInput: If it is not JSON.
    """
    if not path.is_file():
        raise NotFound(f"{path} does not exist", path=str(path))
    try:
        return json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise InvalidInput(f"{path} is not JSON", field="path") from None


def text_or(value: Any, other: str = "") -> str:
    """Return a value if it is a text with something in it, else another one."""
    return value if isinstance(value, str) and value.strip() else other
