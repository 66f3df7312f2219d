"""A step of the simulation against the one product that it cannot do without, with the best three of each row."""

from __future__ import annotations

from statistics import median
from typing import Any

import numpy as np
import torch

from benchmarks.result import Result
from benchmarks.turns import spent_in_turns
from benchmarks.workbench import Workbench, say
from graphpalace.simulate.convergence import Convergence, Rules
from graphpalace.simulate.documents import Documents
from graphpalace.simulate.metrics import metrics_of
from graphpalace.simulate.relevance import QueryRelevance
from graphpalace.simulate.step import next_step
from graphpalace.simulate.swarm import new_swarm

TARGET = 3.0
DIMENSION = 384
AGENTS = 200
_TURNS = 200
_WARM_UP = 60  # steps until there are as many trails as there will be
_RULES = Rules()


class Simulation:
    """A simulation over documents around some topics."""

    def __init__(self, documents: int, agents: int, *, device: str = "cpu") -> None:
        self.documents = Documents.of(topical_vectors(documents, seed=7), device=device)
        query = self.documents.vectors[0]
        similarity = self.documents.cosines(query)
        self.asked = QueryRelevance(similarity, torch.zeros_like(similarity))
        self.swarm = new_swarm(self.documents, query, agents=agents, seed=7, similarity=similarity)
        self.convergence = Convergence()

    def step(self) -> None:
        """Make one step with all that a live simulation does for it, but pictures."""
        self.swarm = next_step(
            self.swarm,
            self.documents,
            self.asked,
            now=float(self.swarm.step + 1),
            exploration_bonus=0.1,
            pheromone_decay=0.95,
            kw_lambda=0.0,
        )
        self.convergence = self.convergence.following(self.swarm, metrics_of(self.swarm), _RULES)

    def product_and_best(self) -> None:
        """Take one product and the best three of each row, in the plainest way."""
        torch.topk(self.swarm.agents.positions @ self.documents.vectors.T, 3)


async def measure(bench: Workbench) -> Result:
    """Measure at 1,000 and 5,000 documents; the larger ratio counts."""
    found = {documents: _measured(documents) for documents in (1000, 5000)}
    ratio = max(figures["ratio"] for figures in found.values())
    figures = {
        "ratio_is": "p50 of a step divided by p50 of the product and the best three, the larger of both sizes; at most",
        "agents": AGENTS,
        "dimension": DIMENSION,
    }
    figures |= {f"documents_{documents}": figures for documents, figures in found.items()}
    return bench.result("swarm", ratio=ratio, target=TARGET, met=ratio <= TARGET, figures=figures)


def topical_vectors(documents: int, *, seed: int) -> np.ndarray:
    """Return vectors of length one around topics, as those of texts are."""
    random = np.random.default_rng(seed)
    topics = random.standard_normal((max(documents // 50, 1), DIMENSION), np.float32)
    vectors = topics[random.integers(len(topics), size=documents)]
    vectors += 0.8 * random.standard_normal(vectors.shape, np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def _measured(documents: int) -> dict[str, Any]:
    say(f"{AGENTS} agents over {documents} documents")
    simulation = Simulation(documents, AGENTS)
    for _ in range(_WARM_UP):
        simulation.step()
    spent = spent_in_turns({"step": simulation.step, "product": simulation.product_and_best}, _TURNS)
    step, product = median(spent["step"]), median(spent["product"])
    return {
        "ratio": step / product,
        "step_ms": 1000 * step,
        "step_p95_ms": 1000 * float(np.percentile(spent["step"], 95)),
        "product_and_best_ms": 1000 * product,
        "steps_per_s": 1 / step,
        "trails": len(simulation.swarm.trails),
    }
