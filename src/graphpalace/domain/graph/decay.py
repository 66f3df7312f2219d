"""The last and the next run of the decay of a palace."""

from __future__ import annotations

from dataclasses import dataclass


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
