"""The `path` and `mcmp` lanes: walks over the graph and a small swarm, which start from what the other lanes found."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphpalace.domain.search.answer import FusedDrawer, Ranking
from graphpalace.domain.vectors import Vector
from graphpalace.domain.walking.graph_snapshot import DRAWER, GraphSnapshot, Trail, edge_refs, node_refs
from graphpalace.fuse.lane_fusion import reciprocal_rank
from graphpalace.operations.search.lanes.lane import Lane, LaneQuery
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.node_vectors import NodeVectors
from graphpalace.replica.snapshots import Snapshots
from graphpalace.simulate.documents import Documents
from graphpalace.simulate.step import MOST_BONUS, QueryRelevance, next_step
from graphpalace.simulate.swarm import new_swarm
from graphpalace.traverse.adjacency import surroundings
from graphpalace.traverse.agents import arc_preference
from graphpalace.traverse.cheapest_path import cheapest_tree
from graphpalace.traverse.path import PathWeights, step_costs
from graphpalace.traverse.spreading import spread
from graphpalace.vectors.drawer_rows import DrawerVectors, Filter

_ENTRIES = 20  # how many of the other lanes' best drawers are entry points


@dataclass(frozen=True, slots=True)
class PathLaneResult:
    """The lane's ranking, and the cheapest path from an entry point to each drawer that is not one itself."""

    ranking: Ranking
    trails: dict[str, Trail]


class PathLane:
    """Ranks drawers by spreading activation from entry points, the limit of a walk by infinitely many agents."""

    def __init__(self, indexes: DrawerIndexes, snapshots: Snapshots, vectors: NodeVectors) -> None:
        self._indexes = indexes
        self._snapshots = snapshots
        self._vectors = vectors

    async def walk(
        self, palace: str, entries: list[FusedDrawer], goal: Vector, *, limit: int, only: Filter
    ) -> PathLaneResult:
        """Rank the drawers around the entry points by how much activation reaches them.

        Meaning, trails, exploration marks and edge costs decide how it spreads (`traverse.walkers.chances`). Nothing
        changes in the palace.

        Args:
            entries: What the other lanes found, best first.
            goal: Embedding of the question.
            only: Filter of the ranked drawers. Activation also passes through drawers that the filter excludes.
        """
        snapshot = await self._snapshots.get(palace)
        begin = {at: entry.score for entry in entries[:_ENTRIES] if (at := snapshot.index_of.get(entry.id)) is not None}
        if not begin:
            return PathLaneResult(Ranking("path", (), ()), {})
        part, chosen = await asyncio.to_thread(surroundings, snapshot, np.array(list(begin)))
        closeness = await self._vectors.closeness_of(palace, snapshot, goal, chosen)
        async with self._indexes.reading(palace) as matrix:
            passes = matrix.passing(part.nodes.ids, only)
        doors = np.searchsorted(chosen, list(begin))
        return await asyncio.to_thread(_ranked, part, closeness, passes, doors, np.array(list(begin.values())), limit)


class WalkLane:
    """The path lane as a lane of its own: it asks other lanes for its entry points."""

    name = "path"
    needs_vector = True

    def __init__(self, path_lane: PathLane, lanes: Sequence[Lane], *, rrf_k: int, entry_depth: int) -> None:
        self._path_lane = path_lane
        self._lanes = lanes
        self._rrf_k = rrf_k
        self._entry_depth = entry_depth

    async def rank(self, palace: str, asked: LaneQuery) -> Ranking:
        """Return the drawers around what the other lanes find."""
        near = replace(asked, depth=self._entry_depth)
        rankings = await asyncio.gather(*(lane.rank(palace, near) for lane in self._lanes))
        entries = reciprocal_rank(rankings, k=self._rrf_k)
        return (
            await self._path_lane.walk(palace, entries, await asked.vector(), limit=asked.depth, only=asked.only)
        ).ranking


def _ranked(
    part: GraphSnapshot,
    closeness: np.ndarray,
    passes: np.ndarray,
    doors: np.ndarray,
    weights: np.ndarray,
    limit: int,
) -> PathLaneResult:
    seeds = np.zeros(len(part.nodes))
    seeds[doors] = weights
    share = spread(part, seeds, preference=arc_preference(part, closeness), tolerance=1e-4)
    drawers = np.flatnonzero((part.nodes.kind == DRAWER) & passes & (share > 0))
    best = drawers[np.lexsort((drawers, -share[drawers]))][:limit]
    # Shares get smaller as the surroundings grow, so they are comparable only with each other.
    most = float(share[best].max(initial=0.0)) or 1.0
    ranking = Ranking("path", tuple(part.nodes.ids[at] for at in best), tuple(share[best].tolist()), most)
    tree = cheapest_tree(part, step_costs(part, closeness, PathWeights()), doors, targets=best)
    trails = {}
    for node in best.tolist():
        path = tree.path_to(node)
        if path is not None and len(path.edges):
            trails[part.nodes.ids[node]] = Trail(edge_refs(part, path.edges), node_refs(part, path.nodes))
    return PathLaneResult(ranking, trails)


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
