"""One feedback, with all that it lays, against one empty write transaction."""

from __future__ import annotations

from statistics import median

import neo4j
import numpy as np

from benchmarks.result import Result
from benchmarks.synthetic import TableEmbedder
from benchmarks.turns import empty_write, in_turns
from benchmarks.workbench import Workbench, say
from graphpalace.app import opened
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.vectors import unit_rows
from graphpalace.operations.drawers.drawers import NewDrawer

TARGET = 4.0
_TURNS, _WARM_UP = 1300, 1000  # Java compiles while the first ones warm up
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
                SearchRequest(
                    f"drawer {turn % _DRAWERS}", vectors[_DRAWERS + turn].tolist(), without=frozenset({"learning"})
                ),
            )
            for turn in range(_TURNS)
        ]
        await app.history.searches.flush()

        async def feedback(turn: int) -> None:
            drawer = answers[turn].hits[turn % 3].id
            await app.learning.feedback.give("feedback", run=answers[turn].run, useful={drawer: 1.0})

        say(f"{_TURNS} times feedback and as many empty transactions")
        spent = await in_turns({"feedback": feedback, "empty": empty_write(driver)}, _TURNS)
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
