# Written by `make client` from graphpalace/offers/ingest.py; change that file.
"""The part of a palace that deletes what sources had."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.client.asynchronous.link import AsyncLink


class AsyncPruning:
    """The part of a palace that deletes what sources had."""

    _link: AsyncLink

    async def prune(self, wing: str, sources: Sequence[str]) -> int:
        """Delete the drawers of sources of a wing, and tell how many there were.

        Args:
            sources: URIs, such as those that an ingest reports as `gone`.
        Raises:
            NotFound: If the palace does not exist.
            InvalidInput: If there are no sources, or too many.
        """
        from graphpalace.offers.ingest import PRUNE

        return (await self._link.call(PRUNE, wing=wing, sources=sources)).deleted
