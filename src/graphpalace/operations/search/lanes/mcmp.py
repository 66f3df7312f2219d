"""The `mcmp` lane: a small swarm simulation among what the other lanes found. Source: seed 000."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np

from graphpalace.domain.search.ranking import Ranking
from graphpalace.domain.vectors import Vector
from graphpalace.operations.search.lanes.lane import Lane, LaneQuery
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.simulate.documents import Documents
from graphpalace.simulate.relevance import MOST_BONUS, QueryRelevance
from graphpalace.simulate.step import next_step
from graphpalace.simulate.swarm import new_swarm
from graphpalace.vectors.drawer_rows import DrawerVectors

NAME = "mcmp"
_SEED = 0  # fixed, so that the same question always gets the same answer
_EXPLORATION, _DECAY = 0.1, 0.95  # the seed's defaults


class McmpLane:
    """Lets agents start at the question and walk among the candidates. Visited candidates gain relevance."""

    def __init__(self, indexes: DrawerIndexes, *, agents: int, steps: int) -> None:
        """Create the lane.

        Args:
            agents, steps: Size of each simulation.
        """
        self._indexes = indexes
        self._agents = agents
        self._steps = steps

    async def among(self, palace: str, drawers: Sequence[str], goal: Vector, *, limit: int) -> Ranking:
        """Rank drawers by their relevance at the end of a simulation.

        Args:
            drawers: Ids of what other lanes found.
            goal: Embedding of the question, of length one.
        """
        candidates = await self._indexes.vectors(palace, drawers, asked=goal)
        if not candidates.ids:
            return Ranking(NAME, (), ())
        relevance = await asyncio.to_thread(self._simulated, candidates, goal)
        return Ranking.of(NAME, list(zip(candidates.ids, relevance, strict=True)), most=1 + MOST_BONUS).first(limit)

    def _simulated(self, candidates: DrawerVectors, goal: Vector) -> list[float]:
        documents = Documents.of(candidates.vectors)
        asked = QueryRelevance(documents.cosines(goal), np.zeros(len(documents), np.float32))
        swarm = new_swarm(documents, goal, agents=self._agents, seed=_SEED, similarity=asked.similarity)
        for step in range(1, self._steps + 1):
            swarm = next_step(
                swarm,
                documents,
                asked,
                now=float(step),
                exploration_bonus=_EXPLORATION,
                pheromone_decay=_DECAY,
                kw_lambda=0.0,
            )
        return swarm.relevance.tolist()


class SwarmLane:
    """The mcmp lane as a lane of its own: its swarm scores the drawers that a walk over the graph reaches."""

    name = NAME
    needs_vector = True

    def __init__(self, mcmp: McmpLane, walk: Lane) -> None:
        self._mcmp = mcmp
        self._walk = walk

    async def rank(self, palace: str, asked: LaneQuery) -> Ranking:
        """Return the drawers that the walk reaches, by their relevance to the swarm."""
        reached = await self._walk.rank(palace, asked)
        return await self._mcmp.among(palace, reached.ids, await asked.vector(), limit=asked.depth)
