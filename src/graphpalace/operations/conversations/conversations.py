"""File, list and show conversations."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise

from graphpalace.domain.conversations import (
    ConversationDrawers,
    ConversationGroups,
    ConversationOrder,
    ConversationPage,
    FiledConversation,
    Transcript,
    TranscriptFile,
    host_name,
)
from graphpalace.domain.moments import milliseconds
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.ingest.transcripts.masking import MARK, count_marks
from graphpalace.operations.conversations.filing import Filing
from graphpalace.operations.conversations.transcript_files import file_transcript
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
        self, palace: str, file: TranscriptFile, *, wing: str | None = None, again: bool = False
    ) -> FiledConversation | None:
        """Store what is new in a transcript; return None if nobody has said anything in it yet.

        Args:
            again: Whether to file what was forgotten of the conversation, too.

        Raises:
            NotFound: If the file or the palace does not exist.
            InvalidInput: If the host is not known, or a name is not valid.
            UnreadableDocument: If it is no transcript of a known host.
        """
        return await file_transcript(self._filing, palace, file, wing=wing, again=again)

    async def page(
        self,
        palace: str,
        *,
        wing: str | None = None,
        project: str | None = None,
        host: str | None = None,
        order: ConversationOrder = "filed",
        since: datetime | None = None,
        until: datetime | None = None,
        after: str = "",
        limit: int = 50,
    ) -> ConversationPage:
        """Return a page of conversations, the one that was filed last first, or the one that went on last.

        Args:
            since: Only those in which something was said then or later.
            until: Only those that began before.

        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If the cursor is not one of a page, or a time is out of range.
        """
        since_ms, until_ms = milliseconds("since", since), milliseconds("until", until)
        await self._palaces.get(palace)
        place, _ = await find_place(self._database, palace, wing=wing, room=None)
        found = await self._stored.page(
            palace,
            wing_id=place,
            project=project,
            host=host,
            by_said=order == "said",
            since_ms=since_ms,
            until_ms=until_ms,
            after=_cursor(after),
            limit=limit,
        )
        more = f"{found[-1][1]}.{found[-1][0].id}" if len(found) == limit else None
        return ConversationPage([conversation for conversation, _ in found], more)

    async def groups(self, palace: str) -> ConversationGroups:
        """Return how many conversations there are of each wing, project and host, and from when to when.

        Raises:
            NotFound: If the palace does not exist.
        """
        await self._palaces.get(palace)
        return ConversationGroups(await self._stored.groups(palace))

    async def show(
        self,
        palace: str,
        host: str,
        conversation: str,
        *,
        wing: str | None = None,
        offset: int = 0,
        limit: int | None = None,
    ) -> ConversationDrawers:
        """Return a conversation with its drawers.

        Args:
            wing: None: the only wing that has it.
            offset: How many drawers to leave out at the beginning, >= 0.
            limit: How many drawers to return, >= 1; None: all.

        Raises:
            NotFound: If the palace, the wing or the conversation does not exist.
            InvalidInput: If several wings have a conversation of this name; the message lists them.
        """
        host_name(host)
        await self._palaces.get(palace)
        place, _ = await find_place(self._database, palace, wing=wing, room=None)
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
        end = len(pieces) if limit is None else offset + limit
        ids = [piece.id for piece in pieces[offset:end]]
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
