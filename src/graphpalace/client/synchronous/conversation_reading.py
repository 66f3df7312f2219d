# Written by `make client` from ../asynchronous/conversation_reading.py; change that file.
"""The conversations of a palace, as they are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from graphpalace.domain.conversations import ConversationDrawers, ConversationGroup


class ConversationReading:
    """The conversations of a palace, as they are read."""

    def __init__(self, link: Link) -> None:
        """Use the link of a palace."""
        self._link = link

    def groups(self) -> Sequence[ConversationGroup]:
        """Count the conversations of each wing, project and host, and show when the first began and the last ended.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.offers.conversations import GROUP_CONVERSATIONS

        return (self._link.call(GROUP_CONVERSATIONS)).groups

    def show(
        self, host: str, conversation: str, *, wing: str | None = None, offset: int = 0, limit: int | None = None
    ) -> ConversationDrawers:
        """Read a conversation: its drawers in the order in which they were said, and how many secrets were masked.

        Args:
            host: The program that it was held in.
            conversation: Its id there.
            wing: Needed if several wings have the conversation.
            offset: Drawers to leave out at the beginning.
            limit: Drawers to return; default: all.
        Raises:
            NotFound: If the palace, the wing or the conversation does not exist.
            InvalidInput: If a value is not possible.
        """
        from graphpalace.offers.conversations import SHOW_CONVERSATION

        return self._link.call(
            SHOW_CONVERSATION, host=host, conversation=conversation, wing=wing, offset=offset, limit=limit
        )
