"""One feedback, with all that it lays, against one empty write transaction."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from statistics import median

import neo4j
import numpy as np

from benchmarks.result import Result
from benchmarks.synthetic import TableEmbedder
from benchmarks.workbench import Workbench, say
from graphpalace.bootstrap import opened
from graphpalace.domain.vectors import unit_rows
from graphpalace.operations.drawers import NewDrawer
from graphpalace.operations.question import Question

TARGET = 4.0
_TURNS, _WARM_UP = 300, 100
_DRAWERS = 100


async def measure(bench: Workbench) -> Result:
    """Give feedback on one drawer of each answer and run empty transactions in turns."""
    assert bench.running
    embedder = TableEmbedder()
    rng = np.random.default_rng(1)
    vectors = unit_rows(rng.standard_normal((_DRAWERS + _TURNS, embedder.dimension)).astype(np.float32))
    texts = [f"drawer {number}" for number in range(_DRAWERS)]
    embedder.table.update(zip(texts, vectors, strict=False))
    auth = (bench.server.user, bench.server.password)
    async with (
        opened(bench.settings, embedder=embedder) as app,
        neo4j.AsyncGraphDatabase.driver(bench.server.uri, auth=auth) as driver,
    ):
        await app.create_palace("feedback")
        say("making a palace")
        for number, text in enumerate(texts):
            await app.drawers.add("feedback", NewDrawer(text=text, wing=f"w{number % 3}", room=f"r{number % 5}"))
        say("searching")
        answers = [
            await app.recall.search(
                "feedback",
                Question(
                    f"drawer {turn % _DRAWERS}", vectors[_DRAWERS + turn].tolist(), without=frozenset({"learning"})
                ),
            )
            for turn in range(_TURNS)
        ]
        await app.searches.flush()

        async def feedback(turn: int) -> None:
            drawer = answers[turn].hits[turn % 3].drawer["id"]
            await app.feedback.give("feedback", run=answers[turn].run, useful={drawer: 1.0})

        async def empty(_turn: int) -> None:
            async with driver.session() as session:
                await session.execute_write(_nothing)

        say(f"{_TURNS} times feedback and as many empty transactions")
        spent: dict[str, list[float]] = {"feedback": [], "empty": []}
        works: dict[str, Callable[[int], Awaitable[None]]] = {"feedback": feedback, "empty": empty}
        for turn in range(_TURNS):
            for name, work in works.items():
                started = time.perf_counter()
                await work(turn)
                spent[name].append(time.perf_counter() - started)
    middle = {name: median(times[_WARM_UP:]) for name, times in spent.items()}
    ratio = middle["feedback"] / middle["empty"]
    figures = {
        "ratio_is": "median time of a feedback on one drawer, divided by that of an empty write transaction; at most",
        "feedback_ms": middle["feedback"] * 1000,
        "empty_ms": middle["empty"] * 1000,
        "p95_feedback_ms": float(np.percentile(spent["feedback"][_WARM_UP:], 95)) * 1000,
        "turns": _TURNS - _WARM_UP,
    }
    return bench.result("feedback", ratio=ratio, target=TARGET, met=ratio <= TARGET, figures=figures)


async def _nothing(tx: neo4j.AsyncManagedTransaction) -> None:
    await (await tx.run("RETURN 1")).consume()
