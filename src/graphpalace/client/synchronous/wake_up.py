# Written by `make client` from ../asynchronous/wake_up.py; change that file.
"""The part of a palace that says what to know now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from graphpalace.domain.wake_up import WakeUp


class WakingUp:
    """The part of a palace that says what to know now."""

    _link: Link

    def wake_up(self, wing: str | None = None, budget_bytes: int = 2048, *, agent: str | None = None) -> WakeUp:
        """Return what to know now: facts, what helped, what is important, open questions, what is new, and the diary.

        Args:
            wing: Only about this wing; default: the whole palace.
            budget_bytes: Greatest length of the text in bytes of UTF-8, 256 to 65536.
            agent: Agent whose diary is included; default: the entries of all agents that a search finds, and in a wing
                none.
        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If the budget is out of range, or a name is not possible.
        """
        from graphpalace.offers.wake_up import WAKE_UP

        return self._link.call(WAKE_UP, wing=wing, budget_bytes=budget_bytes, agent=agent)
