"""The five pheromones: their names, decay rates, and what a deposit adds."""

from __future__ import annotations

from dataclasses import dataclass

NODE_PHEROMONES = ("exploitation", "exploration")
EDGE_PHEROMONES = ("success", "traversal", "recency")

NOISE_FLOOR = 0.001  # weaker pheromones count as 0 (seed 003, "Decay Formula")


@dataclass(frozen=True, slots=True)
class DecayRates:
    """The share of each pheromone that is lost in one cycle, 0 to 1 (seed 003, "Five Pheromone Types")."""

    exploitation: float = 0.02
    exploration: float = 0.05
    success: float = 0.01
    traversal: float = 0.03
    recency: float = 0.10


@dataclass(frozen=True, slots=True)
class Rewards:
    """How much a deposit adds to each pheromone (seed 003, "Pheromone Deposit Operations").

    Attributes:
        success_base_reward: Success for the first edge of a path; later edges get less.
        exploitation_bonus: Exploitation for each node of a path.
        exploration_mark: Exploration for each node that was searched.
        traversal_increment: Traversal for each edge of a path.
        recency_reset: Value to which the recency of each edge of a path is raised.
        max_pheromone: Upper limit of every pheromone, so that no path becomes permanent (MAX-MIN ant system, Stuetzle
            and Hoos 2000).
    """

    success_base_reward: float = 1.0
    exploitation_bonus: float = 0.2
    exploration_mark: float = 0.3
    traversal_increment: float = 0.1
    recency_reset: float = 1.0
    max_pheromone: float = 5.0
