"""Run the swarm with each shape in its types checked: `python checked_shapes.py` prints what it refused."""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import TypeCheckError, install_import_hook

with install_import_hook("graphpalace.simulate", "beartype.beartype"):
    from graphpalace.simulate.convergence import Convergence, Rules
    from graphpalace.simulate.documents import Documents
    from graphpalace.simulate.forces import moved
    from graphpalace.simulate.metrics import metrics_of
    from graphpalace.simulate.principal_axes import PrincipalAxes
    from graphpalace.simulate.relevance import QueryRelevance, keyword_shares
    from graphpalace.simulate.step import next_step
    from graphpalace.simulate.swarm import new_swarm, resized
    from graphpalace.simulate.trails import Trails


def simulate(count: int) -> None:
    """Use all of it on some documents."""
    documents = Documents.of(np.random.default_rng(1).standard_normal((count, 6)).astype(np.float32))
    query = documents.vectors[0]
    shares = torch.from_numpy(keyword_shares(["a word"] * count, ["word"]))
    asked = QueryRelevance(documents.cosines(query), shares)
    swarm = new_swarm(documents, query, agents=9, seed=1, similarity=asked.similarity)
    convergence = Convergence()
    for step in range(1, 9):
        swarm = resized(swarm, 7 + step % 5, documents, query)
        swarm = next_step(
            swarm, documents, asked, now=float(step), exploration_bonus=1.0, pheromone_decay=0.9, kw_lambda=0.5
        )
        convergence = convergence.following(swarm, metrics_of(swarm), Rules(window=2))
    PrincipalAxes.of(documents.vectors).points(swarm.agents.positions, dims=2)


def refused() -> list[str]:
    """Return which wrong shapes were refused."""
    rows, longer = torch.zeros(3, 2), torch.zeros(4, 2)
    found = []
    for name, call in {
        "forces": lambda: moved(rows, rows, attracted=rows, led=rows, noise=longer),
        "question": lambda: QueryRelevance(torch.zeros(3), torch.zeros(4)),
        "trails": lambda: Trails(3, torch.zeros(2, dtype=torch.int64), torch.zeros(3)),
    }.items():
        try:
            call()
        except TypeCheckError:
            found.append(name)
    return found


if __name__ == "__main__":
    for documents in (1, 2, 40, 5000):
        simulate(documents)
    print(*refused())
