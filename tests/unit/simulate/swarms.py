"""Small corpora and swarms for the tests of the simulation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphpalace.arrays import Array, has_torch, like
from graphpalace.domain.vectors import unit_rows
from graphpalace.simulate.documents import Documents
from graphpalace.simulate.step import QueryRelevance, next_step
from graphpalace.simulate.swarm import Swarm, Trails, new_swarm

KINDS = ["numpy"]  # what computes
if has_torch():
    import torch

    KINDS += ["torch", *(["cuda"] if torch.cuda.is_available() else [])]


def array(values: Any, kind: str = "numpy") -> Array:
    """Return numbers as an array of a kind; floats have 32 bits."""
    numbers = np.array(values)
    numbers = numbers.astype(np.float32) if numbers.dtype == np.float64 else numbers
    if kind == "numpy":
        return numbers
    return torch.from_numpy(numbers).to("cuda" if kind == "cuda" else "cpu")


@dataclass(frozen=True)
class Corpus:
    """Documents and a question."""

    documents: Documents
    query: Array
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


def corpus_of(vectors: np.ndarray, *, keywords: list[float] | None = None, kind: str = "numpy") -> Corpus:
    """Return a corpus whose question is the mean of the documents, a little to one side."""
    documents = Documents.of(array(vectors, kind))
    query = unit_rows(vectors).mean(axis=0)
    query[0] += 0.5
    query = array(query, kind)
    shares = array(keywords or [0.0] * len(vectors), kind)
    return Corpus(documents, query, QueryRelevance(documents.cosines(query), shares))


def trails_of(documents: int, strengths: dict[tuple[int, int], float], *, kind: str = "numpy") -> Trails:
    """Return trails of given strengths."""
    pairs = array(np.array(list(strengths), np.int64).reshape(-1, 2), kind)
    amounts = array(np.array(list(strengths.values()), np.float32), kind)
    return Trails.none(documents, beside=amounts).with_deposits(pairs[:, 0], pairs[:, 1], amounts)


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
        velocities=0 * position,
        recent=like(np.array([recent]), position),
        near=near,
        cosines=cosines,
    )
    return replace(swarm, agents=agents)
