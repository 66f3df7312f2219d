"""The five pheromones: their names, their rates, what a deposit adds, and what a decay did."""

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


@dataclass(frozen=True, slots=True)
class DecayRequest:
    """The palace whose decay is to be applied."""


@dataclass(frozen=True, slots=True)
class DecayQuery:
    """The palace whose decay is to be shown."""


@dataclass(frozen=True, slots=True)
class DecayResult:
    """One run of the decay. The palace stores the last one.

    Attributes:
        cycle: The cycle to which everything warm was updated.
        nodes, edges: Number of nodes and edges that were updated.
        deposits_pruned: Number of records of old deposits that were deleted.
        finished_at: By the clock of the database.
    """

    cycle: int
    nodes: int
    edges: int
    deposits_pruned: int
    seconds: float
    finished_at: str


@dataclass(frozen=True, slots=True)
class DecayLease:
    """The answer to a request for the lease on a palace's decay.

    Attributes:
        acquired: Whether the requester holds the lease now.
        by, until: The holder, and when the lease expires unless it is renewed.
        last_cycle: The cycle up to which the decay was last applied; 0 if never.
    """

    acquired: bool
    by: str
    until: str
    last_cycle: int


@dataclass(frozen=True, slots=True)
class DecayStatus:
    """The clock of a palace and its decay.

    Attributes:
        cycle: The current cycle.
        last_run: None before the first run.
        next_cycle, next_run_at: When the next run is due; in the past if it is overdue.
        running_by, running_until: The service that holds the lease, and when the lease expires unless it is renewed.
        warm_nodes, warm_edges: Number of nodes and edges that carry a pheromone.
    """

    palace: str
    cycle: int
    cycle_seconds: float
    last_run: DecayResult | None
    next_cycle: int
    next_run_at: str
    running_by: str | None
    running_until: str | None
    warm_nodes: int
    warm_edges: int
