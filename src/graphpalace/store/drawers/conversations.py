"""List the conversations of a palace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graphpalace.domain.conversations import Conversation, ConversationGroup
from graphpalace.domain.search.answer import Reply
from graphpalace.store.connection.database import Database


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
