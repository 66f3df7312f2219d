"""File, list and show conversations."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from graphpalace.domain.conversations import (
    ConversationDrawers,
    ConversationGroups,
    ConversationListing,
    ConversationPage,
    ConversationQuery,
    FiledConversation,
    Transcript,
    TranscriptContent,
    TranscriptFile,
    host_name,
)
from graphpalace.domain.identity import as_place_name, place_name
from graphpalace.domain.moments import milliseconds
from graphpalace.errors import InvalidInput, NotFound, UnreadableDocument
from graphpalace.ingest.transcripts.hosts import read_transcript
from graphpalace.ingest.transcripts.masking import MARK, count_marks
from graphpalace.operations.conversations.filing import Filing
from graphpalace.replica.places import find_place
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.conversations import ConversationStore
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.palaces.palaces import PalaceStore

_MOST_WINGS = 50  # that are listed if several have the same conversation


class Conversations:
    """The conversations of palaces."""

    def __init__(self, database: Database, filing: Filing) -> None:
        self._database = database
        self._palaces = PalaceStore(database)
        self._stored = ConversationStore(database)
        self._drawers = DrawerStore(database)
        self._filing = filing

    async def file(
        self, palace: str, transcript: Transcript, *, wing: str | None = None, again: bool = False
    ) -> FiledConversation:
        """Store what is new in messages that a caller gives.

        Args:
            again: Whether to file what was forgotten of the conversation, too.

        Raises:
            InvalidInput: If there are no messages or too many, one is blank, or a name is not valid.
            TooLarge: If a message is too long.
            NotFound: If the palace does not exist.
        """
        transcript.check()
        return await self._filing.file(palace, transcript, wing=wing, again=again)

    async def file_transcript(
        self,
        palace: str,
        file: TranscriptFile,
        *,
        wing: str | None = None,
        again: bool = False,
        content: TranscriptContent | None = None,
    ) -> FiledConversation | None:
        """Store what is new in a transcript; return None if nobody has said anything in it yet.

        Args:
            again: Whether to file what was forgotten of the conversation, too.
            content: What the file has; None: it is read from the disk.

        Raises:
            NotFound: If the file or the palace does not exist.
            InvalidInput: If the host is not known, or a name is not valid.
            UnreadableDocument: If it is no transcript of a known host.
        """
        return await file_transcript(self._filing, palace, file, wing=wing, again=again, content=content)

    async def page(self, palace: str, asked: ConversationListing) -> ConversationPage:
        """Return a page of conversations, the one that was filed last first, or the one that went on last.

        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If the cursor is not one of a page, or a time is out of range.
        """
        since_ms, until_ms = milliseconds("since", asked.since), milliseconds("until", asked.until)
        await self._palaces.get(palace)
        place, _ = await find_place(self._database, palace, wing=asked.wing, room=None)
        found = await self._stored.page(
            palace,
            wing_id=place,
            project=asked.project,
            host=asked.host,
            by_said=asked.order == "said",
            since_ms=since_ms,
            until_ms=until_ms,
            after=_cursor(asked.after),
            limit=asked.limit,
        )
        more = f"{found[-1][1]}.{found[-1][0].id}" if len(found) == asked.limit else None
        return ConversationPage([conversation for conversation, _ in found], more)

    async def groups(self, palace: str) -> ConversationGroups:
        """Return how many conversations there are of each wing, project and host, and from when to when.

        Raises:
            NotFound: If the palace does not exist.
        """
        await self._palaces.get(palace)
        return ConversationGroups(await self._stored.groups(palace))

    async def show(self, palace: str, asked: ConversationQuery) -> ConversationDrawers:
        """Return a conversation with its drawers.

        Raises:
            NotFound: If the palace, the wing or the conversation does not exist.
            InvalidInput: If several wings have a conversation of this name; the message lists them.
        """
        host, conversation = asked.host, asked.conversation
        host_name(host)
        await self._palaces.get(palace)
        place, _ = await find_place(self._database, palace, wing=asked.wing, room=None)
        found = await self._stored.page(palace, wing_id=place, host=host, conversation=conversation, limit=_MOST_WINGS)
        if not found:
            raise NotFound(
                f"conversation {conversation!r} of {host!r} is not in palace {palace!r}", conversation=conversation
            )
        if len(found) > 1:
            wings = sorted(one.wing for one, _ in found)
            raise InvalidInput(
                f"wing is not given, and conversation {conversation!r} of {host!r} is filed in "
                f"{', '.join(map(repr, wings))}: name one of them",
                field="wing",
                wings=wings,
            )
        ((shown, _),) = found
        pieces = await self._stored.pieces(palace, shown.id, mark=MARK)
        masked = count_marks(mark for piece in pieces for mark in piece.marks)
        numbers = dict(zip((piece.id for piece in pieces), _turn_numbers(piece.turn for piece in pieces), strict=True))
        end = len(pieces) if asked.limit is None else asked.offset + asked.limit
        ids = [piece.id for piece in pieces[asked.offset : end]]
        drawers = {drawer.id: drawer for drawer in await self._drawers.read(palace, ids)}
        there = [one for one in ids if one in drawers]
        return ConversationDrawers(
            shown,
            [drawers[one] for one in there],
            [numbers[one] for one in there],
            dict(sorted(masked.items())),
            end if end < len(pieces) else None,
        )


def _turn_numbers(turns: Iterable[str | None]) -> list[int]:
    """Return the number of the turn of each drawer, from 1; a drawer without a turn is one of its own."""
    given = list(turns)
    numbers = [1] if given else []
    for before, turn in pairwise(given):
        numbers.append(numbers[-1] + (turn is None or turn != before))
    return numbers


def _cursor(after: str) -> tuple[int, str] | None:
    if not after:
        return None
    filed, dot, closet = after.partition(".")
    if not dot or not filed.isdecimal() or not closet:
        raise InvalidInput(f"after is {after!r}; it must be the `next` of a page", field="after", value=after)
    return int(filed), closet


async def file_transcript(
    filing: Filing,
    palace: str,
    file: TranscriptFile,
    *,
    wing: str | None = None,
    again: bool = False,
    content: TranscriptContent | None = None,
) -> FiledConversation | None:
    """Store what is new in a transcript; return None if nobody has said anything in it yet.

    Args:
        again: Whether to file what was forgotten of it, too.
        content: What the file has; None: it is read from the disk.

    Raises:
        NotFound: If the file or the palace does not exist.
        InvalidInput: If the host is not known, or a name is not valid.
        UnreadableDocument: If it is no transcript of a known host.
    """
    if file.project is not None:
        place_name("project", file.project)
    read = await asyncio.to_thread(_read, file, content)
    if read is None:
        return None
    return await filing.file(palace, read[0], wing=wing, written_at=read[1], again=again)


def _read(file: TranscriptFile, content: TranscriptContent | None = None) -> tuple[Transcript, datetime | None] | None:
    found = content or _content(file.path)
    transcript = read_transcript(found.data, file.path, host=file.host)
    if transcript is None:
        return None
    project = file.project or as_place_name(transcript.project or "") or None
    conversation = as_place_name(file.conversation or transcript.conversation)
    origin = transcript.origin or transcript.conversation
    return replace(transcript, project=project, conversation=conversation, origin=origin), found.written_at


def _content(path: Path) -> TranscriptContent:
    try:
        return TranscriptContent(written_at=datetime.fromtimestamp(path.stat().st_mtime, UTC), data=path.read_bytes())
    except FileNotFoundError as error:
        raise NotFound(f"{path} does not exist", path=str(path)) from error
    except OSError as error:
        raise UnreadableDocument(f"{path} cannot be read: {error.strerror}", path=str(path)) from error
