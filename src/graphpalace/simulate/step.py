"""One step of a simulation, computed for all agents at once: relevance, forces, motion, deposits (seed 000)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float, Float32, Int

from graphpalace.arrays import Array, array_namespace
from graphpalace.simulate.documents import Documents, lengths, unit
from graphpalace.simulate.swarm import REMEMBERED, Agents, Swarm, Trails, deposit_amounts

_A_VISIT, _MOST_VISITS = 0.1, 0.5
_RECENT, _RECENT_S = 0.1, 1.0
MOST_BONUS = _MOST_VISITS + _RECENT  # without keywords


@dataclass(frozen=True, eq=False)
class QueryRelevance:
    """The part of each document's relevance that depends on the query alone, not on the agents.

    Attributes:
        similarity: Cosine of each document to the query, -1 to 1.
        keywords: Share of the keywords that each document contains, 0 to 1.
    """

    similarity: Float[Array, " documents"]
    keywords: Float[Array, " documents"]


def relevance(
    asked: QueryRelevance,
    *,
    visits: Int[Array, " documents"],
    recent: Bool[Array, " documents"],
    kw_lambda: float,
) -> Float[Array, " documents"]:
    """Return the relevance of each document.

        r = similarity + min(0.1 x visits, 0.5) + 0.1 x recent + kw_lambda x keywords

    Args:
        asked: Similarity and keyword share of each document.
        visits: How often agents have visited each document.
        recent: The result of `recently`.
        kw_lambda: Relevance of a document that contains all keywords, >= 0.

    Source: seed 000, "Relevance Computation".
    """
    xp = array_namespace(visits)
    visited = xp.minimum(xp.astype(visits, xp.float32) * _A_VISIT, _MOST_VISITS)
    return asked.similarity + visited + xp.astype(recent, xp.float32) * _RECENT + kw_lambda * asked.keywords


def recently(last_visited: Float[Array, " documents"], now: float) -> Bool[Array, " documents"]:
    """Return which documents were visited less than one second ago.

    In deterministic mode a step counts as a second, so only documents visited in this very step are recent.

    Args:
        last_visited: Time of each document's last visit, in seconds on the simulation's clock; -inf if never visited.
        now: The current time on the same clock.
    """
    return last_visited > now - _RECENT_S


def keyword_shares(texts: Sequence[str], terms: Sequence[str]) -> Float32[np.ndarray, " documents"]:
    """Return the share of the keywords that each text contains, 0 to 1.

    A keyword occurs if it is a substring of the text, ignoring case. Blank and repeated keywords do not count. Without
    keywords, all shares are 0.
    """
    wanted = list(dict.fromkeys(term.casefold() for term in terms if term.strip()))
    shares = np.zeros(len(texts), np.float32)
    if wanted:
        for row, text in enumerate(texts):
            folded = text.casefold()
            shares[row] = sum(term in folded for term in wanted) / len(wanted)
    return shares


_ATTRACTION, _PHEROMONE, _EXPLORATION = 0.6, 0.3, 0.1
_INERTIA, _RESPONSE = 0.8, 0.2


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
    xp = array_namespace(swarm.visits)
    noise, random = swarm.random.normal(swarm.agents.positions.shape, beside=swarm.agents.positions)
    agents = _flown(swarm, documents, noise, exploration_bonus)
    here = agents.near[:, 0]
    recent, paired = _visited(agents.recent, here)
    trails = _deposited(swarm.trails, agents, recent, paired).decayed(pheromone_decay)
    if trail_ceiling:
        trails = trails.capped(trail_ceiling)
    visits = swarm.visits + xp.bincount(here, minlength=len(documents))
    last_visited = xp.asarray(swarm.last_visited, copy=True)
    last_visited[here] = now
    return Swarm(
        swarm.step + 1,
        replace(agents, recent=recent),
        trails,
        visits,
        last_visited,
        relevance(asked, visits=visits, recent=recently(last_visited, now), kw_lambda=kw_lambda),
        random,
    )


def _flown(swarm: Swarm, documents: Documents, noise: Float[Array, "agents dim"], exploration_bonus: float) -> Agents:
    """Move the agents by their forces, and find the documents nearest to their new positions."""
    agents = swarm.agents
    near = documents.vectors[agents.near]
    attracted = attraction(agents.positions, near, agents.cosines, swarm.relevance[agents.near])
    ends, strength = swarm.trails.strongest(agents.near[:, 0])
    led = pheromone_pull(agents.positions, documents.vectors[ends], strength)
    noise = noise * agents.exploration(exploration_bonus)[:, None]
    positions, velocities = moved(agents.positions, agents.velocities, attracted=attracted, led=led, noise=noise)
    near_now, cosines = documents.nearest(positions)
    return replace(agents, positions=positions, velocities=velocities, near=near_now, cosines=cosines)


def _visited(
    recent: Int[Array, "agents 4"], here: Int[Array, " agents"]
) -> tuple[Int[Array, "agents 4"], Bool[Array, "agents 3"]]:
    """Put each agent's current document first in its list of recent ones.

    Returns:
        The lists, and which of the three entries after the first exist.
    """
    xp = array_namespace(recent)
    others = recent != here[:, None]
    # The other documents first, in their order.
    order = xp.argsort(xp.astype(~others, xp.int8), axis=1)[:, : REMEMBERED - 1]
    behind = xp.take_along_axis(recent, order, axis=1)
    there = xp.take_along_axis(others, order, axis=1) & (behind >= 0)
    return xp.concat([here[:, None], behind], axis=1), there


def _deposited(
    trails: Trails, agents: Agents, recent: Int[Array, "agents 4"], there: Bool[Array, "agents 3"]
) -> Trails:
    """Deposit each agent's pheromone on the trails from its document to the last three others it visited."""
    xp = array_namespace(recent)
    here = xp.broadcast_to(recent[:, :1], there.shape)
    amounts = xp.broadcast_to(deposit_amounts(agents.energy, agents.trail_strength)[:, None], there.shape)
    return trails.with_deposits(here[there], recent[:, 1:][there], amounts[there])


def attraction(
    positions: Float[Array, "agents dim"],
    near: Float[Array, "agents near dim"],
    cosines: Float[Array, "agents near"],
    relevance: Float[Array, "agents near"],
) -> Float[Array, "agents dim"]:
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
    pull = cosines * (1 + relevance) / lengths(away)
    return (pull[:, None, :] @ away)[:, 0, :]


def pheromone_pull(
    positions: Float[Array, "agents dim"],
    ends: Float[Array, "agents dim"],
    strength: Float[Array, " agents"],
) -> Float[Array, "agents dim"]:
    """Return the force with which each agent is drawn along its strongest trail.

        F = (y - p) / |y - p| x strength

    Args:
        positions: p, unit vectors.
        ends: y, the vector of the document at the other end of the trail.
        strength: Of the trail, >= 0; 0 if there is none, which makes the force 0.

    Source: seed 000, "Per-step Agent Update", F_pher.
    """
    away = ends - positions
    return away * (strength / lengths(away))[:, None]


def moved(
    positions: Float[Array, "agents dim"],
    velocities: Float[Array, "agents dim"],
    *,
    attracted: Float[Array, "agents dim"],
    led: Float[Array, "agents dim"],
    noise: Float[Array, "agents dim"],
) -> tuple[Float[Array, "agents dim"], Float[Array, "agents dim"]]:
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
    return unit(positions + velocities), velocities
