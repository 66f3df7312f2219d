"""List the conversations of a palace."""

from __future__ import annotations

from graphpalace.domain.conversations import Conversation
from graphpalace.store.connection.database import Database


class ConversationStore:
    """Lists conversations and their drawers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self,
        palace: str,
        *,
        wing_id: str | None = None,
        project: str | None = None,
        host: str | None = None,
        conversation: str | None = None,
        after: tuple[int, str] | None = None,
        limit: int = 50,
    ) -> list[tuple[Conversation, int]]:
        """Return conversations and when each was filed last, in milliseconds since 1970, the latest first.

        Args:
            after: Time and closet of the conversation after which the page begins.
        """
        rows = await self._database.read(
            palace,
            "conversations/list_conversations",
            wing_id=wing_id,
            project=project,
            host=host,
            conversation=conversation,
            before_ms=None if after is None else after[0],
            before_id="" if after is None else after[1],
            limit=limit,
        )
        return [(Conversation(**row["conversation"]), row["filed_ms"]) for row in rows]

    async def drawers(self, palace: str, closet: str) -> list[str]:
        """Return the ids of the drawers of a conversation, in the order in which they were filed."""
        rows = await self._database.read(palace, "conversations/list_drawers", closet=closet)
        return [row["id"] for row in rows]
