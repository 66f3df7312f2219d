# Written by `make client` from ../asynchronous/drawers.py; change that file.
"""Reading and listing drawers, beside what `single_drawers` does with one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphpalace.client.synchronous.single_drawers import SingleDrawers

if TYPE_CHECKING:
    from graphpalace.domain.drawers.drawer import Drawer, DrawerWithPath


class Drawers(SingleDrawers):
    """The part of a palace that knows texts."""

    def get(self, drawer: str) -> DrawerWithPath:
        """Return a drawer.

        Raises:
            NotFound: If it is not in the palace.
        """
        from graphpalace.offers.drawers import READ_DRAWER

        return self._link.call(READ_DRAWER, drawer=drawer)

    def list(self, *, wing: str | None = None, room: str | None = None, page: int = 200) -> Iterator[Drawer]:
        """Yield all drawers of the palace, a wing or a room, in the order of their ids.

        Args:
            page: How many are fetched at a time, 1 to 200.
        Raises:
            NotFound: If the palace, the wing or the room does not exist.
        """
        from graphpalace.offers.drawers import LIST_DRAWERS

        after: str | None = ""
        while after is not None:
            found = self._link.call(LIST_DRAWERS, wing=wing, room=room, after=after, limit=page)
            for drawer in found.drawers:
                yield drawer
            after = found.next
