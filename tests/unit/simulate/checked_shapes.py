"""Run the swarm with each shape in its types checked: `python checked_shapes.py` prints what it refused."""

from __future__ import annotations

import numpy as np
from jaxtyping import TypeCheckError, install_import_hook

from graphpalace.arrays import has_torch, like, namespace_on

with install_import_hook("graphpalace.simulate", "beartype.beartype"):
    from graphpalace.simulate.convergence import Convergence, Rules, metrics_of
    from graphpalace.simulate.documents import Documents, PrincipalAxes
    from graphpalace.simulate.step import QueryRelevance, keyword_shares, moved, next_step
    from graphpalace.simulate.swarm import Trails, new_swarm, resized


def simulate(count: int, device: str) -> None:
    """Use all of it on some documents."""
    vectors = np.random.default_rng(1).standard_normal((count, 6)).astype(np.float32)
    documents = Documents.of(namespace_on(device).asarray(vectors))
    query = documents.vectors[0]
    shares = like(keyword_shares(["a word"] * count, ["word"]), query)
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
    rows, longer = np.zeros((3, 2), np.float32), np.zeros((4, 2), np.float32)
    found = []
    for name, call in {
        "forces": lambda: moved(rows, rows, attracted=rows, led=rows, noise=longer),
        "question": lambda: QueryRelevance(rows[:, 0], longer[:, 0]),
        "trails": lambda: Trails(3, np.zeros(2, np.int64), rows[:, 0]),
    }.items():
        try:
            call()
        except TypeCheckError:
            found.append(name)
    return found


if __name__ == "__main__":
    for count in (1, 2, 40, 5000):
        for device in ("cpu", *(["torch"] if has_torch() else [])):  # of which the arrays lie on the CPU too
            simulate(count, device)
    print(*refused())
