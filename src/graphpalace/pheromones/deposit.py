"""What a deposit adds to the edges of a path, and what feedback lays on the ways to judged drawers (seed 003)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphpalace.domain.pheromones.deposits import EdgeGain
from graphpalace.domain.pheromones.pheromones import Rewards
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
