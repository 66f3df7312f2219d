"""Fusing two lanes against Redis: ZUNIONSTORE over the same two sets, then reading the best 200."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from statistics import median
from typing import Any, cast

import numpy as np
import redis

from benchmarks.redis_server import redis_server
from benchmarks.result import Result
from benchmarks.workbench import Workbench, say
from graphpalace.app import GraphPalace, opened
from graphpalace.domain.runs.run import LaneRanking, Run
from graphpalace.domain.search.fusion_plan import Plan
from graphpalace.fuse.blend import blend
from graphpalace.fuse.lane_fusion import best_first, pooled, rank_scores
from graphpalace.operations.runs.fusion_runs import LaneRunChoice
from graphpalace.operations.runs.run_store import utc_now
from graphpalace.store.runs import StoredRuns

TARGET = 1.0
MEMBERS = 10_000  # of each lane
_BEST, _K = 200, 60
_TURNS, _WARM_UP = 60, 10
_WHOLE_TURNS = 15
_LANES = ("fulltext", "semantic")

Best = list[tuple[str, float]]


async def measure(bench: Workbench) -> Result:
    """Fuse in turns here and in Redis, then the whole operation with Neo4j, and each of its steps by itself."""
    size = bench.drawers or MEMBERS
    palace = await bench.large(size + size // 2)
    rng = np.random.default_rng(11)
    ids = [palace.ids[at] for at in rng.permutation(len(palace.ids))]
    other = ids[size // 2 :]
    rng.shuffle(other)
    lanes = (tuple(ids[:size]), tuple(other[:size]))
    say("fusing here and in Redis")
    with redis_server() as client:
        ours, theirs, reading = _in_turns(client, lanes)
        version = str(client.info("server")["redis_version"])  # pyright: ignore[reportIndexIssue]
    say("fusing with Neo4j")
    async with opened(bench.settings) as app:
        whole = await _whole(app, palace.name, lanes)
    ratio = median(ours) / median(theirs)
    figures = {
        "ratio_is": "p50 of pooling, scoring and ordering two runs in memory, divided by p50 of Redis; at most",
        "members_of_a_lane": size,
        "in_both_lanes": size - size // 2,
        "best": _BEST,
        "fusion_ms": median(ours),
        "fusion_p95_ms": float(np.percentile(ours, 95)),
        "redis_ms": median(theirs),
        "redis_p95_ms": float(np.percentile(theirs, 95)),
        "redis_reading_best_ms": median(reading),
        "redis": version,
        "whole_operation": whole,
    }
    return bench.result("blend", ratio=ratio, target=TARGET, met=ratio <= TARGET, figures=figures)


def _in_turns(client: redis.Redis, lanes: tuple[tuple[str, ...], ...]) -> tuple[list[float], list[float], list[float]]:
    """Return the milliseconds of each fusion here, of each in Redis, and of the reading in it.

    Raises:
        RuntimeError: If the two do not agree.
    """
    for lane, members in zip(_LANES, lanes, strict=True):
        client.zadd(lane, {member: 1 / (_K + rank) for rank, member in enumerate(members, 1)})
    ours, theirs, reading = [], [], []
    for turn in range(_TURNS + _WARM_UP):
        started = time.perf_counter()
        here = _fused(lanes)
        between = time.perf_counter()
        client.zunionstore("fused", dict.fromkeys(_LANES, 1.0))
        stored = time.perf_counter()
        there = client.zrevrange("fused", 0, _BEST - 1, withscores=True)
        ended = time.perf_counter()
        if not turn:
            scored = cast(list[tuple[bytes, float]], there)
            _check(here, [(member.decode(), score) for member, score in scored])
        if turn >= _WARM_UP:
            ours.append((between - started) * 1000)
            theirs.append((ended - between) * 1000)
            reading.append((ended - stored) * 1000)
    return ours, theirs, reading


def _fused(lanes: tuple[tuple[str, ...], ...]) -> Best:
    """Return the best of the fusion and their scores, made as `fuse.blend` makes them; all of it is ordered."""
    ids, rankings = pooled(lanes)
    total = np.zeros(len(ids))
    for ranking in rankings:
        total += rank_scores(ranking, size=len(ids), weight=1.0, k=_K)
    best = best_first(total)[:_BEST]
    return list(zip([ids[at] for at in best.tolist()], total[best].tolist(), strict=True))


def _check(here: Best, there: Best) -> None:
    """Raise unless the scores are the same; Redis breaks ties the other way round."""
    ours, theirs = ([score for _, score in one] for one in (here, there))
    if not np.allclose(ours, theirs, rtol=1e-9):
        raise RuntimeError("the fusion and Redis do not give the same scores")


async def _whole(app: GraphPalace, palace: str, lanes: tuple[tuple[str, ...], ...]) -> dict[str, Any]:
    """Return medians of milliseconds of `rrf_blend_frontier` behind its doors, and of its steps by themselves."""
    runs = [await _lane_run(app, palace, lane, ids) for lane, ids in zip(_LANES, lanes, strict=True)]
    chosen = [LaneRunChoice(run.id) for run in runs]
    fusions, run_store = app.runs.fusions, app.runs.store
    made: list[Run] = []

    async def fuse() -> None:
        made.append((await fusions.blend(palace, chosen, {}))[0])

    async def fuse_unread() -> None:
        run_store.forget(palace)
        await fuse()

    async def read_lanes() -> None:
        run_store.forget(palace)
        for run in runs:
            await run_store.get(palace, run.id)

    async def read_drawers() -> None:
        for run in runs:
            await StoredRuns(app.database).members(palace, run.ids)

    await fuse()
    plan = Plan.from_recipe(made[-1].recipe)
    known = await StoredRuns(app.database).members(palace, list(dict.fromkeys([*lanes[0], *lanes[1]])))
    rankings = [LaneRanking(run.id, run.lane, run.ids) for run in runs]

    async def formulas() -> None:
        blend(rankings, known, plan, codes_top_n=50, contributions_top=_BEST)

    async def store() -> None:
        await run_store.put(replace(made[-1], id="fusion", history=()), digits=10)

    return {
        "runs_in_memory_ms": await _p50(fuse),
        "runs_not_in_memory_ms": await _p50(fuse_unread),
        "steps_ms": {
            "read_runs": await _p50(read_lanes),
            "read_drawers": await _p50(read_drawers),
            "fuse_with_codes_frontier_contributions": await _p50(formulas),
            "store": await _p50(store),
        },
    }


async def _lane_run(app: GraphPalace, palace: str, lane: str, ids: tuple[str, ...]) -> Run:
    """Keep a run of a lane as a search of the lane does."""
    scores = tuple(1 / (_K + rank) for rank in range(1, len(ids) + 1))
    now = utc_now()
    run = Run(lane, palace, "lane", lane, ids, scores, {"kind": "lane", "lane": lane}, 0, now, now)
    return await app.runs.store.put(run, digits=8)


async def _p50(step: Callable[[], Awaitable[None]]) -> float:
    times = []
    for turn in range(_WHOLE_TURNS + 2):
        started = time.perf_counter()
        await step()
        if turn >= 2:
            times.append((time.perf_counter() - started) * 1000)
    return median(times)
