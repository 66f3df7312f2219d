"""A colony of agents that walk through a palace at random, its size, and how far its agents stray (seed 003)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

import numpy as np
from jaxtyping import Float, Float64, Int, Int64

from graphpalace.domain.walking.graph_snapshot import GraphSnapshot
from graphpalace.domain.walking.walks import (
    COLDEST,
    EQUAL_SHARES,
    FLOOR,
    HOTTEST,
    LARGEST_SHARE,
    LEAST_FLOOR,
    SCHEDULE,
    TEMPERATURES,
    Schedule,
)
from graphpalace.errors import InvalidInput
from graphpalace.traverse.adjacency import ArcBlocks
from graphpalace.traverse.agents import EXPLORATION_MARK, NodeAppeal, WalkingAgents
from graphpalace.traverse.walk import WINDOW, Walk, convergence


def temperatures(
    agents: int, *, mix: Mapping[str, float] = EQUAL_SHARES, given: Mapping[str, float] = TEMPERATURES
) -> Float64[np.ndarray, " agents"]:
    """Return the temperature of each agent. Agents of the same archetype are adjacent.

    The agents are divided among the archetypes by the largest remainder method (Hamilton), without randomness.

    Args:
        agents: Number of agents, >= 1.
        mix: Share of each archetype, 0 to 1,000, on any scale.
        given: Temperatures of archetypes, 0.001 to 100, which replace those of the seed.

    Raises:
        InvalidInput: If an archetype is unknown, a share or a temperature is out of range, all shares are 0, or
            `agents` is below 1.

    Example:
        >>> temperatures(4, mix={"explorer": 2, "exploiter": 1}).tolist()
        [1.0, 1.0, 1.0, 0.1]
    """
    if agents < 1:
        raise InvalidInput(f"agents is {agents}; it must be at least 1", field="agents", value=agents)
    _check("mix", mix, 0.0, LARGEST_SHARE)
    _check("temperatures", given, COLDEST, HOTTEST)
    shares = np.array(list(mix.values()), np.float64)
    if not shares.sum() > 0:
        raise InvalidInput(
            f"mix is {dict(mix)}; at least one archetype must have a share above 0", field="mix", value=dict(mix)
        )
    exact = agents * shares / shares.sum()
    count = np.floor(exact).astype(np.int64)
    most_missing = np.argsort(-(exact - count), kind="stable")
    count[most_missing[: agents - int(count.sum())]] += 1
    warmth = {**TEMPERATURES, **given}
    return np.repeat([warmth[name] for name in mix], count)


def _check(field: str, values: Mapping[str, float], low: float, high: float) -> None:
    for name, value in values.items():
        if name not in TEMPERATURES:
            known = ", ".join(TEMPERATURES)
            raise InvalidInput(f"{field} has {name!r}, which is not an archetype; use {known}", field=field)
        if not low <= value <= high:
            raise InvalidInput(
                f"{field} of {name} is {value:g}; it must be {low:g} to {high:g}", field=f"{field}.{name}", value=value
            )


def annealed(step: int, *, steps: int, schedule: Schedule, floor: float) -> float:
    """Return the factor on all temperatures at a step: 1 at the first step, `floor` at the last.

    Args:
        step: Number of the step, from 0 to `steps` - 1.
        steps: Number of steps of the walk.
        schedule: `linear` falls by the same difference at each step, `exponential` by the same ratio, and `cosine`
            slowly at both ends. `constant` stays at 1.
        floor: 0.001 to 1.

    Raises:
        InvalidInput: If the schedule is not known or the floor is outside its range.

    Example:
        >>> [annealed(step, steps=3, schedule="linear", floor=0.5) for step in range(3)]
        [1.0, 0.75, 0.5]
    """
    if not LEAST_FLOOR <= floor <= 1:
        raise InvalidInput(f"floor is {floor}; it must be {LEAST_FLOOR:g} to 1", field="floor", value=floor)
    passed = step / (steps - 1) if steps > 1 else 0.0
    match schedule:
        case "constant":
            return 1.0
        case "linear":
            return 1.0 - (1.0 - floor) * passed
        case "exponential":
            return floor**passed
        case "cosine":
            return floor + (1.0 - floor) * (1.0 + math.cos(math.pi * passed)) / 2
    known = ", ".join(get_args(Schedule))
    raise InvalidInput(f"schedule is {schedule!r}; it must be one of {known}", field="schedule", value=schedule)


_LOOK_EVERY = 5  # steps between checks for convergence
SHARE = 0.2  # steps of the whole colony for each node of the palace
FEWEST_AGENTS, MOST_AGENTS = 5, 200  # at least one of each archetype; writing ten thousand marks takes seconds
FEWEST_STEPS, MOST_STEPS = 10, 50  # enough to get from a wing to some drawers; the length of a walk in seed 003


@dataclass(frozen=True, slots=True)
class Colony:
    """The size and rules of a colony.

    Attributes:
        agents: Number of agents, >= 1.
        steps: Steps of each agent, >= 0.
        mix: Share of each archetype. Archetypes that are not named do not walk.
        temperatures: Temperatures of archetypes. Archetypes that are not named have those of the seed.
        schedule: How temperatures fall during the walk.
        floor: Share of its temperature that an agent has left at the last step, 0.001 to 1.
        mark: Exploration pheromone that a visit leaves for the other agents, >= 0.
        restart: Probability that an agent returns to an entry point after a step, 0 to 1.
        turn_back: Whether agents may return directly to the node they came from. If not, they do so in dead ends only.
        until_converged: Whether to stop once the walk has converged, which is checked every 5 steps.

    Raises:
        InvalidInput: If a value is outside its range.
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
    """Let a colony walk through a palace, and return all of its steps.

    In each step, every agent follows one arc, drawn at random by the softmax of its preferences (see `preference`). The
    lower the temperature of an agent, the more often it takes the arc that it prefers. The same state of `rng` gives
    the same walk.

    Args:
        closeness: Cosine of each node to the goal, clipped to -1 to 1; 0 for nodes without a vector.
        entries: Indices of the nodes where agents start, and to which they return; at least one.
        rng: Random generator.
        colony: None means the default colony.
        weights: Probability of each entry point, >= 0, on any scale; None means that all are equally likely.

    Raises:
        InvalidInput: If there is no entry point, an entry is not a node of the snapshot, lengths differ, or a weight is
            negative or all are 0.
    """
    colony = colony or Colony()
    doors = _Doors(snapshot, np.asarray(entries, np.int64), weights)
    blocks = ArcBlocks.of(snapshot)
    appeal = NodeAppeal(snapshot.nodes, closeness, mark=colony.mark)
    warmth = temperatures(colony.agents, mix=colony.mix, given=colony.temperatures)
    agents = WalkingAgents.placed(doors.drawn(rng, colony.agents), warmth, turn_back=colony.turn_back)
    appeal.visit(agents.node)
    node = np.empty((colony.steps + 1, colony.agents), np.int32)
    slot = np.empty_like(node)
    node[0], slot[0] = agents.node, agents.slot
    for step in range(1, colony.steps + 1):
        heat = annealed(step - 1, steps=colony.steps, schedule=colony.schedule, floor=colony.floor)
        agents = agents.moved(blocks, appeal.values, heat=heat, rng=rng)
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
    """The entry points, with their probabilities."""

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
        """Draw `count` entry points at random."""
        at = np.searchsorted(self._upto, rng.random(count), side="right")
        return self._entries[np.minimum(at, len(self._entries) - 1)]


def colony_size(nodes: int, *, agents: int | None = None, steps: int | None = None) -> tuple[int, int]:
    """Return the number of agents and the steps of each.

    Args:
        nodes: Number of nodes of the palace, or of the part to explore.
        agents, steps: Fixed values; None means that a value is chosen.

    Example:
        >>> colony_size(3_000)
        (12, 50)
        >>> colony_size(3_000, agents=30)
        (30, 20)
    """
    visits = SHARE * nodes
    if agents is None:
        agents = min(max(round(visits / (steps or MOST_STEPS)), FEWEST_AGENTS), MOST_AGENTS)
    if steps is None:
        steps = min(max(round(visits / agents), FEWEST_STEPS), MOST_STEPS)
    return agents, steps
