"""Small corpora and swarms for the tests of the simulation."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch

from graphpalace.simulate.documents import Documents
from graphpalace.simulate.relevance import QueryRelevance
from graphpalace.simulate.step import next_step
from graphpalace.simulate.swarm import Swarm, new_swarm
from graphpalace.simulate.trails import Trails

DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


@dataclass(frozen=True)
class Corpus:
    """Documents and a question."""

    documents: Documents
    query: torch.Tensor
    asked: QueryRelevance

    def swarm(self, agents: int, *, seed: int = 5) -> Swarm:
        """Return a swarm before its first step."""
        return new_swarm(self.documents, self.query, agents=agents, seed=seed, similarity=self.asked.similarity)

    def after(self, swarm: Swarm, steps: int, *, bonus: float = 0.1, decay: float = 0.95, kw: float = 0.0) -> Swarm:
        """Return the swarm some steps later, in deterministic mode."""
        for _ in range(steps):
            now = float(swarm.step + 1)
            swarm = next_step(
                swarm,
                self.documents,
                self.asked,
                now=now,
                exploration_bonus=bonus,
                pheromone_decay=decay,
                kw_lambda=kw,
            )
        return swarm


def random_vectors(documents: int, dimension: int, *, seed: int = 3) -> np.ndarray:
    """Return vectors of different lengths in all directions."""
    return np.random.default_rng(seed).standard_normal((documents, dimension)).astype(np.float32)


def corpus_of(vectors: np.ndarray, *, keywords: list[float] | None = None, device: str = "cpu") -> Corpus:
    """Return a corpus whose question is the mean of the documents, a little to one side."""
    documents = Documents.of(vectors, device=device)
    query = documents.vectors.mean(dim=0)
    query = query.index_fill(0, torch.tensor([0], device=device), float(query[0]) + 0.5)
    shares = torch.tensor(keywords or [0.0] * len(vectors), device=device)
    return Corpus(documents, query, QueryRelevance(documents.cosines(query), shares))


def trails_of(documents: int, strengths: dict[tuple[int, int], float]) -> Trails:
    """Return trails of given strengths."""
    pairs = torch.tensor(list(strengths), dtype=torch.int64).reshape(-1, 2)
    none = Trails.none(documents, torch.device("cpu"))
    return none.with_deposits(pairs[:, 0], pairs[:, 1], torch.tensor(list(strengths.values()), dtype=torch.float32))


def pairs_of(trails: Trails) -> dict[tuple[int, int], float]:
    """Return the strength of each trail by its lower and its higher document."""
    lower, higher = trails.ends
    return dict(zip(zip(lower.tolist(), higher.tolist(), strict=True), trails.strength.tolist(), strict=True))


def standing_at(corpus: Corpus, document: int, *, recent: list[int]) -> Swarm:
    """Return a swarm of one agent at rest on a document, that visited some documents before, latest first."""
    swarm = corpus.swarm(1)
    position = corpus.documents.vectors[document][None]
    near, cosines = corpus.documents.nearest(position)
    agents = replace(
        swarm.agents,
        positions=position,
        velocities=torch.zeros_like(position),
        recent=torch.tensor([recent]),
        near=near,
        cosines=cosines,
    )
    return replace(swarm, agents=agents)
