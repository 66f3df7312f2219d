"""Rewarding a path of five edges against one empty write transaction."""

from __future__ import annotations

import uuid
from statistics import median

import neo4j
import numpy as np

from benchmarks.result import Result
from benchmarks.synthetic import TableEmbedder
from benchmarks.turns import empty_write, in_turns
from benchmarks.workbench import Workbench, say
from graphpalace.app import opened
from graphpalace.domain.vectors import unit_rows
from graphpalace.domain.walking.graph_snapshot import KINDS, GraphSnapshot, Trail, edge_refs, node_refs
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.traverse.cheapest_path import cheapest_path
from graphpalace.traverse.path import PathWeights, step_costs

TARGET = 3.0
_TURNS, _WARM_UP = 300, 100
_DRAWERS = 100
_EDGES = 5


async def measure(bench: Workbench) -> Result:
    """Lay deposits and run empty transactions in turns, over the same kind of connection."""
    assert bench.running
    embedder = TableEmbedder()
    vectors = unit_rows(np.random.default_rng(1).standard_normal((_DRAWERS, embedder.dimension)).astype(np.float32))
    texts = [f"drawer {number}" for number in range(_DRAWERS)]
    embedder.table.update(zip(texts, vectors, strict=True))
    auth = (bench.server.user, bench.server.password)
    async with (
        opened(bench.settings, embedder=embedder) as app,
        neo4j.AsyncGraphDatabase.driver(bench.server.uri, auth=auth) as driver,
    ):
        await app.create_palace("deposits")
        say("making a palace")
        for number, text in enumerate(texts):
            await app.drawers.add("deposits", NewDrawer(text=text, wing="w", room=f"r{number % 5}"))
        snapshot = await app.replica.snapshots.get("deposits")
        trails = _trails(snapshot)

        async def deposit(turn: int) -> None:
            trail = trails[turn % len(trails)]
            await app.pheromones.deposits.path_success("deposits", trail, deposit_id=uuid.uuid4().hex)

        say(f"{_TURNS} deposits and as many empty transactions")
        spent = await in_turns({"deposit": deposit, "empty": empty_write(driver)}, _TURNS)
    middle = {name: median(times[_WARM_UP:]) for name, times in spent.items()}
    ratio = middle["deposit"] / middle["empty"]
    figures = {
        "ratio_is": "median time of a deposit on five edges, divided by that of an empty write transaction; at most",
        "deposit_ms": middle["deposit"] * 1000,
        "empty_ms": middle["empty"] * 1000,
        "p95_deposit_ms": float(np.percentile(spent["deposit"][_WARM_UP:], 95)) * 1000,
        "turns": _TURNS - _WARM_UP,
    }
    return bench.result("deposit", ratio=ratio, target=TARGET, met=ratio <= TARGET, figures=figures)


def _trails(snapshot: GraphSnapshot) -> list[Trail]:
    """Return ways of five edges: from a drawer up to its wing and down to a closet of another room."""
    drawers, closets = (np.flatnonzero(snapshot.nodes.kind == KINDS.index(kind)) for kind in ("Drawer", "Closet"))
    costs = step_costs(snapshot, np.zeros(len(snapshot.nodes)), PathWeights())
    found = (cheapest_path(snapshot, costs, int(a), int(b)) for a, b in zip(drawers, closets[::-1], strict=False))
    return [
        Trail(edge_refs(snapshot, path.edges), node_refs(snapshot, path.nodes))
        for path in found
        if path is not None and len(path.edges) == _EDGES
    ]
