"""The state of a simulation as arrays: everything that the next step depends on, except documents and settings."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from jaxtyping import Float, Int, UInt8

from graphpalace.lazy_torch import torch
from graphpalace.simulate.documents import Documents
from graphpalace.simulate.trails import Trails

REMEMBERED = 4  # the document that an agent visits, and the three before it that receive deposits
_POSITION_NOISE, _VELOCITY_NOISE = 0.1, 0.05
_LEAST_EXPLORATION = 0.05


@dataclass(frozen=True, eq=False)
class Agents:
    """The agents, one row of each array for each agent.

    Attributes:
        positions: Unit vectors in the embedding space.
        velocities: Change of position in one step.
        boldness: How much an agent explores: 0 is the smallest noise, 1 is noise of `exploration_bonus`.
        energy, trail_strength: E and T_s, the factors of what an agent deposits; both start at 1.
        recent: The last four different documents that an agent visited, latest first; -1 where there are fewer.
        near: Indices of the documents nearest to the position, nearest first.
        cosines: Cosines of the position to the documents in `near`.
    """

    positions: Float[torch.Tensor, "agents dim"]
    velocities: Float[torch.Tensor, "agents dim"]
    boldness: Float[torch.Tensor, " agents"]
    energy: Float[torch.Tensor, " agents"]
    trail_strength: Float[torch.Tensor, " agents"]
    recent: Int[torch.Tensor, "agents 4"]
    near: Int[torch.Tensor, "agents near"]
    cosines: Float[torch.Tensor, "agents near"]

    def __len__(self) -> int:
        return len(self.positions)

    def first(self, count: int) -> Agents:
        """Return the `count` oldest agents."""
        return Agents(*(getattr(self, field.name)[:count] for field in fields(self)))

    def joined(self, others: Agents) -> Agents:
        """Return these agents followed by the others."""
        return Agents(*(torch.cat([getattr(self, field.name), getattr(others, field.name)]) for field in fields(self)))

    def exploration(self, exploration_bonus: float) -> Float[torch.Tensor, " agents"]:
        """Return e, the standard deviation of each agent's noise.

        It lies between 0.05 and `exploration_bonus`, by the agent's boldness. If the bonus is below 0.05, it is the
        bonus for all agents.
        """
        least = min(_LEAST_EXPLORATION, exploration_bonus)
        return least + self.boldness * (exploration_bonus - least)


@dataclass(frozen=True, eq=False)
class Swarm:
    """The state of a simulation after a step.

    Attributes:
        step: Number of steps made.
        visits: How often agents have visited each document.
        last_visited: Time of each document's last visit, in seconds on the simulation's clock; -inf if never visited.
        relevance: Relevance of each document.
        random: State of the random generator.
    """

    step: int
    agents: Agents
    trails: Trails
    visits: Int[torch.Tensor, " documents"]
    last_visited: Float[torch.Tensor, " documents"]
    relevance: Float[torch.Tensor, " documents"]
    random: UInt8[torch.Tensor, " state"]


def generator_of(random: UInt8[torch.Tensor, " state"], device: torch.device) -> torch.Generator:
    """Create a random generator from a stored state."""
    generator = torch.Generator(device)
    generator.set_state(random)
    return generator


def spawned(count: int, documents: Documents, query: Float[torch.Tensor, " dim"], generator: torch.Generator) -> Agents:
    """Create agents around a query, at random.

    Each position is the query (length one) plus normal noise of standard deviation 0.1 in each dimension, scaled to
    length one. Each velocity is normal noise of standard deviation 0.05. The boldness is uniform in 0 to 1.
    """
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
    query: Float[torch.Tensor, " dim"],
    *,
    agents: int,
    seed: int,
    similarity: Float[torch.Tensor, " documents"],
    trails: Trails | None = None,
) -> Swarm:
    """Create the state of a simulation before its first step.

    Args:
        query: Vector around which the agents start, of any length.
        agents: Number of agents.
        seed: Seed of the random generator, >= 0.
        similarity: Relevance of each document before the first visit.
        trails: Trails to start with; None for none.
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


def resized(swarm: Swarm, count: int, documents: Documents, query: Float[torch.Tensor, " dim"]) -> Swarm:
    """Change the number of agents. New agents start around the query; if there are too many, the newest are removed."""
    missing = count - len(swarm.agents)
    if missing <= 0:
        return replace(swarm, agents=swarm.agents.first(count))
    generator = generator_of(swarm.random, documents.device)
    agents = swarm.agents.joined(spawned(missing, documents, query, generator))
    return replace(swarm, agents=agents, random=generator.get_state())
