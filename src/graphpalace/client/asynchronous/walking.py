"""Walking through the palace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from graphpalace.client.asynchronous.link import AsyncLink

if TYPE_CHECKING:
    from graphpalace.domain.graph.colony_rules import Archetype, Schedule
    from graphpalace.domain.graph.exploration import Exploration
    from graphpalace.domain.graph.palace_map import PalaceMap
    from graphpalace.domain.graph.route import Route


class AsyncWalking:
    """The part of a palace that finds ways through it."""

    _link: AsyncLink

    async def navigate(self, start: str, goal: str, *, context: str = "default") -> Route:
        """Return the cheapest path from one place to another, and the cost of each step. Nothing changes.

        Args:
            start, goal: A wing, `WING/ROOM`, or the id of any node.
            context: How meaning, pheromones and structure are weighed: default, hypothesis_testing,
                exploratory_research, evidence_gathering or memory_recall.
        Raises:
            NotFound: If a place does not exist, or no path joins them.
        """
        from graphpalace.domain.graph.route import Route

        return await self._link.post(Route, "/v1/navigate", **{"from": start, "to": goal}, context=context)

    async def explore(
        self,
        *,
        query: str | None = None,
        wing: str | None = None,
        agents: int | None = None,
        steps: int | None = None,
        mix: Mapping[Archetype, float] | None = None,
        temperatures: Mapping[Archetype, float] | None = None,
        schedule: Schedule | None = None,
        floor: float | None = None,
        seed: int | None = None,
        mark: bool = True,
        until_converged: bool = False,
    ) -> Exploration:
        """Let a colony of agents walk through the palace, and return what it found and which rooms it missed.

        Args:
            query: Start at the best drawers for it; without it, at the wings.
            wing: Begin in this wing only.
            agents, steps: How many walk, and how many steps each; default: as the settings say.
            mix: The share of each archetype that walks, on any scale.
            temperatures: Of archetypes: low takes the best edge, high any.
            schedule: How the agents cool while walking.
            floor: The share of its temperature at an agent's last step, up to 1.
            seed: Gives the same walk again; default: a new one.
            mark: Whether what was visited is marked, so that the next walk looks elsewhere for a while.
            until_converged: Whether to stop when little new is found.
        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If a value is out of its range.
        """
        from graphpalace.domain.graph.exploration import Exploration

        return await self._link.post(
            Exploration,
            "/v1/explore",
            query=query,
            wing=wing,
            agents=agents,
            steps=steps,
            mix=mix,
            temperatures=temperatures,
            schedule=schedule,
            floor=floor,
            seed=seed,
            mark=mark,
            until_converged=until_converged,
        )

    async def map(self) -> PalaceMap:
        """Return the wings and rooms with their sizes and current pheromones, and the halls and tunnels between rooms.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.domain.graph.palace_map import PalaceMap

        return await self._link.get(PalaceMap, "/v1/map")
