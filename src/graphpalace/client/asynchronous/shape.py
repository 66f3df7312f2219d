# Written by `make client` from graphpalace/offers/palaces.py; change that file.
"""The part of a palace that shows its shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.client.asynchronous.link import AsyncLink

if TYPE_CHECKING:
    from graphpalace.domain.palaces.palace_shape import PalaceStats, Taxonomy, Tunnel


class AsyncShape:
    """The part of a palace that shows its shape."""

    _link: AsyncLink

    async def taxonomy(self) -> Taxonomy:
        """List all wings with their rooms and counts.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.offers.palaces import TAXONOMY

        return await self._link.call(TAXONOMY)

    async def tunnels(self, *, wing: str | None = None, other: str | None = None) -> list[Tunnel]:
        """List the rooms of different wings that have the same name or are near in meaning, the most similar first.

        A palace finds its tunnels a few seconds after the last write; `stats` tells whether it has.

        Args:
            wing: Only tunnels with an end in this wing, which is then the first end of each.
            other: Only tunnels whose other end is in this wing.
        Raises:
            NotFound: If the palace or a wing does not exist.
        """
        from graphpalace.offers.palaces import LIST_TUNNELS

        return await self._link.call(LIST_TUNNELS, wing=wing, other=other)

    async def stats(self) -> PalaceStats:
        """Count the nodes by label and the relationships by type, and show which model the vectors are of.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.offers.palaces import STATS

        return await self._link.call(STATS)
