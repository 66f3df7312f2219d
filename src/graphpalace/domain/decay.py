"""What the decay of a palace did, and when it does it again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DecayRun:
    """One run of the decay, as the palace remembers its last.

    Attributes:
        cycle: Everything warm was brought up to it.
        nodes, edges: How many were not up to it before.
        deposits_pruned: How many records of old deposits were forgotten.
        finished_at: By the database's clock.
    """

    cycle: int
    nodes: int
    edges: int
    deposits_pruned: int
    seconds: float
    finished_at: str


@dataclass(frozen=True, slots=True)
class DecayStatus:
    """The clock of a palace and its decay.

    Attributes:
        cycle: What the clock shows now.
        last_run: None before the first.
        next_cycle, next_run_at: When the next run is due; in the past if it is overdue.
        running_by, running_until: The service that has the lease, and until when if it is not heard of again.
        warm_nodes, warm_edges: How many carry a pheromone.
    """

    palace: str
    cycle: int
    cycle_seconds: float
    last_run: DecayRun | None
    next_cycle: int
    next_run_at: str
    running_by: str | None
    running_until: str | None
    warm_nodes: int
    warm_edges: int
