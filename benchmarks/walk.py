"""A colony of 1,000 agents against the same rules written plainly for one agent at a time, on 200,000 nodes."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import numpy as np

from benchmarks.result import Result, commit, machine
from benchmarks.synthetic_palace_graph import PalaceGraph, palace_graph
from benchmarks.workbench import Workbench, say
from graphpalace.domain.walking.graph_snapshot import KINDS
from graphpalace.traverse.adjacency import WIDTH, ArcBlocks
from graphpalace.traverse.agents import EXPLOITATION_WEIGHT, EXPLORATION_WEIGHT
from graphpalace.traverse.colony import Colony, annealed, temperatures, walk

TARGET = 100.0
_COLONY = Colony(agents=1000, steps=50)
_ENTRIES = ("Drawer", 15), ("Room", 5)  # the best of each kind, as other lanes find them
_PLAIN_STEPS = 2  # between two walks of ours


async def measure(bench: Workbench) -> Result:
    """Walk plainly once, and after every few steps as a colony, so that both meet the same load of this machine."""
    del bench  # no database is needed
    say("making the palace")
    palace = palace_graph()
    goal = int(palace.drawers()[77])
    closeness = palace.closeness(goal)
    best = np.argsort(-closeness, kind="stable")
    kinds = [best[palace.snapshot.nodes.kind[best] == KINDS.index(kind)][:count] for kind, count in _ENTRIES]
    entries = np.concatenate(kinds)
    blocks = ArcBlocks.of(palace.snapshot)
    plain = _PlainColony.of(palace, closeness.tolist(), entries.tolist())
    say("walking")
    ours, theirs = list[float](), list[float]()
    found = walk(palace.snapshot, closeness, entries, colony=_COLONY, rng=np.random.default_rng(0))
    started = time.thread_time()
    for turn, _ in enumerate(plain.walk(pause=_PLAIN_STEPS)):
        between = time.thread_time()
        theirs.append((between - started) / _PLAIN_STEPS)
        found = walk(palace.snapshot, closeness, entries, colony=_COLONY, rng=np.random.default_rng(turn))
        assert found.visits.sum() == (_COLONY.steps + 1) * _COLONY.agents
        started = time.thread_time()
        ours.append((started - between) / _COLONY.steps)
    say("measuring memory")
    ratio = median(theirs) / median(ours)
    read = (found.node[:-1].size + int(blocks.more[found.node[:-1]].sum())) / _COLONY.steps
    memory_s = read * (_row_s(blocks) + WIDTH * _appeal_s(len(closeness)))
    figures = {
        "ratio_is": "steps/s of 1,000 agents divided by those of one agent after the other in plain Python; at least",
        "nodes": len(palace.snapshot.nodes),
        "edges": len(palace.snapshot.edges),
        "steps_per_s": 1 / median(ours),
        "plain_steps_per_s": 1 / median(theirs),
        "step_us": median(ours) * 1e6,
        "step_us_p10": float(np.percentile(ours, 10)) * 1e6,
        "bytes_read_per_step": read * WIDTH * 12,
        "memory_us_per_step": memory_s * 1e6,
        "memory_share": memory_s / median(ours),
        "times_are": "of the processor, for this thread: what else runs on this machine takes none of it",
        "memory_is": "the step's random reads of arcs (128 bytes) and of appeal (4 bytes), as measured by themselves",
        "drawers_visited": int((found.visits[palace.drawers()] > 0).sum()),
    }
    return Result("walk", ratio, TARGET, ratio >= TARGET, figures, commit(), machine(neo4j="none", java="none"))


@dataclass
class _PlainColony:
    """The rules of `traverse.colony` for lists and dictionaries, one agent after the other."""

    neighbours: list[list[tuple[int, int]]]
    closeness: list[float]
    exploitation: list[float]
    exploration: list[float]
    cost: list[float]
    entries: list[int]

    @classmethod
    def of(cls, palace: PalaceGraph, closeness: list[float], entries: list[int]) -> _PlainColony:
        nodes, edges, adjacency = palace.snapshot.nodes, palace.snapshot.edges, palace.snapshot.adjacency
        arcs = list(zip(adjacency.neighbour.tolist(), adjacency.edge.tolist(), strict=True))
        start = adjacency.start.tolist()
        neighbours = [arcs[first:last] for first, last in pairwise(start)]
        return cls(
            neighbours,
            closeness,
            nodes.exploitation.tolist(),
            nodes.exploration.tolist(),
            edges.current_cost.tolist(),
            entries,
        )

    def walk(self, *, pause: int) -> Iterator[None]:
        """Walk like the colony, and pause after some steps each."""
        chance = random.Random(1)
        warmth = temperatures(_COLONY.agents, mix=_COLONY.mix).tolist()
        places = [chance.choice(self.entries) for _ in warmth]
        came_from = [-1] * len(places)
        visits: dict[int, int] = {}
        for step in range(_COLONY.steps):
            heat = annealed(step, steps=_COLONY.steps, schedule=_COLONY.schedule, floor=_COLONY.floor)
            for agent, warm in enumerate(warmth):
                place = places[agent]
                places[agent] = self._next(place, came_from[agent], heat * warm, visits, chance.random())
                came_from[agent] = place
            for place in places:
                visits[place] = visits.get(place, 0) + 1
            if (step + 1) % pause == 0:
                yield

    def _next(self, place: int, came_from: int, temperature: float, visits: dict[int, int], chance: float) -> int:
        ways = [way for way in self.neighbours[place] if way[0] != came_from] or self.neighbours[place]
        preferences = []
        for node, edge in ways:
            pressure = min(1.0, self.exploration[node] + _COLONY.mark * visits.get(node, 0))
            preferences.append(
                max(0.0, self.closeness[node])
                + EXPLOITATION_WEIGHT * min(1.0, self.exploitation[node])
                - EXPLORATION_WEIGHT * pressure
                - self.cost[edge]
            )
        best = max(preferences)
        weights = [math.exp((preference - best) / temperature) for preference in preferences]
        left = chance * sum(weights)
        for way, weight in zip(ways, weights, strict=True):
            left -= weight
            if left <= 0:
                return way[0]
        return ways[-1][0]


def _row_s(blocks: ArcBlocks) -> float:
    """Return the seconds in which one block of arcs is read, many at random places at a time."""
    rng, count = np.random.default_rng(0), _COLONY.agents
    at = [rng.integers(0, len(blocks.table), count) for _ in range(100)]
    return _median_s(lambda turn: blocks.table.take(at[turn], axis=0)) / count


def _appeal_s(nodes: int) -> float:
    """Return the seconds in which the appeal of one node is read, many at random places at a time."""
    rng, count = np.random.default_rng(0), _COLONY.agents * WIDTH
    appeal = np.ones(nodes, np.float32)
    at = [rng.integers(0, nodes, count) for _ in range(100)]
    return _median_s(lambda turn: appeal.take(at[turn])) / count


def _median_s(read: Callable[[int], object]) -> float:
    times = []
    for turn in range(100):
        started = time.thread_time()
        read(turn)
        times.append(time.thread_time() - started)
    return median(times)
