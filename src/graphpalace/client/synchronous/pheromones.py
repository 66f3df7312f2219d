# Written by `make client` from ../asynchronous/pheromones.py; change that file.
"""The part of a palace that shows where it is warm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from graphpalace.domain.palaces.palace_shape import PheromoneHistory
    from graphpalace.domain.pheromones.deposits import DepositReceipt
    from graphpalace.domain.pheromones.pheromones import DecayResult, DecayStatus
    from graphpalace.domain.pheromones.warmth import ColdSpots, HotSpots, PheromoneStatus


class Pheromones:
    """The part of a palace that shows where it is warm."""

    _link: Link

    def pheromones(self) -> PheromoneStatus:
        """Show the clock, the current total of each pheromone, and how fast it fades.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.offers.pheromones import PHEROMONE_STATUS

        return self._link.call(PHEROMONE_STATUS)

    def pheromone_history(self, *, limit: int = 1000) -> PheromoneHistory:
        """List the total of each pheromone after each run of the decay.

        Args:
            limit: Number of latest samples, 1 to 1000.
        Raises:
            NotFound: If the palace does not exist.
            InvalidInput: If the limit is out of its range.
        """
        from graphpalace.offers.pheromones import PHEROMONE_HISTORY

        return self._link.call(PHEROMONE_HISTORY, limit=limit)

    def hot_paths(
        self, *, kind: Literal["node", "edge"] | None = None, wing: str | None = None, limit: int = 10
    ) -> HotSpots:
        """List the edges with the strongest pheromones and the nodes with the most exploitation at this moment.

        Args:
            kind: List only these: node or edge; default: both.
            wing: Only nodes in this wing, and edges with an end in it.
            limit: Largest number of each, 1 to 200.
        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If a value is out of its range.
        """
        from graphpalace.offers.pheromones import HOT_PATHS

        return self._link.call(HOT_PATHS, kind=kind, wing=wing, limit=limit)

    def cold_spots(
        self, *, kind: Literal["room", "closet", "drawer"] = "room", wing: str | None = None, limit: int = 10
    ) -> ColdSpots:
        """List the places that are visited least: those with the least pheromone, of equal ones the oldest first.

        Args:
            kind: What kind of places: room, closet or drawer.
            wing: Only places in this wing.
            limit: Largest number of places, 1 to 200.
        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If a value is out of its range.
        """
        from graphpalace.offers.pheromones import COLD_SPOTS

        return self._link.call(COLD_SPOTS, kind=kind, wing=wing, limit=limit)

    def deposit(
        self,
        nodes: Sequence[str],
        *,
        kind: Literal["success", "exploration"] = "success",
        amount: float | None = None,
        id: str | None = None,
    ) -> DepositReceipt:
        """Reward a path that helped, or mark places as searched; all of it or nothing.

        Args:
            nodes: Ids of nodes, wings, or WING/ROOM; for success the path, each joined to the next by an edge.
            kind: Success: the path helped; exploration: places were searched: success or exploration.
            amount: Success of the first edge, later ones get less; default: the configured reward, above 0 and at most
                100.
            id: A second deposit with the same id has no effect.
        Raises:
            NotFound: If the palace or a node does not exist.
            InvalidInput: If two nodes of a path are not joined, or a value is out of its range.
        """
        from graphpalace.offers.pheromones import DEPOSIT

        return self._link.call(DEPOSIT, nodes=nodes, kind=kind, amount=amount, id=id)

    def decay(self) -> DecayResult:
        """Apply the decay now: the pheromones fade to the current cycle of the palace's clock.

        Raises:
            DecayRunning: If another service is applying it; the error says which.
            NotFound: If the palace does not exist.
        """
        from graphpalace.offers.pheromones import DECAY

        return self._link.call(DECAY)

    def decay_status(self) -> DecayStatus:
        """Show the clock, the last and the next run of the decay, and how many nodes and edges have pheromones.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.offers.pheromones import DECAY_STATUS

        return self._link.call(DECAY_STATUS)
