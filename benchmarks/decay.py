"""One run of the decay against the seed's own statements, which look at every node and every edge."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from statistics import median
from typing import Any

import neo4j

from benchmarks.result import Result
from benchmarks.workbench import Workbench, say
from graphpalace.app import make_decay, migrate_database, open_database
from graphpalace.operations.pheromones.decay import Decay
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database

TARGET, TARGET_ALL = 1 / 20, 1.0
PALACE = "main"
_CLOSETS, _DRAWERS, _SIMILAR = 800, 250, 4  # 200,000 drawers; 200,000 HAS_DRAWER and 800,000 SIMILAR_TO
_WARM_UP, _TURNS, _TURNS_ALL = 5, 7, 2
_BATCH = 100_000

_FILL = """
UNWIND range(0, $closets - 1) AS number
CALL (number) {
  CREATE (c:Closet {id: 'closet' + number, palace: $palace, exploitation_pheromone: 0.0, exploration_pheromone: 0.0})
  WITH c
  UNWIND range(number * $drawers, (number + 1) * $drawers - 1) AS at
  CREATE (c)-[:HAS_DRAWER {
    success_pheromone: 0.0, traversal_pheromone: 0.0, recency_pheromone: 0.0, base_cost: 0.3, current_cost: 0.3
  }]->(:Drawer {
    id: 'drawer' + at, palace: $palace, wing_id: 'wing', room_id: 'room', text: $text, position: at, start_line: 1,
    end_line: 9, headings: ['one', 'two'], created_at: datetime(), importance: 0.5,
    exploitation_pheromone: 0.0, exploration_pheromone: 0.0
  })
} IN TRANSACTIONS OF 40 ROWS
"""
_LINK = """
MATCH (a:Drawer)
CALL (a) {
  UNWIND range(1, $similar) AS step
  MATCH (b:Drawer {id: 'drawer' + (a.position + 7919 * step) % $count})
  CREATE (a)-[:SIMILAR_TO {
    similarity: 0.7, base_cost: 0.3, current_cost: 0.3,
    success_pheromone: 0.0, traversal_pheromone: 0.0, recency_pheromone: 0.0
  }]->(b)
} IN TRANSACTIONS OF 10000 ROWS
"""
# Every so many-th element is warm, all others are cold; as strong as can be, so that none fades while it is measured.
_WARM_EDGES = """
MATCH (a:Drawer)-[e:HAS_DRAWER|SIMILAR_TO]-(b)
WHERE startNode(e) = a OR type(e) = 'HAS_DRAWER'
CALL (e) {
  WITH e, rand() < $share AS warm
  SET
    e.success_pheromone = CASE WHEN warm THEN 5.0 ELSE 0.0 END,
    e.traversal_pheromone = CASE WHEN warm THEN 5.0 ELSE 0.0 END,
    e.recency_pheromone = CASE WHEN warm THEN 5.0 ELSE 0.0 END,
    e.pheromone_cycle = CASE WHEN warm THEN $cycle END, e.warm_in = CASE WHEN warm THEN $palace END
} IN TRANSACTIONS OF 50000 ROWS
"""
_WARM_NODES = """
MATCH (n:Drawer)
CALL (n) {
  WITH n, rand() < $share AS warm
  SET
    n.exploitation_pheromone = CASE WHEN warm THEN 5.0 ELSE 0.0 END,
    n.exploration_pheromone = CASE WHEN warm THEN 5.0 ELSE 0.0 END,
    n.pheromone_cycle = CASE WHEN warm THEN $cycle END, n.warm_in = CASE WHEN warm THEN $palace END
} IN TRANSACTIONS OF 50000 ROWS
"""
_ADVANCE = "MATCH (p:Palace {name: $palace}) SET p.cycle = p.cycle + 1 RETURN p.cycle AS cycle"
# The least that a run has to write, with nothing computed and nothing locked first.
_BARE = """
MATCH ()-[e:SIMILAR_TO]->() USING INDEX SEEK e:SIMILAR_TO(warm_in) WHERE e.warm_in = $palace
SET
  e.success_pheromone = e.success_pheromone * 0.99, e.traversal_pheromone = e.traversal_pheromone * 0.97,
  e.recency_pheromone = e.recency_pheromone * 0.9, e.current_cost = e.current_cost * 1.001,
  e.pheromone_cycle = e.pheromone_cycle
"""
# As the three files cypher/pheromones/seed_*.cypher, but in large transactions: one of all rows does not fit.
_SEED_IN_BATCHES = (
    """
MATCH (n)
WHERE n.exploitation_pheromone > 0.001 OR n.exploration_pheromone > 0.001
CALL (n) {
  SET n.exploitation_pheromone = n.exploitation_pheromone * (1.0 - $exploitation_rate),
      n.exploration_pheromone = n.exploration_pheromone * (1.0 - $exploration_rate)
} IN TRANSACTIONS OF $batch ROWS
""",
    """
MATCH ()-[e]->()
WHERE e.success_pheromone > 0.001 OR e.traversal_pheromone > 0.001 OR e.recency_pheromone > 0.001
CALL (e) {
  SET e.success_pheromone = e.success_pheromone * (1.0 - $success_rate),
      e.traversal_pheromone = e.traversal_pheromone * (1.0 - $traversal_rate),
      e.recency_pheromone = e.recency_pheromone * (1.0 - $recency_rate)
} IN TRANSACTIONS OF $batch ROWS
""",
    """
MATCH ()-[e]->()
CALL (e) {
  WITH
    e,
    e.base_cost * (1.0 - 0.5 * (
      0.5 * CASE WHEN e.success_pheromone > 1.0 THEN 1.0 ELSE e.success_pheromone END
      + 0.3 * CASE WHEN e.recency_pheromone > 1.0 THEN 1.0 ELSE e.recency_pheromone END
      + 0.2 * CASE WHEN e.traversal_pheromone > 1.0 THEN 1.0 ELSE e.traversal_pheromone END
    )) AS cost
  SET e.current_cost = CASE WHEN cost < 0.0 THEN 0.0 WHEN cost > 10.0 THEN 10.0 ELSE cost END
} IN TRANSACTIONS OF $batch ROWS
""",
)


async def measure(bench: Workbench) -> Result:
    """Fill a palace of a million edges on a server of its own, and decay it in turns with the seed's statements."""
    apart = Workbench(bench.home / "decay")
    try:
        assert apart.running
        await migrate_database(apart.settings)
        database = open_database(apart.settings)
        try:
            with neo4j.GraphDatabase.driver(
                apart.server.uri, auth=(apart.server.user, apart.server.password)
            ) as driver:
                figures = await _figures(driver, database, make_decay(apart.settings, database), apart.settings)
        finally:
            await database.close()
    finally:
        apart.close()
    some, everything = figures["one_in_100_warm"], figures["all_warm"]
    met = some["met"] and everything["met"]
    return apart.result("decay", ratio=some["ratio"], target=TARGET, met=met, figures=figures)


async def _figures(driver: neo4j.Driver, database: Database, decay: Decay, settings: Settings) -> dict[str, Any]:
    say("storing 200,000 drawers and 1,000,000 edges")
    count = _CLOSETS * _DRAWERS
    _run(driver, _FILL, closets=_CLOSETS, drawers=_DRAWERS, text="some words of a drawer " * 25)
    _run(driver, _LINK, similar=_SIMILAR, count=count)
    rates = {f"{name}_rate": rate for name, rate in asdict(settings.pheromones.rates).items()}

    async def seed() -> None:
        nodes, edges = ("exploitation_rate", "exploration_rate"), ("success_rate", "traversal_rate", "recency_rate")
        await database.write(None, "pheromones/seed_decay_nodes", **{name: rates[name] for name in nodes})
        await database.write(None, "pheromones/seed_decay_edges", **{name: rates[name] for name in edges})

    async def seed_in_batches() -> None:
        for statement in _SEED_IN_BATCHES:
            _run(driver, statement, batch=_BATCH, **rates)

    async def seed_costs() -> None:
        _run(driver, _SEED_IN_BATCHES[-1], batch=_BATCH)

    async def bare() -> None:
        _run(driver, _BARE)

    figures: dict[str, Any] = {
        "ratio_is": "seconds of a run with 1 in 100 warm, divided by those of the seed's two statements; at most",
        "same_work_ratio_is": "against those two and the seed's costs of all edges: a run renews costs too",
        "edges": count * (_SIMILAR + 1),
        "nodes": count + _CLOSETS,
    }
    for name, share in (("one_in_100_warm", 0.01), ("one_in_1000_warm", 0.001)):
        say(name.replace("_", " "))
        _warm(driver, share)
        taken = await _in_turns(driver, decay, seed, bare, turns=_TURNS, warm_up=_WARM_UP)
        costs_s = [await _timed(seed_costs) for _ in range(_TURNS_ALL)]
        figures[name] = taken | {
            "target": TARGET,
            "met": taken["ratio"] <= TARGET,
            "seed_costs_seconds": costs_s,
            "same_work_ratio": taken["run_s"] / (taken["seed_s"] + median(costs_s)),
        }
        say(f"ratio {taken['ratio']:.3f}")
    say("all warm")
    _warm(driver, 1.0)
    taken = await _in_turns(driver, decay, seed_in_batches, turns=_TURNS_ALL, warm_up=0)
    figures["all_warm"] = taken | {
        "target": TARGET_ALL,
        "met": taken["ratio"] <= TARGET_ALL,
        "seed_is": f"its two statements and its costs, in transactions of {_BATCH:,} rows: one does not fit in memory",
    }
    return figures


async def _in_turns(
    driver: neo4j.Driver,
    decay: Decay,
    seed: Callable[[], Awaitable[None]],
    bare: Callable[[], Awaitable[None]] | None = None,
    *,
    turns: int,
    warm_up: int,
) -> dict[str, Any]:
    """Take turns; Java compiles while the first ones warm up."""
    theirs, ours, least, runs = [], [], [], []
    for _ in range(warm_up + turns):
        theirs.append(await _timed(seed))
        _run(driver, _ADVANCE)
        started = time.perf_counter()
        runs.append(await decay.apply(PALACE))
        ours.append(time.perf_counter() - started)
        if bare:
            least.append(await _timed(bare))
    run_s, seed_s = median(ours[warm_up:]), median(theirs[warm_up:])
    return {
        "ratio": run_s / seed_s,
        "run_s": run_s,
        "seed_s": seed_s,
        "run_seconds": ours,
        "seed_seconds": theirs,
        "warm_up_turns": warm_up,
        "rows": runs[-1].nodes + runs[-1].edges,
    } | ({"bare_writes_of_similar_to_seconds": median(least[warm_up:])} if bare else {})


async def _timed(work: Callable[[], Awaitable[None]]) -> float:
    started = time.perf_counter()
    await work()
    return time.perf_counter() - started


def _warm(driver: neo4j.Driver, share: float) -> None:
    (cycle,) = (record["cycle"] for record in _run(driver, _ADVANCE))
    for statement in (_WARM_NODES, _WARM_EDGES):
        _run(driver, statement, share=share, cycle=cycle)


def _run(driver: neo4j.Driver, statement: str, **params: Any) -> list[neo4j.Record]:
    with driver.session() as session:
        return list(session.run(statement, {"palace": PALACE} | params))  # pyright: ignore[reportArgumentType]
