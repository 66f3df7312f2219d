# Written by `make client` from graphpalace/offers/walking.py; change that file.
"""The part of a palace that finds ways through it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from graphpalace.client.asynchronous.link import AsyncLink

if TYPE_CHECKING:
    from graphpalace.domain.palaces.palace_shape import PalaceMap
    from graphpalace.domain.walking.surroundings import Surroundings
    from graphpalace.domain.walking.walks import Exploration, Route


class AsyncWalking:
    """The part of a palace that finds ways through it."""

    _link: AsyncLink

    async def navigate(
        self,
        start: str,
        goal: str,
        *,
        context: Literal[
            "default", "hypothesis_testing", "exploratory_research", "evidence_gathering", "memory_recall"
        ] = "default",
    ) -> Route:
        """Find the cheapest path from one place to another, and the cost of each step.

        The palace does not change.

        Args:
            start: Where to start: a wing, WING/ROOM, or the id of any node.
            goal: Where to go, likewise.
            context: How meaning, pheromones and structure are weighed: default, hypothesis_testing,
                exploratory_research, evidence_gathering or memory_recall.
        Raises:
            NotFound: If a place does not exist, or no path joins them.
            InvalidInput: If the context is unknown, or a name fits several rooms.
        """
        from graphpalace.offers.walking import NAVIGATE

        return await self._link.call(NAVIGATE, start=start, goal=goal, context=context)

    async def explore(
        self,
        *,
        agents: int | None = None,
        steps: int | None = None,
        mix: Mapping[Literal["explorer", "exploiter", "balanced", "specialist", "generalist"], float] | None = None,
        temperatures: Mapping[Literal["explorer", "exploiter", "balanced", "specialist", "generalist"], float]
        | None = None,
        schedule: Literal["constant", "linear", "exponential", "cosine"] | None = None,
        floor: float | None = None,
        query: str | None = None,
        wing: str | None = None,
        seed: int | None = None,
        mark: bool = True,
        until_converged: bool = False,
    ) -> Exploration:
        """Explore the palace with a colony, mark what it visited, and report what it found and which rooms it missed.

        Args:
            agents: How many walk; default: the setting, else as many as fit the palace, 1 to 10000.
            steps: Of each agent; default: as for agents, 1 to 1000.
            mix: Share of each archetype that walks, on any scale; default: the setting.
            temperatures: Of archetypes, low takes the best edge, high any; one that is not named keeps the setting.
            schedule: How the agents cool while walking: constant, linear, exponential or cosine; default: the setting.
            floor: Share of its temperature at an agent's last step; default: the setting, 0.001 to 1.
            query: Start at the best drawers for it; without it, at the wings.
            wing: Begin in this wing only.
            seed: Gives the same walk again; default: a new one.
            mark: Mark what was searched, so that the next walk looks elsewhere for a while.
            until_converged: Stop when little new is found.
        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If a value is out of its range.
            Conflict: If the palace has nothing to walk on yet.
        """
        from graphpalace.offers.walking import EXPLORE

        return await self._link.call(
            EXPLORE,
            agents=agents,
            steps=steps,
            mix=mix,
            temperatures=temperatures,
            schedule=schedule,
            floor=floor,
            query=query,
            wing=wing,
            seed=seed,
            mark=mark,
            until_converged=until_converged,
        )

    async def surroundings(self, of: str, *, limit: int = 50, shown: Sequence[str] = ()) -> Surroundings:
        """Show a node of the graph, its nearest neighbours, and the edges between them.

        The palace does not change.

        The types of edges take turns, so that a room with hundreds of closets shows its tunnels too. Within a type, the
        edge with the lowest current cost comes first.

        Args:
            of: The node: a wing, WING/ROOM, or the id of any node.
            limit: Largest number of neighbours; the cheapest come first, 1 to 500.
            shown: Ids of nodes that are known already; edges between them and the neighbours are in the answer, and
                they do not count towards the limit.
        Raises:
            NotFound: If the node does not exist.
            InvalidInput: If a value is out of its range, or a name fits several rooms.
        """
        from graphpalace.offers.walking import SURROUNDINGS

        return await self._link.call(SURROUNDINGS, of=of, limit=limit, shown=shown)

    async def map(self) -> PalaceMap:
        """Show wings and rooms with their sizes and current pheromones, and the halls and tunnels between rooms.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.offers.walking import MAP

        return await self._link.call(MAP)
