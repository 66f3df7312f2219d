"""The `mcmp` lane of search: a small swarm among what the other lanes found (seed 000)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import torch

from graphpalace.domain.search.ranking import FusedDrawer, Ranking
from graphpalace.domain.vectors import Vector
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.simulate.documents import Documents
from graphpalace.simulate.relevance import MOST_BONUS, QueryRelevance
from graphpalace.simulate.step import next_step
from graphpalace.simulate.swarm import new_swarm
from graphpalace.vectors.drawer_matrix import DrawerVectors

NAME = "mcmp"
_SEED = 0  # the same question is always answered alike
_EXPLORATION, _DECAY = 0.1, 0.95  # the seed's defaults


class McmpLane:
    """Lets agents start at the question and walk over the candidates; what they visit gains relevance."""

    def __init__(self, indexes: DrawerIndexes, *, agents: int, steps: int) -> None:
        """Wire it.

        Args:
            agents, steps: What bounds its work.
        """
        self._indexes = indexes
        self._agents = agents
        self._steps = steps

    async def among(self, palace: str, entries: Sequence[FusedDrawer], goal: Vector, *, limit: int) -> Ranking:
        """Return the entries by the relevance that the swarm leaves them with.

        Args:
            entries: What the other lanes found.
        """
        candidates = await self._indexes.vectors(palace, [entry.id for entry in entries])
        if not candidates.ids:
            return Ranking(NAME, (), ())
        relevance = await asyncio.to_thread(self._simulated, candidates, goal)
        return Ranking.of(NAME, list(zip(candidates.ids, relevance, strict=True)), most=1 + MOST_BONUS).first(limit)

    def _simulated(self, candidates: DrawerVectors, goal: Vector) -> list[float]:
        documents, query = Documents.of(candidates.vectors), torch.from_numpy(goal)
        asked = QueryRelevance(documents.cosines(query), torch.zeros(len(documents)))
        swarm = new_swarm(documents, query, agents=self._agents, seed=_SEED, similarity=asked.similarity)
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
