"""What a deposit adds to the edges of a path and the ways to judged drawers, and how it is undone (seed 003)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphpalace.domain.pheromones.deposits import Carrier, DepositRecord, EdgeGain, UndoableDeposit, UndoneDeposit
from graphpalace.domain.pheromones.pheromones import EDGE_PHEROMONES, NOISE_FLOOR, DecayRates, Rewards
from graphpalace.domain.walking.graph_snapshot import EdgeRef, NodeRef, Trail
from graphpalace.errors import InvalidInput

BLAME = 0.5  # share of the reward that is taken away for a useless drawer


class RewardedTrail(NamedTuple):
    """The path to a judged drawer, with its reward, above 0 and at most 1."""

    way: Trail
    reward: float


@dataclass(frozen=True, slots=True)
class Gains:
    """What is added to edges, and the exploitation that is added to nodes; values below 0 take it away."""

    edges: Mapping[EdgeRef, EdgeGain]
    nodes: Mapping[NodeRef, float]


def feedback_gains(useful: Sequence[RewardedTrail], useless: Sequence[RewardedTrail], *, rewards: Rewards) -> Gains:
    """Return what a feedback adds to edges and nodes.

    A path to a useful drawer is a success, whatever else the answer contained. Each of its edges gets success by its
    position, times the reward, and counts as walked once for the answer; each of its nodes counts as used. A useless
    drawer is blamed alone: half of what a reward would have added is taken from the last edge of its path and from the
    drawer, unless a path to a useful drawer uses them.

    Example:
        >>> room, drawer = NodeRef("Room", "r"), NodeRef("Drawer", "d")
        >>> way = Trail([EdgeRef("HAS_CLOSET", "r", "c"), EdgeRef("HAS_DRAWER", "c", "d")], [room, drawer])
        >>> feedback_gains([], [RewardedTrail(way, 1.0)], rewards=Rewards()).edges
        {EdgeRef(type='HAS_DRAWER', source='c', target='d'): EdgeGain(success=-0.25, traversal=0.0, recency=0.0)}

    Source: seed 003, "After Successful Search (Position-Weighted)"; the blame is this project's.
    """
    success: dict[EdgeRef, float] = defaultdict(float)
    for way, reward in useful:
        for edge, share in zip(way.edges, _shares(way, reward, rewards), strict=True):
            success[edge] += share
    edges = {
        edge: EdgeGain(gained, rewards.traversal_increment, rewards.recency_reset) for edge, gained in success.items()
    }
    nodes = {node: rewards.exploitation_bonus for way, _reward in useful for node in way.nodes}
    blamed: dict[EdgeRef, float] = defaultdict(float)
    for way, reward in useless:
        if way.edges[-1] not in success:
            blamed[way.edges[-1]] -= BLAME * _shares(way, reward, rewards)[-1]
        nodes.setdefault(way.nodes[-1], -BLAME * reward * rewards.exploitation_bonus)
    return Gains(edges | {edge: EdgeGain(taken) for edge, taken in blamed.items()}, nodes)


def document_gain(reward: float, *, useful: bool, rewards: Rewards) -> float:
    """Return the exploitation that a caller's own document gets, which has no path. It is below 0 if useless.

    Args:
        reward: Above 0, at most 1.

    Example:
        >>> document_gain(0.5, useful=True, rewards=Rewards(exploitation_bonus=0.2))
        0.1
    """
    return (reward if useful else -BLAME * reward) * rewards.exploitation_bonus


def _shares(way: Trail, reward: float, rewards: Rewards) -> list[float]:
    return path_rewards(len(way.edges), base_reward=reward * rewards.success_base_reward)


def path_rewards(edges: int, *, base_reward: float) -> list[float]:
    """Return the success that each edge of a path gets. Edge i of n, counted from 0, gets `base_reward` x (1 - i / n).

    Earlier edges get more, because the first decisions set the direction.

    Raises:
        InvalidInput: If the path has no edge, or the reward is below 0.

    Example:
        >>> path_rewards(4, base_reward=1.0)
        [1.0, 0.75, 0.5, 0.25]

    Source: seed 003, "After Successful Search (Position-Weighted)".
    """
    if edges < 1:
        raise InvalidInput(f"the path has {edges} edges; it must have at least one", field="path", value=edges)
    if base_reward < 0:
        raise InvalidInput(
            f"base_reward is {base_reward}; it must not be negative", field="base_reward", value=base_reward
        )
    return [base_reward * (1.0 - at / edges) for at in range(edges)]


_EQUAL = 1e-9  # smaller differences come from rounding
_NODE_PHEROMONES = ("exploitation",)  # exploration is never recorded


def without_deposit(undoable: UndoableDeposit, *, rates: DecayRates, ceiling: float) -> UndoneDeposit:
    """Return the values to write so that the palace is as if a deposit had never been made.

    Args:
        rates: How pheromones fade.
        ceiling: Largest value of a pheromone.
    """
    laws = {
        name: PheromoneDynamics(getattr(rates, name), ceiling, is_reset=name == "recency")
        for name in (*EDGE_PHEROMONES, *_NODE_PHEROMONES)
    }
    found = [{name: list(record.before[name]) for name in laws} for record in undoable.later]
    edge_laws = {name: laws[name] for name in EDGE_PHEROMONES}
    node_laws = {name: laws[name] for name in _NODE_PHEROMONES}
    edge_places = _places(undoable.record.edges, [record.edges for record in undoable.later])
    node_places = _places(undoable.record.nodes, [record.nodes for record in undoable.later])
    return UndoneDeposit(
        undoable.cycle,
        [_without(edge, undoable, edge_places[edge.key], edge_laws, found) for edge in undoable.edges],
        [_without(node, undoable, node_places[node.key], node_laws, found) for node in undoable.nodes],
        {record.id: lists for record, lists in zip(undoable.later, found, strict=True)},
    )


def _without(
    carrier: Carrier,
    undoable: UndoableDeposit,
    place: tuple[int, Sequence[tuple[int, int]]],
    laws: Mapping[str, PheromoneDynamics],
    found: Sequence[dict[str, list[float]]],
) -> Carrier:
    """Return an edge or a node without the deposit, and write the values before each later deposit into `found`."""
    at, since = place
    now: dict[str, float] = {}
    for name, law in laws.items():
        chain = [_laid(undoable.later[number], name, position) for number, position in since]
        deposit = _laid(undoable.record, name, at)
        there = carrier.pheromones[name]
        *before, now[name] = undone(deposit, chain, now=there, cycle=undoable.cycle, law=law)
        for (number, position), value in zip(since, before, strict=True):
            found[number][name][position] = value
    return Carrier(carrier.key, carrier.element, {**carrier.pheromones, **now})


def _places(own: Sequence[str], later: Sequence[Sequence[str]]) -> dict[str, tuple[int, list[tuple[int, int]]]]:
    """Return, for each key of a deposit, its position in the deposit's record and in the records of later deposits.

    A position in a later record is a pair: number of the record and position in it.
    """
    places: dict[str, tuple[int, list[tuple[int, int]]]] = {key: (at, []) for at, key in enumerate(own)}
    for number, keys in enumerate(later):
        for key, at in {key: at for at, key in enumerate(keys)}.items():
            if key in places:
                places[key][1].append((number, at))
    return places


def _laid(record: DepositRecord, name: str, at: int) -> DepositedPheromone:
    return DepositedPheromone(record.cycle, record.before[name][at], record.laid[name][at])


@dataclass(frozen=True, slots=True)
class PheromoneDynamics:
    """How one pheromone fades and grows; `cypher/pheromones/deposit.cypher` does the same.

    Attributes:
        rate: Share lost in one cycle, 0 to 1.
        ceiling: Largest value.
        is_reset: Whether a deposit raises the pheromone to its own value instead of adding to it, as for recency.
    """

    rate: float
    ceiling: float
    is_reset: bool = False

    def faded(self, value: float, cycles: int) -> float:
        """Return what is left of a value after some cycles; a negative number of cycles counts as 0."""
        left = value * (1.0 - self.rate) ** max(cycles, 0)
        return 0.0 if left < NOISE_FLOOR else left

    def grown(self, value: float, laid: float) -> float:
        """Return a value after a deposit, from 0 to the ceiling. The deposit may be below 0."""
        grown = max(value, laid) if self.is_reset else value + laid
        return min(max(grown, 0.0), self.ceiling)


@dataclass(frozen=True, slots=True)
class DepositedPheromone:
    """The effect of one deposit on one pheromone of one element.

    Attributes:
        cycle: The cycle of the deposit.
        before: The value before the deposit, faded to that cycle.
        laid: The value of the deposit.
    """

    cycle: int
    before: float
    laid: float


def undone(
    deposit: DepositedPheromone, later: Sequence[DepositedPheromone], *, now: float, cycle: int, law: PheromoneDynamics
) -> list[float]:
    """Return the values that a pheromone would have had if a deposit had never been made.

    The later deposits are applied again to the value before the deposit, once with the deposit and once without it. A
    difference that no deposit explains is a change by other means, for example by hand. It is kept: the same amount is
    added again, or a reset value is set again.

    Args:
        deposit: The deposit to undo.
        later: The later deposits on the same element, in order.
        now: The current value, faded to `cycle`.
        law: How this pheromone fades and grows.
    Returns:
        The value before each of the later deposits, and then the current value.

    Example:
        >>> law = PheromoneDynamics(rate=0.01, ceiling=5.0)
        >>> undone(DepositedPheromone(0, 4.5, 1.0), [DepositedPheromone(0, 5.0, -2.0)], now=3.0, cycle=0, law=law)
        [4.5, 2.5]
    """
    there, without, at = law.grown(deposit.before, deposit.laid), deposit.before, deposit.cycle
    found: list[float] = []
    for step in (*later, DepositedPheromone(cycle, now, 0.0)):
        explained = law.faded(there, step.cycle - at)
        without = law.faded(without, step.cycle - at)
        by_others = step.before - explained
        if abs(by_others) > _EQUAL:
            without = step.before if law.is_reset else max(without + by_others, 0.0)
        found.append(without)
        there, without, at = law.grown(step.before, step.laid), law.grown(without, step.laid), step.cycle
    return found
