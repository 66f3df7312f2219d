# Written by `make client` from ../asynchronous/pheromones.py; change that file.
"""Seeing pheromones, and letting them fade."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphpalace.domain.graph.decay import DecayResult, DecayStatus
    from graphpalace.domain.graph.deposit_request import DepositKind
    from graphpalace.domain.graph.deposits import DepositReceipt
    from graphpalace.domain.graph.palace_map import PheromoneHistory
    from graphpalace.domain.graph.warmth import ColdKind, ColdSpots, HotKind, HotSpots, PheromoneStatus


class Pheromones:
    """The part of a palace that shows where it is warm."""

    _link: Link

    def pheromones(self) -> PheromoneStatus:
        """Return the clock, the current total of each pheromone, and how fast it fades.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.domain.graph.warmth import PheromoneStatus

        return self._link.get(PheromoneStatus, "/v1/pheromones/status")

    def pheromone_history(self, *, limit: int | None = None) -> PheromoneHistory:
        """Return the total of each pheromone after each run of the decay.

        Args:
            limit: The number of latest samples; default: all that are kept.
        """
        from graphpalace.domain.graph.palace_map import PheromoneHistory

        return self._link.get(PheromoneHistory, "/v1/pheromones/history", limit=limit)

    def hot_paths(self, *, kind: HotKind | None = None, wing: str | None = None, limit: int = 10) -> HotSpots:
        """Return the edges with the strongest pheromones and the nodes with the most exploitation at this moment.

        Args:
            kind: `node` or `edge`; default: both.
            wing: Only nodes in this wing, and edges with an end in it.
            limit: How many of each at most, 1 to 200.
        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If a value is out of its range.
        """
        from graphpalace.domain.graph.warmth import HotSpots

        return self._link.get(HotSpots, "/v1/pheromones/hot", kind=kind, wing=wing, limit=limit)

    def cold_spots(self, *, kind: ColdKind = "room", wing: str | None = None, limit: int = 10) -> ColdSpots:
        """Return the places that are visited least: those with the least pheromone, of equal ones the oldest first.

        Args:
            kind: `room`, `closet` or `drawer`.
            wing: Only places in this wing.
            limit: How many at most, 1 to 200.
        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If a value is out of its range.
        """
        from graphpalace.domain.graph.warmth import ColdSpots

        return self._link.get(ColdSpots, "/v1/pheromones/cold", kind=kind, wing=wing, limit=limit)

    def deposit(
        self,
        nodes: Sequence[str],
        *,
        kind: DepositKind = "success",
        amount: float | None = None,
        id: str | None = None,
    ) -> DepositReceipt:
        """Lay pheromones on a path that helped, or on places that were searched; all of it or nothing.

        Args:
            nodes: Ids of nodes, wings, or WING/ROOM, at most 1000. For `success`, a path: each node is joined to the
                next one by an edge.
            kind: `success` rewards the path, its first edges most; `exploration` sends walkers elsewhere for a while.
            amount: For `success`, the reward of the first edge, above 0, at most 100; default: the configured one.
            id: A second deposit of this kind with the same id has no effect.
        Raises:
            NotFound: If the palace or a node does not exist.
            InvalidInput: If two nodes of a path are not joined, or a value is out of its range.
        """
        from graphpalace.domain.graph.deposits import DepositReceipt

        return self._link.post(DepositReceipt, "/v1/pheromones/deposit", nodes=nodes, kind=kind, amount=amount, id=id)

    def decay(self) -> DecayResult:
        """Let the pheromones fade now, to the current cycle of the palace's clock.

        Raises:
            Conflict: If another service is doing it.
            NotFound: If the palace does not exist.
        """
        from graphpalace.domain.graph.decay import DecayResult

        return self._link.post(DecayResult, "/v1/decay")

    def decay_status(self) -> DecayStatus:
        """Return the clock, the last and the next run of the decay, and how many nodes and edges have pheromones.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.domain.graph.decay import DecayStatus

        return self._link.get(DecayStatus, "/v1/decay")
