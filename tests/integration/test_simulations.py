"""Live simulations over a palace in a real Neo4j: their course, their settings, and what survives."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.graphs import edges_of, nodes_of
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.simulation.kept_simulation import SimulationStart
from graphpalace.errors import Conflict, InvalidInput, NotFound, ReportFailed
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.simulation.live_simulation import LiveSimulation
from graphpalace.operations.simulation.reports.reports import ReportWriter
from graphpalace.settings.load import Settings
from graphpalace.settings.sections.simulation import ReportSettings
from graphpalace.store.simulation.simulations import StoredSimulations

TOPICS = ("apples grow on trees", "ships sail the sea", "bread is baked from flour", "stars shine at night")
QUICK = {"num_agents": 12, "max_iterations": 30, "seed": 11, "max_steps_per_s": 0.0}


@pytest.fixture(scope="module")
async def topics(app: GraphPalace) -> AsyncIterator[str]:
    """A palace of forty lines about four things, similar ones linked; no test changes its drawers."""
    name = spare_name()
    await app.create_palace(name)
    for number in range(40):
        text = f"{TOPICS[number % 4]}, line {number}"
        await app.drawers.add(name, NewDrawer(text=text, wing="nature" if number % 4 < 2 else "home"))
    yield name
    await app.drop_palace(name)


@pytest.fixture
def name() -> str:
    return f"test {uuid.uuid4().hex[:8]}"


async def ended(app: GraphPalace, name: str) -> dict[str, Any]:
    """Wait until a simulation does not run any more, and return its status."""
    live = app.simulations._live._live[name]
    await live.ended()
    await live.reported()
    return await app.simulations.views.status(name)


async def reached(app: GraphPalace, name: str, step: int) -> None:
    for _ in range(600):
        if (await app.simulations.views.status(name))["step"] >= step:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"step {step} was not reached")


async def test_a_simulation_runs_to_its_end_and_finds_what_was_asked_for(
    app: GraphPalace, topics: str, name: str
) -> None:
    status = await app.simulations.complete(name, SimulationStart(QUICK | {"query": "ships sea"}, {"palace": topics}))
    assert (status["state"], status["step"], status["stopped_by"]) == ("stopped", 30, "max_iterations")
    assert (status["docs"], status["agents"], status["seed"]) == (40, 12, 11)
    found = await app.simulations.views.results(name)
    assert len(found) == 10
    assert "ships" in found[0]["snippet"]
    assert [one["score"] for one in found] == sorted((one["score"] for one in found), reverse=True)
    assert found[0]["path"].startswith("nature / ")


async def test_who_waits_through_pauses_waits_on_when_the_end_of_a_pause_comes_before_it_is_noticed(
    app: GraphPalace, topics: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish, pauses = LiveSimulation._finish, []

    async def resumed_at_once(live: LiveSimulation) -> None:
        await finish(live)
        if live.state == "paused":
            pauses.append(live.course.swarm.step)
            await app.simulations.resume(name)

    monkeypatch.setattr(LiveSimulation, "_finish", resumed_at_once)
    long = {"query": "ships sea", "max_iterations": 300, "stop_on_convergence": False}
    start = SimulationStart(QUICK | long, {"palace": topics})
    whole = asyncio.create_task(app.simulations.complete(name, start, through_pauses=True))
    await reached(app, name, 1)
    await app.simulations.pause(name)
    status = await whole
    assert len(pauses) == 1
    assert (status["state"], status["step"], status["stopped_by"]) == ("stopped", 300, "max_iterations")


async def test_the_same_seed_gives_the_same_results_and_another_one_does_not(
    app: GraphPalace, topics: str, name: str
) -> None:
    async def results(seed: int) -> list[dict[str, Any]]:
        await app.simulations.complete(
            name, SimulationStart(QUICK | {"query": "bread", "seed": seed, "top_k": 40}, {"palace": topics})
        )
        return await app.simulations.views.results(name)

    first, second, other = await results(1), await results(1), await results(2)
    assert first == second
    assert [one["visits"] for one in first] != [one["visits"] for one in other]


async def test_without_a_seed_the_status_says_which_one_gives_the_run_again(
    app: GraphPalace, topics: str, name: str
) -> None:
    await app.simulations.complete(name, SimulationStart(QUICK | {"query": "bread", "seed": None}, {"palace": topics}))
    seed, first = (
        (await app.simulations.views.status(name))["seed"],
        await app.simulations.views.results(name),
    )
    await app.simulations.complete(name, SimulationStart({"seed": seed}))
    assert await app.simulations.views.results(name) == first


async def test_a_pause_changes_nothing_of_the_course(app: GraphPalace, topics: str, name: str) -> None:
    asked = QUICK | {"query": "stars", "top_k": 40}
    await app.simulations.complete(name, SimulationStart(asked, {"palace": topics}))
    whole, course = (
        await app.simulations.views.results(name),
        app.simulations._live._live[name].course.swarm,
    )
    await app.simulations.start(name, SimulationStart(asked | {"max_steps_per_s": 40.0}))
    for step in (5, 12):
        await reached(app, name, step)
        assert (await app.simulations.pause(name))["state"] == "paused"
        await app.simulations.resume(name)
    assert (await ended(app, name))["step"] == 30
    assert await app.simulations.views.results(name) == whole
    again = app.simulations._live._live[name].course.swarm
    assert (course.agents.positions == again.agents.positions).all()
    assert course.trails.keys.tolist() == again.trails.keys.tolist()
    assert course.trails.strength.tolist() == again.trails.strength.tolist()


async def test_a_simulation_goes_on_in_another_process_as_if_nothing_had_been(
    app: GraphPalace, settings: Settings, topics: str, name: str
) -> None:
    asked = QUICK | {"query": "stars", "top_k": 40}
    await app.simulations.complete(name, SimulationStart(asked, {"palace": topics}))
    whole = await app.simulations.views.results(name)
    async with wiring.opened(settings, embedder=WordEmbedder()) as other:
        await app.simulations.start(name, SimulationStart(asked | {"max_steps_per_s": 20.0}))
        await reached(app, name, 8)
        await app.simulations.pause(name)
        paused = await other.simulations.views.status(name)
        assert (paused["state"], paused["running"]) == ("paused", False)
        app.simulations.lose(name)  # without a word to the database, as a process that dies
        await app.database.write(None, "tests/age_simulation", name=name)
        await other.simulations.resume(name)
        status = await ended(other, name)
        assert status["step"] == 30, status
        assert await other.simulations.views.results(name) == whole
        assert (await other.simulations.views.settings(name)).query == "stars"


async def test_one_that_was_kept_before_there_were_presets_goes_on_with_the_numbers_of_the_seed(
    app: GraphPalace, settings: Settings, topics: str, name: str
) -> None:
    asked = QUICK | {"query": "stars", "top_k": 40, "max_iterations": 60}
    await app.simulations.complete(name, SimulationStart(asked | {"preset": "seed"}, {"palace": topics}))
    whole, end = (
        await app.simulations.views.results(name),
        (await app.simulations.views.status(name))["step"],
    )
    async with wiring.opened(settings, embedder=WordEmbedder()) as first:
        await first.simulations.start(
            name, SimulationStart(asked | {"preset": "seed", "max_steps_per_s": 20.0}, {"palace": topics})
        )
        await reached(first, name, 3)
        await first.simulations.pause(name)
    kept = await app.simulations._store.there(name)
    new = {"preset", "unused_params", "began_at"}
    await app.database.write(
        None,
        "tests/simulation_of_before",
        name=name,
        settings=json.dumps({k: v for k, v in asked.items() if k not in new}),
    )
    assert kept.began_at is not None
    async with wiring.opened(settings, embedder=WordEmbedder()) as other:
        await other.simulations.resume(name)
        live = other.simulations._live._live[name]
        assert (live.settings.preset, live.settings.speed_limit, live.settings.trail_ceiling) == ("seed", 0.05, 0.0)
        assert abs(live.began_at - kept.began_at) < 600
        assert (await ended(other, name))["step"] == end
        assert await other.simulations.views.results(name) == whole
        status = await other.simulations.complete(name, SimulationStart(asked, {"palace": topics}))
        assert other.simulations._live._live[name].settings.preset == "standard"  # what begins takes the default
        assert status["state"] == "stopped"


async def test_what_differs_from_a_preset_is_kept_with_it(
    app: GraphPalace, settings: Settings, topics: str, name: str
) -> None:
    chosen = {"preset": "seed", "trail_ceiling": 1.0, "top_k": 7}  # the ceiling is that of the standard
    await app.simulations.configure(name, chosen)
    async with wiring.opened(settings, embedder=WordEmbedder()) as other:
        found = await other.simulations.views.settings(name)
    assert (found.preset, found.trail_ceiling, found.top_k, found.speed_limit) == ("seed", 1.0, 7, 0.05)
    await app.simulations.configure(name, {"preset": "standard"})
    assert (await app.simulations.views.settings(name)).speed_limit == 10.0


async def test_a_service_that_goes_pauses_what_runs(
    app: GraphPalace, settings: Settings, topics: str, name: str
) -> None:
    async with wiring.opened(settings, embedder=WordEmbedder()) as other:
        await other.simulations.start(
            name, SimulationStart(QUICK | {"query": "sea", "max_steps_per_s": 20.0}, {"palace": topics})
        )
        await reached(other, name, 3)
        figures, service = (
            {name: other.simulations.figures[name]},
            other.simulations._store.service,
        )
    status = await app.simulations.views.status(name)
    assert (status["state"], status["owner"]) == ("paused", None)
    assert 3 <= status["step"] < 30
    late = StoredSimulations(app.database, service)  # sends what was on its way when the service went
    assert await late.renew(figures, written_at=time.monotonic_ns()) == {}
    assert (await app.simulations.views.status(name))["owner"] is None
    assert (await app.simulations.resume(name))["state"] == "running"
    assert (await ended(app, name))["stopped_by"] == "max_iterations"


async def test_single_steps_are_made_and_it_pauses_again(
    app: GraphPalace, settings: Settings, topics: str, name: str
) -> None:
    await app.simulations.complete(name, SimulationStart(QUICK | {"query": "ships sea"}, {"palace": topics}))
    await app.simulations.configure(name, {"max_iterations": 36})
    for steps, reached_step, state in ((1, 31, "paused"), (3, 34, "paused"), (9, 36, "stopped")):
        await app.simulations.resume(name, steps=steps)
        status = await ended(app, name)
        assert (status["step"], status["state"]) == (reached_step, state)
        if state == "paused":
            async with wiring.opened(settings, embedder=WordEmbedder()) as other:
                with pytest.raises(Conflict, match="is held by"):
                    await other.simulations.resume(name, steps=1)


async def test_settings_are_kept_refused_as_a_whole_and_apply_while_it_runs(
    app: GraphPalace, topics: str, name: str
) -> None:
    await app.simulations.configure(name, {"top_k": 3, "num_agents": 7})
    with pytest.raises(InvalidInput, match=r"pheromone_decay is 2.*it must be 0\.5 to 0\.999"):
        await app.simulations.configure(name, {"top_k": 4, "pheromone_decay": 2.0})
    assert (await app.simulations.views.settings(name)).top_k == 3
    await app.simulations.start(
        name, SimulationStart({"query": "sea", "max_steps_per_s": 20.0, "seed": 1}, {"palace": topics})
    )
    assert (await app.simulations.views.status(name))["agents"] == 7
    with pytest.raises(Conflict, match="window cannot change while the simulation runs"):
        await app.simulations.configure(name, {"window": 5, "top_k": 9})
    await app.simulations.configure(name, {"max_iterations": 12, "query": "flour bread"})
    assert (await ended(app, name))["step"] == 12
    found = await app.simulations.views.results(name)
    assert len(found) == 3
    (best,) = await app.simulations.views.search(name, "flour bread", 1)  # the new question is the one that counts
    assert found[0]["id"] == best.document.id
    await app.simulations.reset(name)
    assert (await app.simulations.views.settings(name)).query == "flour bread"
    status = await app.simulations.views.status(name)
    assert (status["state"], status["step"], status["corpus"]) == ("idle", 0, None)


async def test_agents_come_and_go_while_it_runs(app: GraphPalace, topics: str, name: str) -> None:
    await app.simulations.start(name, SimulationStart(QUICK | {"max_steps_per_s": 30.0}, {"palace": topics}))
    assert (await app.simulations.add_agents(name, 5))["agents"] == 17
    assert (await app.simulations.resize_agents(name, 4))["agents"] == 4
    for wrong in (0, -1, 10_001, True):
        with pytest.raises(InvalidInput, match="it must be 1 to 10000"):
            await app.simulations.resize_agents(name, wrong)
    await app.simulations.stop(name)
    assert (await app.simulations.views.status(name))["stopped_by"] == "request"


async def test_only_a_part_of_the_palace_can_be_walked_over(app: GraphPalace, topics: str, name: str) -> None:
    status = await app.simulations.complete(name, SimulationStart(QUICK, {"palace": topics, "wing": "home"}))
    assert status["docs"] == 20
    drawers = [one["id"] for one in (await app.simulations.views.results(name))[:3]]
    assert (await app.simulations.complete(name, SimulationStart(QUICK, {"palace": topics, "drawers": drawers})))[
        "docs"
    ] == 3
    assert {one["id"] for one in await app.simulations.views.results(name)} == set(drawers)
    with pytest.raises(NotFound, match="'nobody', which is not in palace"):
        await app.simulations.start(name, SimulationStart({}, {"palace": topics, "drawers": ["nobody"]}))
    with pytest.raises(NotFound, match="wing"):
        await app.simulations.start(name, SimulationStart({}, {"palace": topics, "wing": "attic"}))


async def test_an_empty_palace_is_refused_and_what_ran_goes_on(
    app: GraphPalace, topics: str, palace: str, name: str
) -> None:
    await app.simulations.start(
        name, SimulationStart(QUICK | {"max_steps_per_s": 20.0, "max_iterations": 500}, {"palace": topics})
    )
    with pytest.raises(InvalidInput, match="has no document to walk over"):
        await app.simulations.start(name, SimulationStart({}, {"palace": palace}))
    assert (await app.simulations.views.status(name))["state"] == "running"
    await app.simulations.stop(name)


async def test_a_folder_is_cut_into_windows_with_a_header(
    app: GraphPalace, settings: Settings, tmp_path: Path, name: str
) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "x.js").write_text("ships", "utf-8")
    (tmp_path / "code" / "ships.py").write_text("\n".join(f"ships = {line}" for line in range(8)), "utf-8")
    (tmp_path / "code" / "bread.py").write_text("flour = 1\n", "utf-8")
    (tmp_path / "blob.bin").write_bytes(b"\0\1\2")
    secret = tmp_path.parent / f"{tmp_path.name} secret.py"  # beside the folder that may be read
    secret.write_text("ships = 'secret'\n", "utf-8")
    (tmp_path / "code" / "link.py").symlink_to(secret)
    given = {"folders": (str(tmp_path),)}
    allowed = settings.model_copy(update={"simulation": settings.simulation.model_copy(update=given)})
    async with wiring.opened(allowed, embedder=WordEmbedder()) as own:
        with pytest.raises(InvalidInput, match="windows is empty"):
            await own.simulations.start(name, SimulationStart(QUICK, {"root": str(tmp_path)}))
        asked = QUICK | {"query": "ships", "windows": [4, 100]}
        status = await own.simulations.complete(name, SimulationStart(asked, {"root": str(tmp_path)}))
        assert status["docs"] == 5  # ships.py: three windows of four lines and one of all; bread.py: one
        best = (await own.simulations.views.results(name))[0]
        found, relevance, visits = await own.simulations.views.document(name, best["id"])
        assert found.content.startswith("# file: code/ships.py | lines: ")
        assert (relevance, visits) == (pytest.approx(best["score"]), best["visits"])
        assert await own.simulations.views.files(name, str(tmp_path)) == ["code/bread.py", "code/ships.py"]
        with pytest.raises(InvalidInput, match=r"\[simulation\] folders allows"):
            await own.simulations.start(name, SimulationStart(asked, {"root": str(tmp_path.parent)}))
    with pytest.raises(InvalidInput, match="allows none"):
        await app.simulations.start(name, SimulationStart(asked, {"root": str(tmp_path)}))


async def test_keywords_raise_what_holds_them(app: GraphPalace, topics: str, name: str) -> None:
    asked = QUICK | {"query": "sea", "kw_terms": ["STARS", "unheard of"], "kw_lambda": 4.0}
    await app.simulations.complete(name, SimulationStart(asked, {"palace": topics}))
    best = (await app.simulations.views.results(name))[0]
    assert best["keywords"] == 0.5
    assert "stars" in best["snippet"]
    assert best["score"] >= best["similarity"] + 4.0 * 0.5 - 1e-4


async def test_trails_can_start_from_the_palaces_own_edges(app: GraphPalace, topics: str, name: str) -> None:
    asked = QUICK | {"max_iterations": 1, "pheromone_decay": 0.999}
    await app.simulations.complete(name, SimulationStart(asked, {"palace": topics}))
    cold = (await app.simulations.views.status(name))["metrics"]["trails"]
    similar = [edge for edge in await edges_of(app.database, topics) if edge["type"] == "SIMILAR_TO"]
    await app.simulations.complete(name, SimulationStart(asked | {"warm_start": True}, {"palace": topics}))
    assert cold == 0  # nobody has visited two documents yet
    assert (await app.simulations.views.status(name))["metrics"]["trails"] == len(similar) > 0


async def test_what_was_found_is_laid_on_the_palace_once_and_only_if_asked(app: GraphPalace, name: str) -> None:
    palace = spare_name()
    await app.create_palace(palace)
    try:
        for number in range(20):
            await app.drawers.add(palace, NewDrawer(text=f"{TOPICS[number % 4]}, line {number}", wing="nature"))

        async def laid() -> tuple[float, float]:
            nodes, edges = await nodes_of(app.database, palace), await edges_of(app.database, palace)
            explored = sum(node.get("exploration_pheromone") or 0 for node in nodes)
            return explored, sum(edge.get("success_pheromone") or 0 for edge in edges)

        await app.simulations.complete(name, SimulationStart(QUICK | {"query": "ships"}, {"palace": palace}))
        assert await laid() == (0, 0)
        await app.simulations.complete(name, SimulationStart({"deposit": True}))
        explored, success = await laid()
        assert explored > 0
        assert 0 < success <= 10
        await app.simulations._store.keep(name, app.simulations._live._live[name])
        assert await laid() == pytest.approx((explored, success))
    finally:
        await app.drop_palace(palace)
    assert (await app.simulations.views.status(name))["state"] == "idle"  # it went with its palace


async def test_another_question_can_be_asked_of_what_was_visited(app: GraphPalace, topics: str, name: str) -> None:
    await app.simulations.complete(name, SimulationStart(QUICK | {"query": "ships"}, {"palace": topics}))
    assert len(await app.simulations.views.search(name, "bread flour", 4)) == 4
    found = await app.simulations.views.search(name, "bread flour", 40)
    assert "bread" in max(found, key=lambda finding: finding.similarity).document.content
    best = {one["id"]: one["visits"] for one in await app.simulations.views.results(name)}
    assert all(finding.visits == best[finding.document.id] for finding in found if finding.document.id in best)
    with pytest.raises(InvalidInput, match="query is ' '"):
        await app.simulations.views.search(name, " ", 4)


async def test_simulations_run_side_by_side_and_no_more_than_allowed(app: GraphPalace, topics: str) -> None:
    names = [f"many {uuid.uuid4().hex[:6]} {number}" for number in range(5)]
    try:
        for one in names[:4]:
            await app.simulations.start(one, SimulationStart(QUICK | {"max_steps_per_s": 10.0}, {"palace": topics}))
        with pytest.raises(Conflict, match=r"4 simulations run, which is the most"):
            await app.simulations.start(names[4], SimulationStart(QUICK, {"palace": topics}))
        await app.simulations.pause(names[0])
        await app.simulations.start(names[4], SimulationStart(QUICK, {"palace": topics}))  # one that rests makes room
        assert (await app.simulations.views.status(names[0]))["state"] == "paused"
        states = {status["simulation"]: status["state"] for status in await app.simulations.views.every_status()}
        assert set(names) <= states.keys()
    finally:
        for one in names[1:]:
            await app.simulations.stop(one)


async def test_steps_do_not_hold_up_the_event_loop(app: GraphPalace, topics: str, name: str) -> None:
    asked = QUICK | {"num_agents": 3000, "max_iterations": 400}
    await app.simulations.start(name, SimulationStart(asked, {"palace": topics}))
    late = []
    for _ in range(40):
        started = time.perf_counter()
        await asyncio.sleep(0.01)
        late.append(time.perf_counter() - started - 0.01)
    await app.simulations.stop(name)
    assert sorted(late)[len(late) // 2] < 0.05


async def test_a_failing_report_is_a_line_of_the_log_and_the_run_goes_on(
    app: GraphPalace, topics: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = ReportWriter(ReportSettings(base_url="http://127.0.0.1:9", model="m", timeout_s=1), retries=0)
    monkeypatch.setattr(app.simulations._live, "_reports", refused)
    with app.simulations.audience(name).seat() as seat:
        asked = QUICK | {"report_enabled": True, "report_every": 1, "max_steps_per_s": 100.0}
        status = await app.simulations.complete(name, SimulationStart(asked, {"palace": topics}))
        assert status["stopped_by"] == "max_iterations"
        await ended(app, name)
        told = [json.loads(message) for message in await seat.take()]
    lines = [one["data"] for one in told if one["type"] == "log"]
    assert any(line["level"] == "warning" and "no report" in line["message"] for line in lines)
    await refused.close()
    with pytest.raises(NotFound, match="has no report"):
        await app.simulations.views.report(name)
    assert issubclass(ReportFailed, Exception)


async def test_a_report_without_an_endpoint_tells_the_structure(app: GraphPalace, topics: str, name: str) -> None:
    asked = QUICK | {"query": "ships", "report_enabled": True, "report_every": 5, "report_mode": "summary"}
    await app.simulations.complete(name, SimulationStart(asked, {"palace": topics}))
    await ended(app, name)
    report = await app.simulations.views.report(name)
    assert (report["source"], report["mode"]) == ("structure", "summary")
    assert report["step"] == 30
    assert (await app.simulations._store.there(name)).report == report
    assert report["items"][0]["query_initial"] == "ships"


async def test_who_watches_sees_pictures_results_and_every_end(app: GraphPalace, topics: str, name: str) -> None:
    with app.simulations.audience(name).seat() as seat:
        asked = QUICK | {"query": "ships", "redraw_every": 1, "viz_dims": 3}
        await app.simulations.complete(name, SimulationStart(asked, {"palace": topics}))
        told = {one["type"]: one["data"] for one in map(json.loads, await seat.take())}
    picture = told["snapshot"]
    assert picture["step"] == 30
    assert len(picture["documents"]["xy"]) == len(picture["documents"]["meta"]) == 40
    assert {len(point) for point in (*picture["documents"]["xy"], *picture["agents"]["xy"])} == {3}
    assert picture["edges"]
    assert picture["edges"][0].keys() == {"x0", "y0", "z0", "x1", "y1", "z1", "s"}
    assert [edge["s"] for edge in picture["edges"]] == sorted((edge["s"] for edge in picture["edges"]), reverse=True)
    assert told["metrics"]["state"] == "stopped"
    assert told["results"]["results"] == await app.simulations.views.results(name)


async def test_what_is_stored_leads_to_the_drawers_in_the_graph(app: GraphPalace, topics: str, name: str) -> None:
    await app.simulations.complete(name, SimulationStart(QUICK | {"query": "ships", "top_k": 4}, {"palace": topics}))
    rows = await app.database.read(None, "tests/simulation_findings", name=name)
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]
    assert [row["drawer"] for row in rows] == [one["id"] for one in await app.simulations.views.results(name)]


@pytest.mark.parametrize("wrong", ["", " ", "-x", "a" * 65, "a/b", "a\n"])
async def test_a_name_that_cannot_be_one_is_refused(app: GraphPalace, wrong: str) -> None:
    with pytest.raises(InvalidInput, match="it must be 1 to 64 letters"):
        await app.simulations.start(wrong, SimulationStart({}))


async def test_what_was_never_started_can_neither_go_on_nor_be_looked_into(app: GraphPalace, name: str) -> None:
    for wanted in (
        app.simulations.resume,
        app.simulations.stop,
        app.simulations.views.results,
        app.simulations.reset,
    ):
        with pytest.raises(NotFound, match="there is no simulation"):
            await wanted(name)
    with pytest.raises(Conflict, match="does not run; it is idle"):
        await app.simulations.pause(name)


async def test_a_simulation_that_is_over_goes_on_only_with_more_steps(app: GraphPalace, topics: str, name: str) -> None:
    await app.simulations.complete(name, SimulationStart(QUICK, {"palace": topics}))
    with pytest.raises(Conflict, match="raise max_iterations above 30"):
        await app.simulations.resume(name)
    await app.simulations.configure(name, {"max_iterations": 35})
    await app.simulations.resume(name)
    assert (await ended(app, name))["step"] == 35


async def test_a_corpus_that_changed_while_it_was_paused_is_walked_on(app: GraphPalace, name: str) -> None:
    palace = spare_name()
    await app.create_palace(palace)
    try:
        ids = [
            (await app.drawers.add(palace, NewDrawer(text=f"{TOPICS[n % 4]}, {n}", wing="w"))).drawer.id
            for n in range(12)
        ]
        await app.simulations.complete(name, SimulationStart(QUICK | {"top_k": 20}, {"palace": palace}))
        before = {one["id"]: one["visits"] for one in await app.simulations.views.results(name)}
        await app.drawers.delete(palace, ids[0])
        new = await app.drawers.add(palace, NewDrawer(text="a new line", wing="w"))
        app.simulations._live._live.clear()  # as another process would find it
        await app.simulations.configure(name, {"max_iterations": 31})
        await app.simulations.resume(name)
        assert (await ended(app, name))["step"] == 31
        after = {one["id"]: one["visits"] for one in await app.simulations.views.results(name)}
        assert after.keys() == before.keys() - {ids[0]} | {new.drawer.id}
        assert all(after[one] >= before[one] for one in after.keys() & before.keys())
    finally:
        await app.drop_palace(palace)


async def test_a_step_that_fails_is_told_and_kept(
    app: GraphPalace, topics: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await app.simulations.start(name, SimulationStart(QUICK | {"max_steps_per_s": 50.0}, {"palace": topics}))
    await reached(app, name, 3)

    def broken(*, now: float) -> None:
        raise RuntimeError("no memory")

    monkeypatch.setattr(app.simulations._live._live[name].course, "step", broken)
    status = await ended(app, name)
    assert status["state"] == "failed"
    assert "no memory" in status["error"]
    assert status["error"].startswith(f"step {status['step'] + 1}:")
    kept = await app.simulations._store.there(name)
    assert (kept.state, kept.error) == ("failed", status["error"])


async def test_agents_that_come_during_a_pause_are_there_after_a_restart(
    app: GraphPalace, topics: str, name: str
) -> None:
    await app.simulations.start(name, SimulationStart(QUICK | {"max_steps_per_s": 20.0}, {"palace": topics}))
    await app.simulations.pause(name)
    await app.simulations.add_agents(name, 5)
    app.simulations._live._live.clear()  # as another process would find it
    status = await app.simulations.resume(name)
    assert (status["state"], status["agents"]) == ("running", 17)
    await app.simulations.stop(name)


async def test_one_that_is_looked_into_while_it_wakes_is_woken_once(app: GraphPalace, topics: str, name: str) -> None:
    await app.simulations.start(
        name, SimulationStart(QUICK | {"max_steps_per_s": 20.0, "query": "sea"}, {"palace": topics})
    )
    await app.simulations.pause(name)
    app.simulations._live._live.clear()
    await asyncio.gather(
        app.simulations.resume(name),
        *(app.simulations.views.search(name, "bread", 3) for _ in range(3)),
    )
    assert (await app.simulations.views.status(name))["state"] == "running"
    assert (await ended(app, name))["step"] == 30


async def test_no_more_begin_at_once_than_may_run(app: GraphPalace, topics: str) -> None:
    names = [f"rush {uuid.uuid4().hex[:6]} {number}" for number in range(6)]
    started = await asyncio.gather(
        *(
            app.simulations.start(one, SimulationStart(QUICK | {"max_steps_per_s": 5.0}, {"palace": topics}))
            for one in names
        ),
        return_exceptions=True,
    )
    refused = [one for one in started if isinstance(one, BaseException)]
    assert [type(one) for one in refused] == [Conflict] * 2
    for one in names:
        if (await app.simulations.views.status(one))["running"]:
            await app.simulations.stop(one)
