"""One step of a simulation, for all agents at once (seed 000)."""

from __future__ import annotations

from dataclasses import replace

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from graphpalace.simulate.documents import Documents
from graphpalace.simulate.forces import attraction, moved, pheromone_pull
from graphpalace.simulate.relevance import QueryRelevance, recently, relevance
from graphpalace.simulate.swarm import REMEMBERED, Agents, Swarm, generator_of
from graphpalace.simulate.trails import Trails, deposit_amounts


def next_step(
    swarm: Swarm,
    documents: Documents,
    asked: QueryRelevance,
    *,
    now: float,
    exploration_bonus: float,
    pheromone_decay: float,
    kw_lambda: float,
    trail_ceiling: float = 0.0,
) -> Swarm:
    """Return the simulation a step later; the one given stays as it is.

    All agents move by the trails and relevances of the step before. Then each visits the document nearest to where it
    is now, trails are laid, all trails fade and are cut to their ceiling, and relevances follow.

    Args:
        now: Seconds on the simulation's clock; the number of the step in deterministic mode.
        exploration_bonus, pheromone_decay, kw_lambda, trail_ceiling: As in `SimulationSettings`.
    """
    generator = generator_of(swarm.random, documents.device)
    agents = _flown(swarm, documents, generator, exploration_bonus)
    here = agents.near[:, 0]
    recent, paired = _visited(agents.recent, here)
    trails = _deposited(swarm.trails, agents, recent, paired).decayed(pheromone_decay)
    if trail_ceiling:
        trails = trails.capped(trail_ceiling)
    visits = swarm.visits + torch.bincount(here, minlength=len(documents))
    last_visited = swarm.last_visited.index_fill(0, here, now)
    return Swarm(
        swarm.step + 1,
        replace(agents, recent=recent),
        trails,
        visits,
        last_visited,
        relevance(asked, visits=visits, recent=recently(last_visited, now), kw_lambda=kw_lambda),
        generator.get_state(),
    )


def _flown(swarm: Swarm, documents: Documents, generator: torch.Generator, exploration_bonus: float) -> Agents:
    """Return the agents where their forces take them, with the documents nearest to them there."""
    agents = swarm.agents
    near = documents.vectors[agents.near]
    attracted = attraction(agents.positions, near, agents.cosines, swarm.relevance[agents.near])
    ends, strength = swarm.trails.strongest(agents.near[:, 0])
    led = pheromone_pull(agents.positions, documents.vectors[ends], strength)
    noise = torch.randn(agents.positions.shape, generator=generator, device=documents.device)
    noise *= agents.exploration(exploration_bonus)[:, None]
    positions, velocities = moved(agents.positions, agents.velocities, attracted=attracted, led=led, noise=noise)
    near_now, cosines = documents.nearest(positions)
    return replace(agents, positions=positions, velocities=velocities, near=near_now, cosines=cosines)


def _visited(
    recent: Int[Tensor, "agents 4"], here: Int[Tensor, " agents"]
) -> tuple[Int[Tensor, "agents 4"], Bool[Tensor, "agents 3"]]:
    """Return the last documents with `here` moved to the front, and which of those behind it there are."""
    others = recent != here[:, None]
    order = (~others).int().argsort(dim=1, stable=True)  # what is elsewhere keeps its order and comes first
    behind = recent.gather(1, order)[:, : REMEMBERED - 1]
    there = others.gather(1, order)[:, : REMEMBERED - 1] & (behind >= 0)
    return torch.cat([here[:, None], behind], dim=1), there


def _deposited(
    trails: Trails, agents: Agents, recent: Int[Tensor, "agents 4"], there: Bool[Tensor, "agents 3"]
) -> Trails:
    """Return the trails with each agent's deposits to the last three documents it visited before."""
    amounts = deposit_amounts(agents.energy, agents.trail_strength)[:, None].expand_as(there)
    return trails.with_deposits(recent[:, :1].expand_as(there)[there], recent[:, 1:][there], amounts[there])
