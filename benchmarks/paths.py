"""The cheapest path between two drawers against rustworkx, on 200,000 nodes and 1,000,000 edges."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

import numpy as np
import rustworkx

from benchmarks.result import Result, commit, machine
from benchmarks.synthetic_palace_graph import palace_graph
from benchmarks.workbench import Workbench, say
from graphpalace.domain.walking.graph_snapshot import GraphSnapshot
from graphpalace.traverse.cheapest_path import cheapest_path
from graphpalace.traverse.path import PathWeights, StepCosts, step_costs

TARGET = 1.0
_GOALS, _PAIRS = 10, 20  # pairs for each goal
_A_STAR_EVERY = 5  # pairs: it takes twice as long as Dijkstra
_TOLERANCE = 1e-9


@dataclass
class _Times:
    """Milliseconds of each search."""

    ours: list[float] = field(default_factory=list)
    dijkstra: list[float] = field(default_factory=list)
    a_star: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)


async def measure(bench: Workbench) -> Result:
    """Search each pair in both ways, some by A* too, one after the other, and compare the totals."""
    del bench  # no database is needed
    say("making the palace")
    palace = palace_graph()
    snapshot, drawers, rng, times = palace.snapshot, palace.drawers(), np.random.default_rng(5), _Times()
    for turn in range(_GOALS):
        say(f"searching, goal {turn + 1} of {_GOALS}")
        closeness = palace.closeness(int(rng.choice(drawers)))
        started = time.perf_counter()
        cost = step_costs(snapshot, closeness, PathWeights())
        times.costs.append((time.perf_counter() - started) * 1000)
        graph = _graph(snapshot, cost)
        for source, target in rng.choice(drawers, (_PAIRS, 2)).tolist():
            _search(snapshot, cost, graph, source, target, times)
    ours, dijkstra, a_star = median(times.ours), median(times.dijkstra), median(times.a_star)
    ratio = ours / min(dijkstra, a_star)
    figures = {
        "ratio_is": "p50 of ours divided by the better p50 of rustworkx's Dijkstra and A*; at most",
        "nodes": len(snapshot.nodes),
        "edges": len(snapshot.edges),
        "pairs": len(times.ours),
        "ours_ms": {"p50": ours, "p95": float(np.percentile(times.ours, 95)), "worst": max(times.ours)},
        "rustworkx_dijkstra_ms": dijkstra,
        "rustworkx_a_star_ms": a_star,
        "step_costs_ms": median(times.costs),
        "steps_p50": median(times.steps),
        "totals": f"equal to {_TOLERANCE}",
    }
    return Result("paths", ratio, TARGET, ratio <= TARGET, figures, commit(), machine(neo4j="none", java="none"))


def _graph(snapshot: GraphSnapshot, cost: StepCosts) -> rustworkx.PyDiGraph:
    """Return the arcs with their costs; rustworkx has no edges that cost more one way than the other."""
    adjacency, nodes = snapshot.ways, len(snapshot.nodes)
    tails = np.repeat(np.arange(nodes), np.diff(adjacency.start))
    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(nodes))
    arcs = zip(tails.tolist(), adjacency.neighbour.tolist(), cost.per_arc(snapshot).tolist(), strict=True)
    graph.add_edges_from(list(arcs))
    return graph


def _search(
    snapshot: GraphSnapshot, cost: StepCosts, graph: rustworkx.PyDiGraph, source: int, target: int, times: _Times
) -> None:
    marks = [time.perf_counter()]
    path = cheapest_path(snapshot, cost, source, target)
    marks.append(time.perf_counter())
    # The callbacks are built in, so that rustworkx runs no Python of ours.
    by_dijkstra = rustworkx.dijkstra_shortest_paths(graph, source, target, weight_fn=float)
    marks.append(time.perf_counter())
    found = [list(by_dijkstra[target])]
    if len(times.ours) % _A_STAR_EVERY == 0:
        found.append(list(rustworkx.astar_shortest_path(graph, source, target.__eq__, float, (0.0).__mul__)))
        marks.append(time.perf_counter())
    assert path is not None
    for nodes in found:
        total = sum(min(graph.get_all_edge_data(*step)) for step in pairwise(nodes))
        if abs(total - path.total) > _TOLERANCE:
            raise RuntimeError(f"from {source} to {target}: ours costs {path.total}, rustworkx's {total}")
    spent = [(after - before) * 1000 for before, after in pairwise(marks)]
    for each, value in zip((times.ours, times.dijkstra, times.a_star), spent, strict=False):
        each.append(value)
    times.steps.append(path.steps)
