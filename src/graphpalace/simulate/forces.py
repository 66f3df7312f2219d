"""The forces that move an agent, and its motion (seed 000, "Per-step Agent Update")."""

from __future__ import annotations

from jaxtyping import Float

from graphpalace.lazy_torch import torch

_ATTRACTION, _PHEROMONE, _EXPLORATION = 0.6, 0.3, 0.1
_INERTIA, _RESPONSE = 0.8, 0.2
_NO_DISTANCE = 1e-12  # an agent exactly on a document has no direction to it


def attraction(
    positions: Float[torch.Tensor, "agents dim"],
    near: Float[torch.Tensor, "agents near dim"],
    cosines: Float[torch.Tensor, "agents near"],
    relevance: Float[torch.Tensor, "agents near"],
) -> Float[torch.Tensor, "agents dim"]:
    """Return the force with which each agent's nearest documents attract it.

        F = sum over near documents of (x - p) / |x - p| x cosine(x, p) x (1 + relevance)

    A document at the very position of an agent does not attract it.

    Args:
        positions: p, unit vectors.
        near: x, the vectors of each agent's nearest documents.
        cosines: Of each agent's position to each of its nearest documents.
        relevance: Of the same documents.

    Source: seed 000, "Per-step Agent Update", F_att.
    """
    away = near - positions[:, None, :]
    pull = cosines * (1 + relevance) / torch.linalg.vector_norm(away, dim=2).clamp(min=_NO_DISTANCE)
    return torch.einsum("ak,akd->ad", pull, away)


def pheromone_pull(
    positions: Float[torch.Tensor, "agents dim"],
    ends: Float[torch.Tensor, "agents dim"],
    strength: Float[torch.Tensor, " agents"],
) -> Float[torch.Tensor, "agents dim"]:
    """Return the force with which each agent is drawn along its strongest trail.

        F = (y - p) / |y - p| x strength

    Args:
        positions: p, unit vectors.
        ends: y, the vector of the document at the other end of the trail.
        strength: Of the trail, >= 0; 0 if there is none, which makes the force 0.

    Source: seed 000, "Per-step Agent Update", F_pher.
    """
    away = ends - positions
    length = torch.linalg.vector_norm(away, dim=1).clamp(min=_NO_DISTANCE)
    return away * (strength / length)[:, None]


def moved(
    positions: Float[torch.Tensor, "agents dim"],
    velocities: Float[torch.Tensor, "agents dim"],
    *,
    attracted: Float[torch.Tensor, "agents dim"],
    led: Float[torch.Tensor, "agents dim"],
    noise: Float[torch.Tensor, "agents dim"],
) -> tuple[Float[torch.Tensor, "agents dim"], Float[torch.Tensor, "agents dim"]]:
    """Return the positions and velocities of all agents one step later.

        F = 0.6 attracted + 0.3 led + 0.1 noise,  v' = 0.8 v + 0.2 F,  p' = (p + v') / |p + v'|

    Args:
        positions: p, unit vectors.
        velocities: v, change of position in one step.
        attracted: The result of `attraction`.
        led: The result of `pheromone_pull`.
        noise: Random exploration.

    Source: seed 000, "Per-step Agent Update".
    """
    force = _ATTRACTION * attracted + _PHEROMONE * led + _EXPLORATION * noise
    velocities = _INERTIA * velocities + _RESPONSE * force
    return torch.nn.functional.normalize(positions + velocities), velocities
