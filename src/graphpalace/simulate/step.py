"""One step of a simulation, computed for all agents at once (seed 000)."""

from __future__ import annotations

from dataclasses import replace

from jaxtyping import Bool, Int

from graphpalace.lazy_torch import torch
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
    """Return the state of the simulation one step later, without changing the given one.

    All agents move by the trails and relevances of the previous step. Then each visits the document nearest to its new
    position and deposits pheromone on trails. All trails decay and are cut to the ceiling. Finally the relevances are
    computed for the next step.

    Args:
        asked: Similarity and keyword share of each document.
        now: Time on the simulation's clock in seconds; the number of the step in deterministic mode.
        exploration_bonus: Largest standard deviation of an agent's noise.
        pheromone_decay: Share of a trail that is left after a step, 0 to 1.
        kw_lambda: Relevance of a document that contains all keywords.
        trail_ceiling: Largest strength of a trail; 0 for no limit.
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
    """Move the agents by their forces, and find the documents nearest to their new positions."""
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
    recent: Int[torch.Tensor, "agents 4"], here: Int[torch.Tensor, " agents"]
) -> tuple[Int[torch.Tensor, "agents 4"], Bool[torch.Tensor, "agents 3"]]:
    """Put each agent's current document first in its list of recent ones.

    Returns:
        The lists, and which of the three entries after the first exist.
    """
    others = recent != here[:, None]
    order = (~others).int().argsort(dim=1, stable=True)  # the other documents first, in their order
    behind = recent.gather(1, order)[:, : REMEMBERED - 1]
    there = others.gather(1, order)[:, : REMEMBERED - 1] & (behind >= 0)
    return torch.cat([here[:, None], behind], dim=1), there


def _deposited(
    trails: Trails, agents: Agents, recent: Int[torch.Tensor, "agents 4"], there: Bool[torch.Tensor, "agents 3"]
) -> Trails:
    """Deposit each agent's pheromone on the trails from its document to the last three others it visited."""
    amounts = deposit_amounts(agents.energy, agents.trail_strength)[:, None].expand_as(there)
    return trails.with_deposits(recent[:, :1].expand_as(there)[there], recent[:, 1:][there], amounts[there])
