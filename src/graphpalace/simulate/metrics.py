"""The metrics that a simulation reports after each step (seed 000, "Metrics")."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from graphpalace.lazy_torch import torch
from graphpalace.simulate.swarm import Swarm


@dataclass(frozen=True, slots=True)
class Metrics:
    """Metrics of one step.

    Attributes:
        step: Number of the step; 0 before the first.
        avg_rel, max_rel: Mean and largest relevance of the documents.
        trails: Number of trails.
        avg_speed: Mean length of the agents' velocities.
        trail_mass: Total strength of all trails.
    """

    step: int
    avg_rel: float
    max_rel: float
    trails: int
    avg_speed: float
    trail_mass: float

    def figures(self) -> dict[str, float]:
        """Return all metrics by name, without the step."""
        return {name: value for name, value in asdict(self).items() if name != "step"}


def metrics_of(swarm: Swarm) -> Metrics:
    """Compute the metrics of a simulation, with a single transfer from the device."""
    figures = torch.stack(
        [
            swarm.relevance.mean(),
            swarm.relevance.max(),
            torch.linalg.vector_norm(swarm.agents.velocities, dim=1).mean(),
            swarm.trails.strength.sum(),
        ]
    )
    avg_rel, max_rel, avg_speed, trail_mass = figures.tolist()
    return Metrics(swarm.step, avg_rel, max_rel, len(swarm.trails), avg_speed, trail_mass)
