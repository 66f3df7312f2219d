"""The formulas of the swarm, written plainly for one agent after the other: what the arrays are checked against."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

Vector = np.ndarray


@dataclass
class PlainAgent:
    """One agent; `visited` are the documents it came to, latest last, each once."""

    position: Vector
    velocity: Vector
    boldness: float
    visited: list[int] = field(default_factory=list)


class PlainSwarm:
    """The whole simulation in double precision; noise is drawn as the arrays draw it."""

    def __init__(self, vectors: Vector, query: Vector, *, agents: int, seed: int) -> None:
        self.vectors = [unit(vector) for vector in vectors.astype(np.float64)]
        start = unit(query.astype(np.float64))
        self.similarity = [float(vector @ start) for vector in self.vectors]
        self.relevance = list(self.similarity)
        self.visits = [0] * len(vectors)
        self.last_visited = [-math.inf] * len(vectors)
        self.trails: dict[tuple[int, int], float] = {}
        self.steps = 0
        self._seed, self._draws = seed, 0
        offsets, velocities = self._normal(agents, len(start)), self._normal(agents, len(start))
        boldness = self._drawn().random(agents, np.float32).tolist()
        self.agents = [
            PlainAgent(unit(start + 0.1 * offset), 0.05 * velocity, bold)
            for offset, velocity, bold in zip(offsets, velocities, boldness, strict=True)
        ]

    def step(
        self, *, exploration_bonus: float, pheromone_decay: float, keywords: list[float], kw_lambda: float
    ) -> None:
        """Make a step; the step's number is the clock."""
        self.steps += 1
        noises = self._normal(len(self.agents), len(self.vectors[0]))
        for agent, noise in zip(self.agents, noises, strict=True):
            self._move(agent, noise, exploration_bonus)
        for agent in self.agents:
            self._visit(agent)
        left = {pair: strength * pheromone_decay for pair, strength in self.trails.items()}
        self.trails = {pair: strength for pair, strength in left.items() if strength >= 0.01}
        for document, similarity in enumerate(self.similarity):
            visit_bonus = min(0.1 * self.visits[document], 0.5)
            time_bonus = 0.1 if self.steps - self.last_visited[document] < 1 else 0.0
            self.relevance[document] = similarity + visit_bonus + time_bonus + kw_lambda * keywords[document]

    def place(self, positions: Vector, velocities: Vector) -> None:
        """Put the agents elsewhere."""
        for agent, position, velocity in zip(self.agents, positions, velocities, strict=True):
            agent.position, agent.velocity = position.astype(np.float64), velocity.astype(np.float64)

    def nearest(self, position: Vector) -> list[int]:
        """Return up to three documents of greatest cosine."""
        return sorted(range(len(self.vectors)), key=lambda document: -float(self.vectors[document] @ position))[:3]

    def _move(self, agent: PlainAgent, noise: Vector, exploration_bonus: float) -> None:
        position, near = agent.position, self.nearest(agent.position)
        attraction = np.zeros_like(position)
        for document in near:
            away = self.vectors[document] - position
            cosine = float(self.vectors[document] @ position)
            attraction += unit(away) * cosine * (1 + self.relevance[document])
        pheromone = np.zeros_like(position)
        here = near[0]
        known = [(-strength, sum(pair) - here) for pair, strength in self.trails.items() if here in pair]
        if known:
            lost, end = min(known)
            pheromone = unit(self.vectors[end] - position) * -lost
        factor = min(0.05, exploration_bonus) + agent.boldness * max(0.0, exploration_bonus - 0.05)
        force = 0.6 * attraction + 0.3 * pheromone + 0.1 * factor * noise
        agent.velocity = 0.8 * agent.velocity + 0.2 * force
        agent.position = unit(position + agent.velocity)

    def _visit(self, agent: PlainAgent) -> None:
        here = self.nearest(agent.position)[0]
        self.visits[here] += 1
        self.last_visited[here] = self.steps
        agent.visited = [document for document in agent.visited if document != here]
        for document in agent.visited[-3:]:
            pair = (min(here, document), max(here, document))
            self.trails[pair] = self.trails.get(pair, 0.0) + 1.0 * 1.0 * 0.1
        agent.visited.append(here)

    def _normal(self, agents: int, dimension: int) -> Vector:
        return self._drawn().standard_normal((agents, dimension), np.float32).astype(np.float64)

    def _drawn(self) -> np.random.Generator:
        self._draws += 1
        return np.random.Generator(np.random.SFC64([self._seed, self._draws - 1]))


def unit(vector: Vector) -> Vector:
    """Return a vector of length one, or the vector of length zero."""
    length = math.sqrt(float(vector @ vector))
    return vector / length if length else vector
