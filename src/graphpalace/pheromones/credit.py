"""The pheromones that feedback lays on the paths to the judged drawers (seed 003, "After Successful Search")."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphpalace.domain.graph.deposits import EdgeGain
from graphpalace.domain.graph.pheromones import Rewards
from graphpalace.domain.graph.trail import EdgeRef, NodeRef, Trail
from graphpalace.pheromones.deposit import path_rewards

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
