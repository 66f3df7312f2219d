"""What to know when a conversation begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.client.asynchronous.link import AsyncLink

if TYPE_CHECKING:
    from graphpalace.domain.wake_up import WakeUp


class AsyncWakingUp:
    """The part of a palace that says what to know now."""

    _link: AsyncLink

    async def wake_up(self, wing: str | None = None, budget_bytes: int = 2048, *, agent: str | None = None) -> WakeUp:
        """Return what to know now: facts, what helped, what is important, open questions, what is new, and the diary.

        Args:
            wing: Default: the whole palace.
            budget_bytes: The most bytes of the text in UTF-8, 256 to 65536.
            agent: Whose diary is shown; default: what a search finds of all diaries.
        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If the budget is out of range, or a name is not possible.
        """
        from graphpalace.domain.wake_up import WakeUp

        return await self._link.get(WakeUp, "/v1/wake-up", wing=wing, budget_bytes=budget_bytes, agent=agent)
