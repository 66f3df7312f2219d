"""Makes turns from the messages of a conversation: what one speaker says until another one speaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby

from graphpalace.domain.conversations import Message, Transcript
from graphpalace.domain.identity import as_place_name, text_hash
from graphpalace.ingest.transcripts.masking import masked
from graphpalace.ingest.transcripts.records import joined

_TITLE_CHARS = 100


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said until another one spoke.

    Attributes:
        key: Tells it from all other turns of its host, however often it is filed and however long it becomes.
        masked: Number of secrets that were masked, by kind.
    """

    key: str
    speaker: str
    text: str
    time: datetime | None
    masked: Counter[str] = field(default_factory=Counter)

    @property
    def mark(self) -> str:
        """A hash of all of it."""
        return text_hash(f"{self.key}\n{self.speaker}\n{self.text}")


def turns_of(transcript: Transcript, *, mask: bool) -> list[Turn]:
    """Return the turns of a conversation in order, with secrets masked.

    A turn takes its key from its first message: from the id of that, or else from its speaker, text and place among
    equal ones, within the conversation that it was first said in.

    Args:
        mask: Whether secrets are masked.
    """
    counts: Counter[tuple[str, str]] = Counter()
    turns = []
    for said in _groups([_clean(message) for message in transcript.messages], joins=transcript.joins):
        hidden: Counter[str] = Counter()
        messages = []
        for message in said:
            text, found = masked(message.text) if mask else (message.text, Counter())
            hidden += found
            messages.append(replace(message, text=text))
        first = messages[0]
        if first.id is not None:
            key = f"id:{first.id}"
        else:
            told = first.time.isoformat() if first.time and not transcript.joins else ""
            equal = (first.speaker, text_hash(first.text + told))
            key = f"said:{transcript.origin or transcript.conversation}\n{first.speaker}\n{equal[1]}\n{counts[equal]}"
            counts[equal] += 1
        text = joined([(message.text, message.folded) for message in messages])
        turns.append(Turn(key, as_place_name(first.speaker) or "unknown", text, _time(messages), hidden))
    return _timed(turns) if transcript.joins else turns


def title_of(transcript: Transcript, turns: Iterable[Turn]) -> str:
    """Return the title of a conversation: its own, or the beginning of what was said first."""
    if transcript.title and (name := as_place_name(masked(transcript.title)[0], most_chars=_TITLE_CHARS)):
        return name
    for turn in turns:
        if name := as_place_name(turn.text.strip().partition("\n")[0], most_chars=_TITLE_CHARS):
            return name
    return transcript.conversation


def _clean(message: Message) -> Message:
    """Return a message without half surrogate pairs, which JSON can carry and no encoding can store."""
    return replace(message, text=message.text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def _groups(messages: list[Message], *, joins: bool) -> Iterator[list[Message]]:
    if not joins:
        yield from ([message] for message in messages)
        return
    for _, said in groupby(messages, key=lambda message: message.speaker):
        yield list(said)


def _timed(turns: list[Turn]) -> list[Turn]:
    """Return turns with the time of the turn before for those that have none; the first ones with the first known."""
    now = next((turn.time for turn in turns if turn.time), None)
    timed = []
    for turn in turns:
        now = turn.time or now
        timed.append(replace(turn, time=now))
    return timed


def _time(messages: list[Message]) -> datetime | None:
    return next((message.time for message in messages if message.time), None)
