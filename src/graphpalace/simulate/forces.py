"""What moves an agent (seed 000, "Per-step Agent Update")."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

_ATTRACTION, _PHEROMONE, _EXPLORATION = 0.6, 0.3, 0.1
_INERTIA, _RESPONSE = 0.8, 0.2
_NO_DISTANCE = 1e-12  # an agent that stands on a document has no direction to it


def attraction(
    positions: Float[Tensor, "agents dim"],
    near: Float[Tensor, "agents near dim"],
    cosines: Float[Tensor, "agents near"],
    relevance: Float[Tensor, "agents near"],
) -> Float[Tensor, "agents dim"]:
    """Return the sum over an agent's nearest documents of direction x cosine x (1 + relevance)."""
    away = near - positions[:, None, :]
    pull = cosines * (1 + relevance) / torch.linalg.vector_norm(away, dim=2).clamp(min=_NO_DISTANCE)
    return torch.einsum("ak,akd->ad", pull, away)


def pheromone_pull(
    positions: Float[Tensor, "agents dim"],
    ends: Float[Tensor, "agents dim"],
    strength: Float[Tensor, " agents"],
) -> Float[Tensor, "agents dim"]:
    """Return the pull towards the far end of each agent's strongest trail: direction x strength, 0 if there is none."""
    away = ends - positions
    length = torch.linalg.vector_norm(away, dim=1).clamp(min=_NO_DISTANCE)
    return away * (strength / length)[:, None]


def moved(
    positions: Float[Tensor, "agents dim"],
    velocities: Float[Tensor, "agents dim"],
    *,
    attracted: Float[Tensor, "agents dim"],
    led: Float[Tensor, "agents dim"],
    noise: Float[Tensor, "agents dim"],
) -> tuple[Float[Tensor, "agents dim"], Float[Tensor, "agents dim"]]:
    """Return positions (length one) and velocities after a step: F = .6 att + .3 pher + .1 expl, v = .8 v + .2 F."""
    force = _ATTRACTION * attracted + _PHEROMONE * led + _EXPLORATION * noise
    velocities = _INERTIA * velocities + _RESPONSE * force
    return torch.nn.functional.normalize(positions + velocities), velocities
