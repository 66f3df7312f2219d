"""The state of a simulation as arrays: agents, and trails between documents; all that the next step needs."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from jaxtyping import Float, Int

from graphpalace.arrays import Array, array_namespace, greatest_at, like, on_cpu
from graphpalace.simulate.documents import Documents, unit

PRUNED_BELOW = 0.01
_DEPOSIT = 0.1


@dataclass(frozen=True, eq=False)
class Trails:
    """All trails of a simulation, as a sorted sparse array.

    Attributes:
        documents: Number of documents in the corpus.
        keys: Each trail as i x documents + j, for its documents i < j; ascending and unique.
        strength: Pheromone on each trail, >= 0.
    """

    documents: int
    keys: Int[Array, " trails"]
    strength: Float[Array, " trails"]

    @classmethod
    def none(cls, documents: int, *, beside: Array) -> Trails:
        """Return an empty set of trails, in arrays like `beside`."""
        return cls(documents, like(np.empty(0, np.int64), beside), like(np.empty(0, np.float32), beside))

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def ends(self) -> tuple[Int[Array, " trails"], Int[Array, " trails"]]:
        """The documents of each trail: first those with the lower index, then those with the higher."""
        return self.keys // self.documents, self.keys % self.documents

    def with_deposits(
        self,
        here: Int[Array, " deposits"],
        there: Int[Array, " deposits"],
        amounts: Float[Array, " deposits"],
    ) -> Trails:
        """Add pheromone between pairs of documents, creating trails where there are none.

        Args:
            here, there: The two different documents of each pair, in either order. A pair may occur several times.
            amounts: Pheromone to add to each pair.
        """
        if not len(here):
            return self
        xp = array_namespace(here)
        given = xp.minimum(here, there) * self.documents + xp.maximum(here, there)
        keys, at = xp.unique_inverse(xp.concat([self.keys, given]))
        # In double precision these sums are exact, so the order in which a GPU adds does not matter.
        laid = xp.astype(xp.concat([self.strength, amounts]), xp.float64)
        strength = xp.bincount(at, weights=laid, minlength=len(keys))
        return Trails(self.documents, keys, xp.astype(strength, xp.float32))

    def decayed(self, share_left: float) -> Trails:
        """Return the trails after one step of decay. Trails that fall below 0.01 are deleted.

        Args:
            share_left: Share of each trail that remains, 0 to 1; the setting `pheromone_decay`.
        """
        strength = self.strength * share_left
        kept = strength >= PRUNED_BELOW
        return Trails(self.documents, self.keys[kept], strength[kept])

    def capped(self, ceiling: float) -> Trails:
        """Limit each trail's strength to `ceiling`, > 0, as the MAX-MIN ant system does."""
        return Trails(self.documents, self.keys, array_namespace(self.strength).minimum(self.strength, ceiling))

    def strongest(self, documents: Int[Array, " agents"]) -> tuple[Int[Array, " agents"], Float[Array, " agents"]]:
        """Find the strongest trail of each given document.

        Ties are broken by the lower index of the document at the other end.

        Returns:
            The document at the other end of the trail, and its strength. A document without a trail gets itself and 0.
        """
        xp = array_namespace(documents)
        lower, higher = self.ends
        end, other = xp.concat([lower, higher]), xp.concat([higher, lower])
        strength = xp.concat([self.strength, self.strength])
        best = greatest_at(strength, end, self.documents)
        wins = strength == best[end]
        first = self.documents - greatest_at(self.documents - other[wins], end[wins], self.documents)
        found = best[documents]
        return xp.where(found > 0, first[documents], documents), found


def deposit_amounts(
    energy: Float[Array, " agents"], trail_strength: Float[Array, " agents"]
) -> Float[Array, " agents"]:
    """Return how much pheromone each agent adds to a trail: energy x trail_strength x 0.1.

    Source: seed 000, "Pheromone Mechanics".
    """
    return energy * trail_strength * _DEPOSIT


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

    positions: Float[Array, "agents dim"]
    velocities: Float[Array, "agents dim"]
    boldness: Float[Array, " agents"]
    energy: Float[Array, " agents"]
    trail_strength: Float[Array, " agents"]
    recent: Int[Array, "agents 4"]
    near: Int[Array, "agents near"]
    cosines: Float[Array, "agents near"]

    def __len__(self) -> int:
        return len(self.positions)

    def first(self, count: int) -> Agents:
        """Return the `count` oldest agents."""
        return Agents(*(getattr(self, field.name)[:count] for field in fields(self)))

    def joined(self, others: Agents) -> Agents:
        """Return these agents followed by the others."""
        xp = array_namespace(self.positions)
        return Agents(*(xp.concat([getattr(self, field.name), getattr(others, field.name)]) for field in fields(self)))

    def exploration(self, exploration_bonus: float) -> Float[Array, " agents"]:
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
        random: The random numbers to come.
    """

    step: int
    agents: Agents
    trails: Trails
    visits: Int[Array, " documents"]
    last_visited: Float[Array, " documents"]
    relevance: Float[Array, " documents"]
    random: RandomStream


def spawned(
    count: int, documents: Documents, query: Float[Array, " dim"], random: RandomStream
) -> tuple[Agents, RandomStream]:
    """Create agents around a query, at random, and return what is left of the stream of random numbers too.

    Each position is the query (length one) plus normal noise of standard deviation 0.1 in each dimension, scaled to
    length one. Each velocity is normal noise of standard deviation 0.05. The boldness is uniform in 0 to 1.
    """
    vectors, shape = documents.vectors, (count, len(query))
    offsets, random = random.normal(shape, beside=vectors)
    velocities, random = random.normal(shape, beside=vectors)
    boldness, random = random.uniform(count, beside=vectors)
    positions = unit(unit(like(query, vectors)) + _POSITION_NOISE * offsets)
    near, cosines = documents.nearest(positions)
    arrived = Agents(
        positions,
        _VELOCITY_NOISE * velocities,
        boldness,
        energy=like(np.ones(count, np.float32), vectors),
        trail_strength=like(np.ones(count, np.float32), vectors),
        recent=like(np.full((count, REMEMBERED), -1), vectors),
        near=near,
        cosines=cosines,
    )
    return arrived, random


def new_swarm(
    documents: Documents,
    query: Float[Array, " dim"],
    *,
    agents: int,
    seed: int,
    similarity: Float[Array, " documents"],
    trails: Trails | None = None,
) -> Swarm:
    """Create the state of a simulation before its first step.

    Args:
        query: Vector around which the agents start, of any length.
        agents: Number of agents.
        seed: Seed of the random numbers, >= 0.
        similarity: Relevance of each document before the first visit.
        trails: Trails to start with; None for none.
    """
    arrived, random = spawned(agents, documents, query, RandomStream(seed))
    count, vectors = len(documents), documents.vectors
    return Swarm(
        0,
        arrived,
        trails or Trails.none(count, beside=vectors),
        visits=like(np.zeros(count, np.int64), vectors),
        last_visited=like(np.full(count, -np.inf, np.float32), vectors),
        relevance=similarity,
        random=random,
    )


def resized(swarm: Swarm, count: int, documents: Documents, query: Float[Array, " dim"]) -> Swarm:
    """Change the number of agents. New agents start around the query; if there are too many, the newest are removed."""
    missing = count - len(swarm.agents)
    if missing <= 0:
        return replace(swarm, agents=swarm.agents.first(count))
    arrived, random = spawned(missing, documents, query, swarm.random)
    return replace(swarm, agents=swarm.agents.joined(arrived), random=random)


@dataclass(frozen=True, slots=True)
class RandomStream:
    """A stream of random numbers, whose whole state is two integers.

    On a CPU the numbers are the same for NumPy and for PyTorch. A GPU draws its own, because moving millions of
    numbers to it would take as long as a step.

    Attributes:
        seed: Seed of the stream, >= 0.
        draws: Number of arrays drawn so far.
    """

    seed: int
    draws: int = 0

    def normal(self, shape: tuple[int, ...], *, beside: Array) -> tuple[Array, RandomStream]:
        """Return normal numbers of mean 0 and deviation 1, 32-bit floats in an array like `beside`, and the rest."""
        if on_cpu(beside):
            numbers = like(self._generator().standard_normal(shape, np.float32), beside)
        else:
            xp = array_namespace(beside)
            seed = int(np.random.SeedSequence([self.seed, self.draws]).generate_state(1)[0])
            generator = xp.Generator(beside.device).manual_seed(seed)
            numbers = xp.randn(shape, generator=generator, device=beside.device)
        return numbers, self._later()

    def uniform(self, count: int, *, beside: Array) -> tuple[Array, RandomStream]:
        """Return numbers from 0 to 1, 32-bit floats in an array like `beside`, and the rest of the stream."""
        return like(self._generator().random(count, np.float32), beside), self._later()

    def _generator(self) -> np.random.Generator:
        return np.random.Generator(np.random.SFC64([self.seed, self.draws]))

    def _later(self) -> RandomStream:
        return RandomStream(self.seed, self.draws + 1)
