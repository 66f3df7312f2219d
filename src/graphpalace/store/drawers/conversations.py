"""List the conversations of a palace, and record how far each is filed, in the transaction that files it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphpalace.domain.conversations import Conversation, ConversationGroup
from graphpalace.domain.drawers.records import ClosetPart, FilingState
from graphpalace.domain.search.answer import Reply
from graphpalace.errors import FiledMeanwhile
from graphpalace.store.connection.database import Database, Transaction


class ConversationPiece(NamedTuple):
    """A drawer of a conversation.

    Attributes:
        turn: Id of the turn that it is said in; None if it was not filed as a turn.
        marks: What follows each beginning of a mark in its text, up to the next bracket.
    """

    id: str
    turn: str | None
    marks: list[str]


class ConversationStore:
    """Lists conversations and their drawers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def replies(self, palace: str, turns: Sequence[str]) -> dict[str, Reply]:
        """Return what was said next after turns, by their drawers; nothing after the last turn of a conversation."""
        rows = await self._database.read(palace, "search/read_replies", ids=list(turns))
        return {row["turn"]: Reply(row["drawer"], row["author"], row["text"]) for row in rows}

    async def page(
        self,
        palace: str,
        *,
        wing_id: str | None = None,
        project: str | None = None,
        host: str | None = None,
        conversation: str | None = None,
        by_said: bool = False,
        since_ms: int | None = None,
        until_ms: int | None = None,
        after: tuple[int, str] | None = None,
        limit: int = 50,
    ) -> list[tuple[Conversation, int]]:
        """Return conversations and the time that they are ordered by, in milliseconds since 1970, the latest first.

        Args:
            by_said: Whether they are ordered by when something was said in them last, instead of when they were filed.
            since_ms: Something was said in them then or later.
            until_ms: They began before.
            after: Time and closet of the conversation after which the page begins.
        """
        rows = await self._database.read(
            palace,
            "conversations/list_conversations",
            wing_id=wing_id,
            project=project,
            host=host,
            conversation=conversation,
            by_said=by_said,
            since_ms=since_ms,
            until_ms=until_ms,
            before_ms=None if after is None else after[0],
            before_id="" if after is None else after[1],
            limit=limit,
        )
        return [(Conversation(**row["conversation"]), row["at_ms"]) for row in rows]

    async def groups(self, palace: str) -> list[ConversationGroup]:
        """Return how many conversations there are of each wing, project and host."""
        rows = await self._database.read(palace, "conversations/count_conversations")
        return [ConversationGroup(**row["group"]) for row in rows]

    async def pieces(self, palace: str, closet: str, *, mark: str | None = None) -> list[ConversationPiece]:
        """Return the drawers of a conversation, in the order in which they were filed.

        Args:
            mark: How the mark of a masked secret begins; None: their texts are not looked at.
        """
        rows = await self._database.read(palace, "conversations/list_drawers", closet=closet, mark=mark)
        return [ConversationPiece(**row) for row in rows]


@dataclass(frozen=True, slots=True)
class KnownPiece:
    """A drawer that holds a piece of a turn.

    Attributes:
        edited: Whether somebody has changed its text.
    """

    turn: str
    id: str
    text: str
    closet: str
    edited: bool


@dataclass(frozen=True, slots=True)
class KnownConversation:
    """What is recorded of a conversation that was filed before."""

    title: str
    project: str | None
    state: FilingState


class FilingStore:
    """Reads what is filed of conversations."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def conversation(self, palace: str, closet: str) -> KnownConversation | None:
        """Return what is recorded of the conversation of a closet; None if it was never filed."""
        rows = await self._database.read(palace, "conversations/read_filing", id=closet)
        return (
            KnownConversation(rows[0]["title"], rows[0]["project"], FilingState(**rows[0]["state"])) if rows else None
        )

    async def pieces(self, palace: str, turns: Sequence[str]) -> dict[str, list[KnownPiece]]:
        """Return the drawers of some turns, by turn, in order. Turns that are not filed are left out."""
        found: dict[str, list[KnownPiece]] = {}
        for row in await self._database.read(palace, "conversations/read_turns", turns=list(turns)):
            found.setdefault(row["turn"], []).append(KnownPiece(**row))
        return found

    async def forgotten(self, palace: str, ids: Sequence[str]) -> dict[str, str]:
        """Return when those of some conversations and turns were forgotten that were, by id."""
        return {
            row["id"]: row["at"] for row in await self._database.read(palace, "conversations/read_forgotten", ids=ids)
        }

    async def allow_again(self, palace: str, closet: str, conversation: str) -> None:
        """Let a conversation be filed again, and all of its turns that were forgotten in a closet.

        Args:
            conversation: Id of the mark of the conversation.
        """
        await self._database.write(palace, "conversations/allow_again", closet=closet, conversation=conversation)


async def mark_filed(tx: Transaction, closets: Sequence[ClosetPart]) -> set[str]:
    """Record how far the conversations among some closets are filed. The closets must be locked already.

    Returns:
        Those of their new drawers that exist already, as a copy of the conversation has them too.

    Raises:
        FiledMeanwhile: If one of them is filed further than its writer knew, or something of it was forgotten.
    """
    there: set[str] = set()
    for part in closets:
        if (filed := part.filed) is None:
            continue
        state = filed.state
        marked = await tx.run(
            "conversations/mark_filed",
            id=part.id,
            drawers=[drawer.id for drawer in part.drawers],
            before=filed.before,
            host=filed.host,
            conversation=filed.conversation,
            project=filed.project,
            turns=state.turns,
            chain=state.chain,
            last=state.last,
            stamp=state.stamp,
            marks=sorted(filed.marks),
        )
        if not marked:
            raise FiledMeanwhile(conversation=filed.conversation)
        there.update(marked[0]["there"])
    return there
