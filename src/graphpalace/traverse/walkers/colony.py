"""A colony of agents that walks the palace from the entry points of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float, Int, Int64

from graphpalace.domain.graph.colony_rules import EQUAL_SHARES, FLOOR, SCHEDULE, TEMPERATURES, Schedule
from graphpalace.domain.graph.graph_snapshot import GraphSnapshot
from graphpalace.errors import InvalidInput
from graphpalace.traverse.arc_blocks import ArcBlocks
from graphpalace.traverse.walkers.agents import Agents
from graphpalace.traverse.walkers.annealing import annealed
from graphpalace.traverse.walkers.archetypes import temperatures
from graphpalace.traverse.walkers.convergence import WINDOW, convergence
from graphpalace.traverse.walkers.preference import EXPLORATION_MARK, Appeal
from graphpalace.traverse.walkers.walk import Walk

_LOOK_EVERY = 5  # steps between looks whether the walk has converged


@dataclass(frozen=True, slots=True)
class Colony:
    """Who walks, how far and by which rules.

    Attributes:
        agents: How many, >= 1.
        steps: Of each agent, >= 0.
        mix: Share of each archetype; one that is not named does not walk.
        temperatures: Of archetypes; one that is not named has the seed's.
        schedule, floor: How temperatures fall, and to which share of what they were.
        mark: Exploration that a visit leaves for the others to see, >= 0.
        restart: Probability that an agent returns to an entry point, 0 to 1.
        turn_back: Let agents walk straight back over the edge they came by. Without it they do so in dead ends only.
        until_converged: Stop as soon as two of three signs say that little new is found (looked for every 5 steps).

    Raises:
        InvalidInput: If one is outside its range.
    """

    agents: int = 1000
    steps: int = 50
    mix: Mapping[str, float] = field(default_factory=lambda: EQUAL_SHARES)
    temperatures: Mapping[str, float] = field(default_factory=lambda: TEMPERATURES)
    schedule: Schedule = SCHEDULE
    floor: float = FLOOR
    mark: float = EXPLORATION_MARK
    restart: float = 0.0
    turn_back: bool = False
    until_converged: bool = False

    def __post_init__(self) -> None:
        for name, low, high in (("agents", 1, np.inf), ("steps", 0, np.inf), ("mark", 0, np.inf), ("restart", 0, 1)):
            if not low <= (value := getattr(self, name)) <= high:
                raise InvalidInput(f"{name} is {value}; it must be {low} to {high}", field=name, value=value)
        annealed(0, steps=1, schedule=self.schedule, floor=self.floor)
        temperatures(self.agents, mix=self.mix, given=self.temperatures)


def walk(
    snapshot: GraphSnapshot,
    closeness: Float[np.ndarray, " nodes"],
    entries: Sequence[int] | Int[np.ndarray, " entries"],
    *,
    rng: np.random.Generator,
    colony: Colony | None = None,
    weights: Float[np.ndarray, " entries"] | None = None,
) -> Walk:
    """Let a colony walk and return where it came.

    Each step every agent walks one arc, by chance: the more it prefers an arc (`preference`), the likelier, and the
    cooler the agent, the more so. The same generator state gives the same walk.

    Args:
        closeness: Cosine of each node to the goal, taken as -1 to 1; 0 where a node has no vector.
        entries: Indices of the nodes where agents begin, and return to; at least one.
        weights: How likely each entry point is, >= 0, on any scale; None: equally.

    Raises:
        InvalidInput: If there is no entry point or no such node, or lengths differ, or no weight is above 0.
    """
    colony = colony or Colony()
    doors = _Doors(snapshot, np.asarray(entries, np.int64), weights)
    blocks = ArcBlocks.of(snapshot)
    appeal = Appeal(snapshot.nodes, closeness, mark=colony.mark)
    warmth = temperatures(colony.agents, mix=colony.mix, given=colony.temperatures)
    agents = Agents.placed(doors.drawn(rng, colony.agents), warmth, turn_back=colony.turn_back)
    appeal.visit(agents.node)
    node = np.empty((colony.steps + 1, colony.agents), np.int32)
    slot = np.empty_like(node)
    node[0], slot[0] = agents.node, agents.slot
    for step in range(1, colony.steps + 1):
        heat = annealed(step - 1, steps=colony.steps, schedule=colony.schedule, floor=colony.floor)
        agents = agents.moved(blocks, appeal.now, heat=heat, rng=rng)
        if colony.restart > 0:
            who = np.flatnonzero(rng.random(colony.agents) < colony.restart)
            agents = agents.put(who, doors.drawn(rng, len(who)))
        appeal.visit(agents.node)
        node[step], slot[step] = agents.node, agents.slot
        if colony.until_converged and step >= WINDOW and step % _LOOK_EVERY == 0:
            so_far = Walk(snapshot, closeness, node[: step + 1], slot[: step + 1])
            if convergence(so_far).converged[-1]:
                return so_far
    return Walk(snapshot, closeness, node, slot)


class _Doors:
    """Where agents begin."""

    def __init__(
        self, snapshot: GraphSnapshot, entries: Int64[np.ndarray, " entries"], weights: np.ndarray | None
    ) -> None:
        share = np.ones(len(entries)) if weights is None else weights.astype(np.float64)
        if not len(entries) or entries.min() < 0 or entries.max() >= len(snapshot.nodes):
            raise InvalidInput("entries must have at least one node of the snapshot", field="entries")
        if share.shape != entries.shape or not np.isfinite(share).all() or share.min() < 0 or share.sum() <= 0:
            raise InvalidInput("weights must have one value for each entry, >= 0 and not all 0", field="weights")
        used = share > 0
        self._entries, self._upto = entries[used], np.cumsum(share[used] / share.sum())

    def drawn(self, rng: np.random.Generator, count: int) -> Int64[np.ndarray, " count"]:
        """Return some entry points, by chance."""
        at = np.searchsorted(self._upto, rng.random(count), side="right")
        return self._entries[np.minimum(at, len(self._entries) - 1)]
