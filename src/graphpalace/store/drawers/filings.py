"""Record how far conversations are filed, in the transaction that files them, and read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphpalace.domain.records import ClosetPart, FilingState
from graphpalace.errors import FiledMeanwhile
from graphpalace.store.connection.database import Database, Transaction


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
