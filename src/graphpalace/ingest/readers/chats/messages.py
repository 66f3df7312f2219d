"""Shared by all readers of conversations: messages, their times, the branch that was shown, and their passages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from graphpalace.domain.drawers.document import Passage
from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.ingest.split import LineIndex, split_section

_LARGEST_SECONDS = 1e11  # since 1970, in the year 5138; what is larger counts a smaller unit


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a conversation.

    Attributes:
        text: Text of the message.
        author: Name of the author, if known.
        occurred_at: Time of the message with time zone, if known.
        line: 1-based line in the source, if the source has one line for each message.
    """

    text: str
    author: str | None = None
    occurred_at: datetime | None = None
    line: int | None = None


def message_passages(
    messages: Iterable[ChatMessage], options: SplitOptions, *, began_at: datetime | None = None
) -> tuple[Passage, ...]:
    """Return one passage for each message, or several if it is long. A passage never spans two messages.

    For a message without a line in the source, lines are counted as if all messages were written one below the other.
    A message without a time has that of the message before it, because it was not said earlier.

    Args:
        began_at: When the conversation began, if that is known, for the messages before the first one with a time.
    """
    passages: list[Passage] = []
    below = 1
    for message in _timed(list(messages), began_at):
        # JSON can carry half a surrogate pair, which no encoding can store.
        text = message.text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        for passage in split_section(text, below, (), options, kind="markdown"):
            first = message.line or passage.start_line
            last = message.line or passage.end_line
            passages.append(
                replace(
                    passage,
                    start_line=first,
                    end_line=last,
                    author=message.author,
                    occurred_at=message.occurred_at,
                )
            )
        below += len(LineIndex(text))
    return tuple(passages)


def _timed(messages: list[ChatMessage], began_at: datetime | None) -> Iterator[ChatMessage]:
    first = next((message.occurred_at for message in messages if message.occurred_at), None)
    now = min(began_at, first) if began_at and first else began_at
    for message in messages:
        now = message.occurred_at or now
        yield replace(message, occurred_at=now)


def moment(value: Any) -> datetime | None:
    """Parse a JSON value as a time with time zone, or return None if it is not a time.

    A number, also as a string, is seconds since 1970, or milliseconds, microseconds or nanoseconds if in the larger
    unit it would lie beyond the year 5138; 0 is no time. Other strings must be ISO 8601; without a time zone, they are
    UTC.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        seconds = float(value)
    except ValueError:
        return _iso(str(value))
    except OverflowError:
        return None
    if seconds == 0:
        return None
    for _ in range(3):
        if seconds > _LARGEST_SECONDS:
            seconds /= 1000
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _iso(value: str) -> datetime | None:
    try:
        read = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def text_of(content: Any) -> str:
    """Return the text of a message's content, which may be a string, a block with `text`, or a list of these."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return text_of(content.get("text"))
    if isinstance(content, list):
        return "\n".join(part for block in content if (part := text_of(block)).strip())
    return ""


def enclosed(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yield each part of a text from an opening to the next closing: where it begins, its inside, and where it ends.

    One expression, such as `<a>.*?</a>`, would read the rest of the text again for each opening that is not closed.
    """
    end = 0
    while (begins := opening.search(text, end)) and (ends := closing.search(text, begins.end())):
        end = ends.end()
        yield begins.start(), begins.end(), ends.start(), end


def without_enclosed(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> str:
    """Return a text without the parts that `enclosed` yields."""
    kept, at = [], 0
    for start, _, _, end in enclosed(text, opening, closing):
        kept.append(text[at:start])
        at = end
    return "".join([*kept, text[at:]])


def name_or_none(value: Any) -> str | None:
    """Return a name without surrounding whitespace, or None if the value is not a name."""
    return value.strip() or None if isinstance(value, str) else None


def shown_branch(nodes: Mapping[str, dict[str, Any]], current: Any, *, parent: str) -> list[dict[str, Any]]:
    """Return the nodes from the root to the current one; to the last leaf if there is no such node.

    Args:
        nodes: By their ids.
        current: Id of the node that was shown last.
        parent: Key under which a node has the id of its parent.
    """
    if not isinstance(current, str) or current not in nodes:
        parents = {node.get(parent) for node in nodes.values() if isinstance(node.get(parent), str)}
        current = next((key for key in reversed(list(nodes)) if key not in parents), None)
    seen: set[Any] = set()
    branch: list[dict[str, Any]] = []
    while isinstance(current, str) and current not in seen and current in nodes:
        seen.add(current)
        branch.append(nodes[current])
        current = nodes[current].get(parent)
    return branch[::-1]
