"""A simulation that does not run is still asked, shown and set up: nothing waits for its next step."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.simulation.kept_simulation import SimulationStart
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.settings.load import Settings

TOPICS = ("apples grow on trees", "ships sail the sea", "bread is baked from flour", "stars shine at night")
QUICK = {"query": "ships sea", "num_agents": 12, "max_iterations": 15, "seed": 11, "max_steps_per_s": 0.0, "top_k": 12}
LONG = QUICK | {"max_iterations": 5000, "max_steps_per_s": 50.0, "stop_on_convergence": False}


@pytest.fixture(scope="module")
async def topics(app: GraphPalace) -> AsyncIterator[str]:
    """A palace of twelve lines about four things; no test changes its drawers."""
    name = spare_name()
    await app.create_palace(name)
    for number in range(12):
        await app.drawers.add(name, NewDrawer(text=f"{TOPICS[number % 4]}, line {number}", wing="notes"))
    yield name
    await app.drop_palace(name)


@pytest.fixture(scope="module")
async def later(settings: Settings) -> AsyncIterator[GraphPalace]:
    """A service that has nothing in memory of what `app` ran, as after a restart."""
    async with wiring.opened(settings, embedder=WordEmbedder()) as opened:
        yield opened


@pytest.fixture
def name() -> str:
    return f"rests {uuid.uuid4().hex[:8]}"


def by_hand(found: list[dict[str, Any]], *, kw_lambda: float = 0.0) -> None:
    """Check that each score is that of one question, and the order that of the scores."""
    assert [one["score"] for one in found] == sorted((one["score"] for one in found), reverse=True)
    for one in found:
        least = one["similarity"] + min(0.1 * one["visits"], 0.5) + kw_lambda * one["keywords"]
        assert min(abs(one["score"] - least), abs(one["score"] - least - 0.1)) < 1e-5, one


async def greeted(app: GraphPalace, name: str) -> dict[str, dict[str, Any]]:
    """Return what somebody gets who comes to a simulation."""
    with app.simulations.audience(name).seat() as seat:
        await app.simulations.greet(name, seat)
        return {one["type"]: one["data"] for one in map(json.loads, await seat.take())}


@pytest.mark.parametrize("rest", ["paused", "stopped"])
async def test_a_new_question_weighs_every_document_anew_and_at_once(
    app: GraphPalace, topics: str, name: str, rest: str
) -> None:
    if rest == "stopped":
        await app.simulations.complete(name, SimulationStart(QUICK, {"palace": topics}))
    else:
        await app.simulations.start(name, SimulationStart(LONG, {"palace": topics}))
        await app.simulations.pause(name)
    await app.simulations.configure(name, {"query": "bread flour"})
    found = await app.simulations.views.results(name)
    by_hand(found)
    assert "bread" in max(found, key=lambda one: one["similarity"])["snippet"]
    status = await app.simulations.views.status(name)
    assert (status["state"], status["query"]) == (rest, "bread flour")
    assert status["metrics"]["max_rel"] == pytest.approx(found[0]["score"], abs=1e-5)
    kept = await app.simulations._store.there(name)
    assert (kept.results, kept.query) == (found, "bread flour")
    await app.simulations.configure(name, {"kw_terms": ["stars"], "kw_lambda": 2.0})
    by_hand(await app.simulations.views.results(name), kw_lambda=2.0)
    assert "stars" in (await app.simulations.views.results(name))[0]["snippet"]
    await app.simulations.stop(name)


async def test_a_new_question_weighs_anew_also_what_is_only_kept(
    app: GraphPalace, later: GraphPalace, topics: str, name: str
) -> None:
    await app.simulations.complete(name, SimulationStart(QUICK, {"palace": topics}))
    await later.simulations.configure(name, {"query": "bread flour", "num_agents": 5})
    by_hand(found := await later.simulations.views.results(name))
    assert found == (await later.simulations._store.there(name)).results
    status = await later.simulations.views.status(name)
    assert (status["state"], status["query"], status["agents"]) == ("stopped", "bread flour", 5)
    assert await app.simulations.views.results(name) == found


@pytest.mark.parametrize("rest", ["paused", "stopped"])
async def test_who_watches_one_that_rests_sees_what_is_changed(
    app: GraphPalace, topics: str, name: str, rest: str
) -> None:
    await app.simulations.start(name, SimulationStart(LONG, {"palace": topics}))
    await app.simulations.pause(name)
    if rest == "stopped":
        await app.simulations.stop(name)
    with app.simulations.audience(name).seat() as seat:
        await app.simulations.configure(name, {"viz_dims": 3, "top_k": 4, "query": "bread"})
        told = {one["type"]: one["data"] for one in map(json.loads, await seat.take())}
    assert told["snapshot"]["dims"] == 3
    assert (told["results"]["query"], len(told["results"]["results"])) == ("bread", 4)
    assert told["metrics"]["state"] == rest
    await app.simulations.stop(name)


async def test_who_comes_after_a_restart_sees_the_last_picture_figures_and_results(
    app: GraphPalace, later: GraphPalace, topics: str, name: str
) -> None:
    asked = QUICK | {"report_enabled": True}
    await app.simulations.complete(name, SimulationStart(asked, {"palace": topics}))
    told = await greeted(later, name)
    assert told.keys() >= {"snapshot", "results", "metrics", "report"}
    assert (told["snapshot"]["step"], len(told["snapshot"]["documents"]["meta"])) == (15, 12)
    assert told["results"]["results"] == await app.simulations.views.results(name)
    assert told == await greeted(app, name)
    assert later.simulations._live.get(name) is None  # nothing was loaded for it
    with later.simulations.audience(name).seat() as seat:
        await later.simulations.configure(name, {"viz_dims": 3})
        again = {one["type"]: one["data"] for one in map(json.loads, await seat.take())}
    assert again["snapshot"]["dims"] == 3


async def test_nothing_is_shown_of_one_that_was_begun_anew_or_reset(
    app: GraphPalace, later: GraphPalace, topics: str, name: str
) -> None:
    await app.simulations.complete(name, SimulationStart(QUICK, {"palace": topics}))
    await app.simulations.reset(name)
    with later.simulations.audience(name).seat() as seat:
        await later.simulations.greet(name, seat)
        assert seat._waiting == {}


async def test_what_was_saved_is_what_is_shown_and_what_the_next_start_uses(
    app: GraphPalace, topics: str, name: str
) -> None:
    await app.simulations.complete(name, SimulationStart(QUICK | {"seed": 3}, {"palace": topics}))
    saved = await app.simulations.configure(name, {"seed": 99, "window": 7})
    assert (saved.seed, saved.window) == (99, 7)
    assert await app.simulations.views.settings(name) == saved
    assert (await app.simulations.views.status(name))["seed"] == 3  # of what has run
    await app.simulations.complete(name, SimulationStart({}))
    assert (await app.simulations.views.status(name))["seed"] == 99
    assert await app.simulations.views.settings(name) == saved
