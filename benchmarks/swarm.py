"""A step of the simulation against the one product that it cannot do without, with the best three of each row.

Where PyTorch is installed, its steps on the processor take turns with those of NumPy, which the product computes with.
"""

from __future__ import annotations

from statistics import median
from typing import Any

import numpy as np

from benchmarks.result import Result
from benchmarks.turns import spent_in_turns
from benchmarks.workbench import Workbench, say
from graphpalace.arrays import first_greatest, has_torch, namespace_on
from graphpalace.simulate.convergence import Convergence, Rules, metrics_of
from graphpalace.simulate.documents import Documents
from graphpalace.simulate.step import QueryRelevance, next_step
from graphpalace.simulate.swarm import new_swarm

TARGET = 3.0
NUMPY_TARGET = 1.1
DIMENSION = 384
AGENTS = 200
_TURNS = 200
_WARM_UP = 60  # steps until there are as many trails as there will be
_RULES = Rules()


class Simulation:
    """A simulation over documents around some topics."""

    def __init__(self, documents: int, agents: int, *, library: str = "numpy", device: str = "cpu") -> None:
        xp = namespace_on("cpu" if library == "numpy" else "cuda")
        self.documents = Documents.of(xp.asarray(topical_vectors(documents, seed=7), device=device))
        query = self.documents.vectors[0]
        similarity = self.documents.cosines(query)
        self.asked = QueryRelevance(similarity, 0 * similarity)
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
        """Take one product and the best three of each row."""
        first_greatest(self.swarm.agents.positions @ self.documents.vectors.T, 3)


def libraries() -> list[str]:
    """Return what can compute on the processor here, NumPy first."""
    return ["numpy", *(["torch"] if has_torch() else [])]


def numpy_to_torch(seconds: dict[str, float]) -> dict[str, Any] | str:
    """Return the ratio of the seconds of a step by NumPy to those by PyTorch."""
    if "torch" not in seconds:
        return "torch is not installed"
    return {
        "ratio": seconds["numpy"] / seconds["torch"],
        "target": NUMPY_TARGET,
        "torch_step_ms": 1000 * seconds["torch"],
    }


async def measure(bench: Workbench) -> Result:
    """Measure at 1,000 and 5,000 documents; the larger ratio counts."""
    found = {documents: _measured(documents) for documents in (1000, 5000)}
    ratio = max(figures["ratio"] for figures in found.values())
    against = [figures["numpy_to_torch"] for figures in found.values()]
    figures = {
        "numpy_to_torch": max(against, key=lambda one: one["ratio"]) if has_torch() else against[0],
        "ratio_is": "p50 of a step divided by p50 of the product and the best three, the larger of both sizes; at most",
        "agents": AGENTS,
        "dimension": DIMENSION,
    }
    figures |= {f"documents_{documents}": figures for documents, figures in found.items()}
    met = ratio <= TARGET and all(map(keeps_up, against))
    return bench.result("swarm", ratio=ratio, target=TARGET, met=met, figures=figures)


def keeps_up(against_torch: dict[str, Any] | str) -> bool:
    """Return whether NumPy's step takes little longer than PyTorch's, or there is none to compare it with."""
    return isinstance(against_torch, str) or against_torch["ratio"] <= NUMPY_TARGET


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
    simulations = {library: Simulation(documents, AGENTS, library=library) for library in libraries()}
    simulation = simulations["numpy"]
    for each in simulations.values():
        for _ in range(_WARM_UP):
            each.step()
    steps = {library: each.step for library, each in simulations.items()}
    spent = spent_in_turns({**steps, "product": simulation.product_and_best}, _TURNS)
    each = {name: median(seconds) for name, seconds in spent.items()}
    step, product = each["numpy"], each.pop("product")
    return {
        "ratio": step / product,
        "step_ms": 1000 * step,
        "step_p95_ms": 1000 * float(np.percentile(spent["numpy"], 95)),
        "product_and_best_ms": 1000 * product,
        "steps_per_s": 1 / step,
        "trails": len(simulation.swarm.trails),
        "numpy_to_torch": numpy_to_torch(each),
    }
