"""The state of a simulation: all that the next step depends on, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
import torch
from jaxtyping import Float, Int, UInt8
from torch import Tensor

from graphpalace.simulate.documents import Documents
from graphpalace.simulate.trails import Trails

REMEMBERED = 4  # the document where an agent is, and the three before it that a deposit needs
_POSITION_NOISE, _VELOCITY_NOISE = 0.1, 0.05
_LEAST_EXPLORATION = 0.05


@dataclass(frozen=True, eq=False)
class Agents:
    """Agents as columns; `agents` is their number, `dim` that of the embeddings.

    Attributes:
        positions: Length one each.
        velocities: Per step.
        boldness: From 0, the least noise, to 1, `exploration_bonus`.
        energy, trail_strength: E and T_s of the deposit.
        recent: The last different documents visited, latest first, -1 where there are fewer.
        near: The nearest documents of the position, nearest first.
        cosines: To them.
    """

    positions: Float[Tensor, "agents dim"]
    velocities: Float[Tensor, "agents dim"]
    boldness: Float[Tensor, " agents"]
    energy: Float[Tensor, " agents"]
    trail_strength: Float[Tensor, " agents"]
    recent: Int[Tensor, "agents 4"]
    near: Int[Tensor, "agents near"]
    cosines: Float[Tensor, "agents near"]

    def __len__(self) -> int:
        return len(self.positions)

    def first(self, count: int) -> Agents:
        """Return the agents that have been there longest."""
        return Agents(*(getattr(self, field.name)[:count] for field in fields(self)))

    def joined(self, others: Agents) -> Agents:
        """Return these agents and then the others."""
        return Agents(*(torch.cat([getattr(self, field.name), getattr(others, field.name)]) for field in fields(self)))

    def exploration(self, exploration_bonus: float) -> Float[Tensor, " agents"]:
        """Return each agent's exploration factor e, from .05 to `exploration_bonus` (that alone if it is less)."""
        least = min(_LEAST_EXPLORATION, exploration_bonus)
        return least + self.boldness * (exploration_bonus - least)


@dataclass(frozen=True, eq=False)
class Swarm:
    """A simulation at the end of a step.

    Attributes:
        step: Steps made.
        visits: How often agents came to each document.
        last_visited: When, in seconds on the simulation's clock, -inf: never.
        relevance: r of each document.
        random: State of the random generator.
    """

    step: int
    agents: Agents
    trails: Trails
    visits: Int[Tensor, " documents"]
    last_visited: Float[Tensor, " documents"]
    relevance: Float[Tensor, " documents"]
    random: UInt8[Tensor, " state"]


def generator_of(random: UInt8[Tensor, " state"], device: torch.device) -> torch.Generator:
    """Return a random generator in a state."""
    generator = torch.Generator(device)
    generator.set_state(random)
    return generator


def spawned(count: int, documents: Documents, query: Float[Tensor, " dim"], generator: torch.Generator) -> Agents:
    """Return new agents around a query: p = normalize(q + N(0, .1)), v from N(0, .05), e uniform."""
    shape, device = (count, len(query)), documents.device
    start = torch.nn.functional.normalize(query.to(device, torch.float32), dim=0)
    noise = torch.randn(shape, generator=generator, device=device)
    positions = torch.nn.functional.normalize(start + _POSITION_NOISE * noise)
    velocities = _VELOCITY_NOISE * torch.randn(shape, generator=generator, device=device)
    boldness = torch.rand(count, generator=generator, device=device)
    near, cosines = documents.nearest(positions)
    return Agents(
        positions,
        velocities,
        boldness,
        torch.ones(count, device=device),
        torch.ones(count, device=device),
        torch.full((count, REMEMBERED), -1, device=device),
        near,
        cosines,
    )


def new_swarm(
    documents: Documents,
    query: Float[Tensor, " dim"],
    *,
    agents: int,
    seed: int,
    similarity: Float[Tensor, " documents"],
    trails: Trails | None = None,
) -> Swarm:
    """Return a simulation before its first step.

    Args:
        query: Where the agents start.
        seed: 0 or more.
        similarity: Relevance of each document before anybody was there.
        trails: Those to start with.
    """
    generator = torch.Generator(documents.device).manual_seed(seed)
    arrived = spawned(agents, documents, query, generator)
    count, device = len(documents), documents.device
    return Swarm(
        0,
        arrived,
        trails or Trails.none(count, device),
        torch.zeros(count, dtype=torch.int64, device=device),
        torch.full((count,), -np.inf, device=device),
        similarity,
        generator.get_state(),
    )


def resized(swarm: Swarm, count: int, documents: Documents, query: Float[Tensor, " dim"]) -> Swarm:
    """Return the simulation with another number of agents: new ones start at the query, the newest go first."""
    missing = count - len(swarm.agents)
    if missing <= 0:
        return replace(swarm, agents=swarm.agents.first(count))
    generator = generator_of(swarm.random, documents.device)
    agents = swarm.agents.joined(spawned(missing, documents, query, generator))
    return replace(swarm, agents=agents, random=generator.get_state())
