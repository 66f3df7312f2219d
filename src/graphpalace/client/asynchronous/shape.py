"""The shape of a palace: what is in which place, which places are near each other, and how much there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.client.asynchronous.link import AsyncLink

if TYPE_CHECKING:
    from graphpalace.domain.palace_shape import PalaceStats, Taxonomy, Tunnel


class AsyncShape:
    """The part of a palace that shows its shape."""

    _link: AsyncLink

    async def taxonomy(self) -> Taxonomy:
        """Return all wings with their rooms and counts.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.domain.palace_shape import Taxonomy

        return await self._link.get(Taxonomy, "/v1/taxonomy")

    async def tunnels(self, *, wing: str | None = None, other: str | None = None) -> list[Tunnel]:
        """Return the pairs of rooms of different wings that have the same name or are near in meaning.

        A palace finds its tunnels a few seconds after the last write; `stats` tells whether it has.

        Args:
            wing: Only tunnels with an end in this wing, which is then the first end of each.
            other: Only tunnels whose other end is in this wing.
        Returns:
            The most similar rooms first.
        Raises:
            NotFound: If the palace or a wing does not exist.
        """
        from graphpalace.domain.palace_shape import Tunnel

        return await self._link.get(list[Tunnel], "/v1/tunnels", wing=wing, other=other)

    async def stats(self) -> PalaceStats:
        """Return how many nodes and relationships of each kind the palace has, and which model its vectors are of.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.domain.palace_shape import PalaceStats

        return await self._link.get(PalaceStats, "/v1/stats")
