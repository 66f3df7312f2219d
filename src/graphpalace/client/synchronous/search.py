# Written by `make client` from ../asynchronous/search.py; change that file.
"""Searching, and opening what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.client.synchronous.searches import Searches

if TYPE_CHECKING:
    from graphpalace.domain.drawers.drawer import DrawerWithPath


class Searching(Searches):
    """The part of a palace that searches."""

    def open_drawer(self, drawer: str, *, run: str) -> DrawerWithPath:
        """Return a drawer that a search showed. Opening it counts as weak feedback, once for each search.

        Args:
            drawer: The id of the hit.
            run: The `run` of the answer.
        Raises:
            NotFound: If there is no such drawer, or the search is not known any more.
        """
        from graphpalace.offers.drawers import READ_DRAWER

        return self._link.call(READ_DRAWER, drawer=drawer, run=run)
