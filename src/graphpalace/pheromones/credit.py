"""What feedback lays on the ways to the drawers it judges (seed 003, "After Successful Search (Position-Weighted)")."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphpalace.domain.pheromones import Rewards
from graphpalace.domain.trail import EdgeRef, NodeRef, Trail
from graphpalace.pheromones.deposit import path_rewards

BLAME = 0.5  # of what a reward would have given


class JudgedWay(NamedTuple):
    """The way to a drawer that was judged, with its reward, above 0 to 1."""

    way: Trail
    reward: float


class EdgeGain(NamedTuple):
    """What an edge gets: success, below 0 where it is taken away; traversal; what recency is set to, at least."""

    success: float
    traversal: float = 0.0
    recency: float = 0.0


@dataclass(frozen=True, slots=True)
class Gains:
    """What is laid on edges, and the exploitation laid on nodes, below 0 where it is taken away."""

    edges: Mapping[EdgeRef, EdgeGain]
    nodes: Mapping[NodeRef, float]


def feedback_gains(useful: Sequence[JudgedWay], useless: Sequence[JudgedWay], *, rewards: Rewards) -> Gains:
    """Return what a feedback lays.

    A way that led to something useful is a success, whatever else was shown: each edge gets success by its position,
    times the reward, and counts as walked once for the answer; each node counts as used. Blame stays on what belongs to
    a useless drawer alone: half of what a reward would have given is taken from the last edge of its way and from the
    drawer itself, unless a way to something useful goes over them.

    Example:
        >>> room, drawer = NodeRef("Room", "r"), NodeRef("Drawer", "d")
        >>> way = Trail([EdgeRef("HAS_CLOSET", "r", "c"), EdgeRef("HAS_DRAWER", "c", "d")], [room, drawer])
        >>> feedback_gains([], [JudgedWay(way, 1.0)], rewards=Rewards()).edges
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
    """Return the exploitation that a document of the caller's own gets, to which no way leads; below 0 as blame.

    Args:
        reward: Above 0 to 1.

    Example:
        >>> document_gain(0.5, useful=True, rewards=Rewards(exploitation_bonus=0.2))
        0.1
    """
    return (reward if useful else -BLAME * reward) * rewards.exploitation_bonus


def _shares(way: Trail, reward: float, rewards: Rewards) -> list[float]:
    return path_rewards(len(way.edges), base_reward=reward * rewards.success_base_reward)
