"""Loading a palace of 200,000 nodes and 1,000,000 edges into arrays, against reading it row by row."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from statistics import median
from typing import Any, LiteralString, cast

import neo4j
import numpy as np

from benchmarks.result import Result
from benchmarks.synthetic_palace_graph import palace_graph
from benchmarks.workbench import Workbench, say
from graphpalace.app import opened
from graphpalace.domain.walking.graph_snapshot import KINDS, RELATIONS, GraphSnapshot
from graphpalace.replica.snapshots import Snapshots

TARGET = 0.2
_TURNS, _WARM_UP = 4, 1  # Java compiles while the first warms up
_PALACE = "graph"
_BATCH = 20_000

_NODES = """
UNWIND $rows AS row
CREATE (n:{labels} {{
  id: row[0], palace: $palace, name: row[0], wing_id: 'w', exploitation_pheromone: row[1], exploration_pheromone: row[2]
}})
"""
_WINGS = """
MATCH (p:Palace {name: $palace})
MATCH (w:Wing {palace: $palace}) WHERE w.name IS NOT NULL
CREATE (p)-[:CONTAINS]->(w)
"""
_EDGES = """
UNWIND $rows AS row
MATCH (a:{source} {{id: row[0]}})
MATCH (b:{target} {{id: row[1]}})
CREATE (a)-[:{type} {{
  success_pheromone: row[2], traversal_pheromone: row[3], recency_pheromone: row[4], base_cost: row[5],
  current_cost: row[6]
}}]->(b)
"""
_READ_NODES = """
CALL () {
  MATCH (n:Wing|Room|Closet|Drawer|Entity) WHERE n.palace = $palace RETURN n
  UNION ALL
  MATCH (n:Palace {name: $palace}) RETURN n
}
RETURN n.id AS id, labels(n)[0] AS kind, n.exploitation_pheromone AS exploitation,
  n.exploration_pheromone AS exploration, n.pheromone_cycle AS cycle
"""
_READ_EDGES = """
CALL () {
  MATCH (a)-[e:HAS_ROOM|HAS_CLOSET|HAS_DRAWER|HALL|TUNNEL|SIMILAR_TO|REFERENCES]->(b)
  WHERE a.palace = $palace
  RETURN a, e, b
  UNION ALL
  MATCH (a:Palace {name: $palace})-[e:CONTAINS]->(b:Wing)
  RETURN a, e, b
}
RETURN a.id AS source, b.id AS target, type(e) AS type, e.success_pheromone AS success,
  e.traversal_pheromone AS traversal, e.recency_pheromone AS recency, e.base_cost AS base_cost,
  e.pheromone_cycle AS cycle
"""


async def measure(bench: Workbench) -> Result:
    """Store the graph, then read it both ways in turns."""
    assert bench.running
    made = palace_graph().snapshot
    async with opened(bench.settings) as app:
        await app.create_palace(_PALACE)
        with neo4j.GraphDatabase.driver(bench.server.uri, auth=(bench.server.user, bench.server.password)) as driver:
            say("storing 200,000 nodes and 1,000,000 edges")
            _store(driver, made)
            spent: dict[str, list[float]] = {"columns": [], "rows": []}
            for turn in range(_TURNS):
                say(f"turn {turn + 1} of {_TURNS}")
                started = time.perf_counter()
                loaded = await Snapshots(
                    app.database,
                    rates=bench.settings.pheromones.rates,
                    cycle_seconds=bench.settings.decay.cycle_seconds,
                ).get(_PALACE)
                spent["columns"].append(time.perf_counter() - started)
                started = time.perf_counter()
                nodes, edges = await asyncio.to_thread(_row_by_row, driver)
                spent["rows"].append(time.perf_counter() - started)
                if (len(loaded.nodes), len(loaded.edges)) != (nodes, edges):
                    raise RuntimeError(f"{len(loaded.nodes)}, {len(loaded.edges)} loaded of {nodes}, {edges}")
            again = await _again(app.replica.snapshots)
    middle = {name: median(times[_WARM_UP:]) for name, times in spent.items()}
    ratio = middle["columns"] / middle["rows"]
    figures = {
        "ratio_is": "median seconds to load a snapshot, divided by those of reading the same row by row; at most",
        "nodes": len(made.nodes),
        "edges": len(made.edges),
        "snapshot_s": middle["columns"],
        "row_by_row_s": middle["rows"],
        "each_run_s": spent,
        "unchanged_ms": again * 1000,
    }
    return bench.result("snapshot", ratio=ratio, target=TARGET, met=ratio <= TARGET, figures=figures)


async def _again(snapshots: Snapshots) -> float:
    """Return the seconds it takes to learn that a loaded snapshot is still right."""
    await snapshots.get(_PALACE)
    times = []
    for _ in range(20):
        started = time.perf_counter()
        await snapshots.get(_PALACE)
        times.append(time.perf_counter() - started)
    return median(times)


def _store(driver: neo4j.Driver, made: GraphSnapshot) -> None:
    nodes, edges = made.nodes, made.edges
    with driver.session() as session:

        def write(text: str, rows: list[list[Any]]) -> None:
            query = cast(LiteralString, text)  # made of literals above
            for at in range(0, len(rows), _BATCH):
                part = rows[at : at + _BATCH]
                session.execute_write(lambda tx, part: tx.run(query, palace=_PALACE, rows=part).consume(), part)

        for code, kind in enumerate(KINDS):
            labels = f"{kind}:{kind}_{_PALACE}" if kind == "Drawer" else kind
            chosen = np.flatnonzero(nodes.kind == code)
            rows = [[nodes.ids[at], float(nodes.exploitation[at]), float(nodes.exploration[at])] for at in chosen]
            write(_NODES.format(labels=labels), rows)
        session.run(_WINGS, palace=_PALACE).consume()
        for code, name in enumerate(RELATIONS):
            chosen = np.flatnonzero(edges.relation == code)
            if len(chosen):
                ends = (KINDS[nodes.kind[ends[chosen[0]]]] for ends in (edges.source, edges.target))
                text = _EDGES.format(source=next(ends), target=next(ends), type=name)
                write(text, list(_edge_rows(made, chosen)))


def _edge_rows(made: GraphSnapshot, chosen: np.ndarray) -> Iterator[list[Any]]:
    edges, ids = made.edges, made.nodes.ids
    trails = (edges.success, edges.traversal, edges.recency, edges.base_cost, edges.current_cost)
    figures = np.stack([values[chosen] for values in trails], axis=1).tolist()
    for at, row in zip(chosen, figures, strict=True):
        yield [ids[edges.source[at]], ids[edges.target[at]], *row]


def _row_by_row(driver: neo4j.Driver) -> tuple[int, int]:
    """Read the same values a record at a time into arrays; return how many nodes and edges there are."""
    with driver.session(default_access_mode=neo4j.READ_ACCESS, fetch_size=2000) as session:
        nodes: list[list[Any]] = [[] for _ in range(5)]
        for record in session.run(_READ_NODES, palace=_PALACE):
            for column, value in zip(nodes, record, strict=True):
                column.append(value)
        index = {node: at for at, node in enumerate(nodes[0])}
        edges: list[list[Any]] = [[] for _ in range(8)]
        for record in session.run(_READ_EDGES, palace=_PALACE):
            for column, value in zip(edges, record, strict=True):
                column.append(value)
        source, target = (np.array([index[node] for node in edges[end]], np.int32) for end in (0, 1))
        for column in edges[3:7]:
            np.array(column, np.float64)
    return len(nodes[0]), len(np.stack([source, target], axis=1))
