"""The decay on a real Neo4j: exact, whatever the schedule, whoever dies and whoever works beside it."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest
from tests.acceptance.served import eventually
from tests.decaying import decay_of, decay_until_killed
from tests.spare_palaces import spare_name

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.pheromones.pheromones import EDGE_PHEROMONES, NODE_PHEROMONES, DecayRates, DecayResult
from graphpalace.domain.walking.graph_snapshot import NodeRef
from graphpalace.errors import DecayRunning, NotFound
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.pheromones.decay import under_lease
from graphpalace.pheromones.strength import decayed, edge_cost, pheromone_factor
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database
from graphpalace.store.pheromones.decay import LeaseStore

RATES = DecayRates()
ALL = (*EDGE_PHEROMONES, *NODE_PHEROMONES)
EXACT = 1e-9


@pytest.fixture
async def other(app: GraphPalace) -> AsyncIterator[str]:
    """The name of a second palace."""
    name = spare_name()
    await app.create_palace(name)
    yield name
    await app.drop_palace(name)


@asynccontextmanager
async def services(settings: Settings, count: int) -> AsyncIterator[list[Database]]:
    """Give connections as that many services have them."""
    databases = [wiring.open_database(settings) for _ in range(count)]
    yield databases
    for database in databases:
        await database.close()


def rows_of(count: int, *, seed: int = 1) -> list[dict[str, Any]]:
    """Return warm rooms of different strength, some of it under or near the floor, some not there at all."""
    rng = np.random.default_rng(seed)
    strength = 10 ** rng.uniform(-3, 0.7, (count, len(ALL))) * (rng.random((count, len(ALL))) < 0.8)
    strength[:, 0] = np.maximum(strength[:, 0], 0.01)
    return [
        {"id": f"{number:05}", "cycle": 0, "base_cost": float(rng.uniform(0, 3))}
        | dict(zip(ALL, map(float, strength[number]), strict=True))
        for number in range(count)
    ]


async def warm(app: GraphPalace, palace: str, rows: list[dict[str, Any]]) -> None:
    await app.database.write(palace, "tests/make_warm", rows=rows)


async def later(app: GraphPalace, palace: str, cycles: int) -> None:
    await app.database.write(palace, "tests/advance_clock", cycles=cycles)


async def stored(app: GraphPalace, palace: str) -> list[dict[str, Any]]:
    return await app.database.read(palace, "tests/read_warm")


def check(found: list[dict[str, Any]], rows: list[dict[str, Any]], *, cycle: int) -> None:
    """Compare what is stored with the formulas, and what is cold with the index's property."""
    assert [row["id"] for row in found] == [row["id"] for row in rows]
    left = {
        name: decayed(
            np.array([row[name] for row in rows]),
            rate=getattr(RATES, name),
            cycles=cycle - np.array([row["cycle"] for row in rows]),
        )
        for name in ALL
    }
    for name in ALL:
        np.testing.assert_allclose([row[name] for row in found], left[name], rtol=EXACT, atol=0, err_msg=name)
    base = np.array([row["base_cost"] for row in rows])
    cost = edge_cost(base, pheromone_factor(left["success"], left["traversal"], left["recency"]))
    np.testing.assert_allclose([row["current_cost"] for row in found], cost, rtol=EXACT)
    for prefix, names in (("edge", EDGE_PHEROMONES), ("node", NODE_PHEROMONES)):
        alive = sum(left[name] for name in names) > 0
        assert [row[f"{prefix}_warm_in"] is not None for row in found] == alive.tolist()
        assert [row[f"{prefix}_cycle"] for row in found] == [cycle if lives else None for lives in alive]


async def test_about_half_is_left_after_the_half_lives_of_the_table(app: GraphPalace, palace: str) -> None:
    one = {"id": "a", "cycle": 0, "base_cost": 1.0} | dict.fromkeys(ALL, 1.0)
    await warm(app, palace, [one])
    expected = {7: ("recency", 0.4783), 14: ("exploration", 0.4877), 23: ("traversal", 0.4963)} | {
        35: ("exploitation", 0.4931), 69: ("success", 0.4998)
    }  # fmt: skip
    before = 0
    for cycle, (name, remains) in expected.items():
        await later(app, palace, cycle - before)
        before = cycle
        run = await app.pheromones.decay.apply(palace)
        assert (run.cycle, run.nodes, run.edges) == (cycle, 1, 1)
        assert (await stored(app, palace))[0][name] == pytest.approx(remains, abs=5e-5)
    # recency and exploration are below the floor at cycle 69 and gone: .9^69 = .0007, .95^69 = .029
    (row,) = await stored(app, palace)
    assert row["recency"] == 0.0
    assert row["exploration"] == pytest.approx(0.95**69)
    factor = 0.5 * 0.99**69 + 0.2 * 0.97**69
    assert row["current_cost"] == pytest.approx(1 - 0.5 * factor)


async def test_what_is_under_the_floor_becomes_zero_and_leaves_the_index(app: GraphPalace, palace: str) -> None:
    rows = [
        {"id": "fades", "cycle": 0, "base_cost": 0.5, "success": 0.0011, "traversal": 0.0, "recency": 0.0}
        | {"exploitation": 0.0, "exploration": 0.0012},
        {"id": "stays", "cycle": 0, "base_cost": 0.5, "success": 0.002, "traversal": 0.0, "recency": 0.0011}
        | {"exploitation": 0.01, "exploration": 0.0},
    ]
    await warm(app, palace, rows)
    status = await app.pheromones.decay.status(palace)
    assert (status.warm_nodes, status.warm_edges) == (2, 2)
    await later(app, palace, 10)
    await app.pheromones.decay.apply(palace)
    check(await stored(app, palace), rows, cycle=10)
    fades, stays = await stored(app, palace)
    assert (fades["success"], fades["exploration"], fades["current_cost"]) == (0.0, 0.0, 0.5)
    assert (fades["edge_warm_in"], fades["node_warm_in"], fades["edge_cycle"]) == (None, None, None)
    assert (stays["edge_warm_in"], stays["recency"]) == (palace, 0.0)
    status = await app.pheromones.decay.status(palace)
    assert (status.warm_nodes, status.warm_edges) == (1, 1)
    again = await app.pheromones.decay.apply(palace)
    assert (again.nodes, again.edges) == (0, 0)


async def test_every_kind_of_node_and_edge_fades(app: GraphPalace, palace: str) -> None:
    await app.database.write(palace, "tests/make_every_kind")
    try:
        status = await app.pheromones.decay.status(palace)
        assert (status.warm_nodes, status.warm_edges) == (5, 8)
        await later(app, palace, 10)
        run = await app.pheromones.decay.apply(palace)
        assert (run.nodes, run.edges) == (5, 8)
        for row in await app.database.read(palace, "tests/all_edges"):
            if "pheromone_cycle" in row["properties"]:
                assert row["properties"]["success_pheromone"] == pytest.approx(0.99**10)
        await later(app, palace, 1000)
        await app.pheromones.decay.apply(palace)
        status = await app.pheromones.decay.status(palace)
        assert (status.warm_nodes, status.warm_edges) == (0, 0)
    finally:
        await app.database.write(palace, "tests/drop_every_kind")


async def test_one_run_after_a_long_downtime_leaves_what_a_run_each_cycle_leaves(
    app: GraphPalace, palace: str, other: str
) -> None:
    rows = rows_of(40)
    rows[0]["success"] = 5.0
    await warm(app, palace, rows)
    await warm(app, other, rows)
    for _ in range(60):
        await later(app, other, 1)
        await app.pheromones.decay.apply(other)
    await later(app, palace, 60)
    await app.pheromones.decay.apply(palace)
    one, each = await stored(app, palace), await stored(app, other)
    for name in (*ALL, "current_cost"):
        np.testing.assert_allclose([row[name] for row in one], [row[name] for row in each], rtol=EXACT, err_msg=name)
    check(one, rows, cycle=60)
    check(each, rows, cycle=60)


async def test_a_thousand_cycles_at_once_are_exact(app: GraphPalace, palace: str) -> None:
    rows = [row | {"success": 5.0 + row["success"]} for row in rows_of(3)]
    await warm(app, palace, rows)
    slow = wiring.make_decay(
        app.settings.model_copy(
            update={"pheromones": app.settings.pheromones.model_copy(update={"success_decay": 0.005})}
        ),
        app.database,
    )
    await later(app, palace, 1000)
    await slow.apply(palace)
    found = await stored(app, palace)
    for row, before in zip(found, rows, strict=True):
        each = before["success"]
        for _ in range(1000):
            each *= 1 - 0.005
        assert row["success"] == pytest.approx(each, rel=EXACT)
        assert row["success"] > 0.03


async def test_the_seed_s_own_statements_leave_the_same_after_as_many_cycles(app: GraphPalace, palace: str) -> None:
    rows = rows_of(60, seed=2)
    await warm(app, palace, rows)
    database = app.database
    for _ in range(12):
        await database.write(
            None,
            "pheromones/seed_decay_nodes",
            exploitation_rate=RATES.exploitation,
            exploration_rate=RATES.exploration,
        )
        await database.write(
            None,
            "pheromones/seed_decay_edges",
            success_rate=RATES.success,
            traversal_rate=RATES.traversal,
            recency_rate=RATES.recency,
        )
    await database.write(None, "pheromones/seed_recompute_costs")
    seed = await stored(app, palace)
    await app.drop_palace(palace)
    await app.create_palace(palace)
    await warm(app, palace, rows)
    await later(app, palace, 12)
    await app.pheromones.decay.apply(palace)
    ours = await stored(app, palace)
    for name in ALL:
        theirs = [row[name] if row[name] >= 0.001 else 0.0 for row in seed]  # "below 0.001 are treated as zero"
        np.testing.assert_allclose([row[name] for row in ours], theirs, rtol=EXACT, err_msg=name)
    # what the seed treats as zero and does not set to zero is worth less than .001 of the base cost
    np.testing.assert_allclose(
        [row["current_cost"] for row in ours], [row["current_cost"] for row in seed], rtol=0.0006
    )


async def test_a_deposit_between_two_runs_is_not_lost(app: GraphPalace, palace: str) -> None:
    rows = rows_of(20)
    await warm(app, palace, rows)
    await later(app, palace, 10)
    await app.pheromones.decay.apply(palace)
    await later(app, palace, 5)
    await app.database.write(palace, "tests/lay_on_edge", room="00003", success=4.0, cycle=15)
    await later(app, palace, 5)
    await app.pheromones.decay.apply(palace)
    found = (await stored(app, palace))[3]
    assert found["success"] == pytest.approx(4.0 * 0.99**5, rel=EXACT)


@pytest.mark.parametrize(("laid_at", "expected"), [(20, 4.0), (15, 4.0 * 0.99**5)])
async def test_a_run_waits_for_a_deposit_under_way_and_counts_it(
    app: GraphPalace, palace: str, laid_at: int, expected: float
) -> None:
    await warm(app, palace, rows_of(20))
    await later(app, palace, 20)
    locked, finish = asyncio.Event(), asyncio.Event()

    async def deposit(tx: Any) -> None:
        await tx.run("tests/lay_on_edge", palace=palace, room="00003", success=4.0, cycle=laid_at)
        locked.set()
        await finish.wait()

    depositing = asyncio.create_task(app.database.transaction(palace, deposit))
    await locked.wait()
    running = asyncio.create_task(app.pheromones.decay.apply(palace))

    async def waits() -> bool:
        return (await app.database.read(None, "tests/count_blocked"))[0]["blocked"] > 0

    await eventually(waits, seconds=30)
    assert not running.done()
    finish.set()
    await depositing
    await running
    found = await stored(app, palace)
    assert found[3]["success"] == pytest.approx(expected, rel=EXACT)
    assert [row["edge_cycle"] for row in found] == [20] * 20


async def test_deposits_during_many_runs_are_all_there_in_the_end(app: GraphPalace, palace: str) -> None:
    """Every deposit sets one edge to what the formulas then follow, while runs go over all of them."""
    rows = rows_of(60)
    await warm(app, palace, rows)
    done = False

    async def runs() -> None:
        decay = decay_of(app.database)
        while not done:
            await later(app, palace, 1)
            await decay.apply(palace)

    running = asyncio.create_task(runs())
    rng = random.Random(3)
    expected = {}
    for _ in range(80):
        room = rng.randrange(60)
        cycle = (await app.pheromones.decay.status(palace)).cycle
        strength = rng.uniform(1, 5)
        await app.database.write(palace, "tests/lay_on_edge", room=f"{room:05}", success=strength, cycle=cycle)
        expected[room] = strength, cycle
    done = True
    await running
    last = await app.pheromones.decay.apply(palace)
    found = await stored(app, palace)
    for room, (strength, cycle) in expected.items():
        assert found[room]["success"] == pytest.approx(strength * 0.99 ** (last.cycle - cycle), rel=EXACT)


async def test_two_palaces_do_not_touch_each_other(app: GraphPalace, palace: str, other: str) -> None:
    mine, theirs = rows_of(30, seed=4), rows_of(30, seed=5)
    await warm(app, palace, mine)
    await warm(app, other, theirs)
    await later(app, palace, 10)
    await later(app, other, 3)
    run = await app.pheromones.decay.apply(palace)
    assert (run.cycle, run.nodes, run.edges) == (10, 30, 30)
    check(await stored(app, palace), mine, cycle=10)
    before = await stored(app, other)
    assert {row["edge_cycle"] for row in before} == {0}
    await app.pheromones.decay.apply(other)
    check(await stored(app, other), theirs, cycle=3)
    check(await stored(app, palace), mine, cycle=10)


async def test_old_records_of_deposits_are_forgotten_and_young_ones_and_other_palaces_are_not(
    app: GraphPalace, palace: str, other: str
) -> None:
    for name in (palace, other):
        for days in (0, 6, 8, 30):
            await app.database.write(name, "tests/make_deposit", id=f"{name}-{days:02}", days=days)
    assert (await app.pheromones.decay.apply(palace)).deposits_pruned == 2
    left = {name: await app.database.read(name, "tests/list_deposits") for name in (palace, other)}
    assert [row["id"] for row in left[palace]] == [f"{palace}-00", f"{palace}-06"]
    assert len(left[other]) == 4
    assert (await app.pheromones.decay.apply(other)).deposits_pruned == 2


async def test_the_clock_goes_by_the_server_s_time_and_keeps_what_is_left_of_a_cycle(
    app: GraphPalace, palace: str
) -> None:
    await warm(app, palace, rows_of(5))
    quick = decay_of(app.database, cycle_seconds=0.25)
    began = asyncio.get_running_loop().time()
    await asyncio.sleep(1.1)
    first = await quick.apply(palace)
    assert first.cycle >= 4
    for _ in range(7):
        await asyncio.sleep(0.1)
        await quick.apply(palace)
    status = await quick.status(palace)
    passed = (asyncio.get_running_loop().time() - began) / 0.25
    assert passed - 1 <= status.cycle <= passed + 8  # the palace is up to 2 s older than this test


async def test_a_clock_that_is_set_back_an_hour_neither_fades_nor_stops_anything(app: GraphPalace, palace: str) -> None:
    rows = rows_of(20)
    await warm(app, palace, rows)
    await later(app, palace, 10)
    await app.pheromones.decay.apply(palace)
    await app.database.write(palace, "tests/set_lease", by="gone:1/a", lease_ms=60_000)
    await app.database.write(palace, "tests/shift_clock", seconds=-3700.0)
    assert palace in await app.pheromones.decay.due()  # although a dead service's lease seems to last for an hour
    assert await app.pheromones.decay.apply_if_due(palace) is None
    check(await stored(app, palace), rows, cycle=10)
    assert palace not in await app.pheromones.decay.due()
    await app.database.write(palace, "tests/shift_clock", seconds=3650.0)
    await app.pheromones.decay.apply(palace)
    check(await stored(app, palace), rows, cycle=11)  # it counts on from the hour that it has now


async def test_after_a_year_ahead_and_back_new_trails_are_laid_kept_and_fade_as_ever(
    app: GraphPalace, palace: str
) -> None:
    year = 365 * 24
    await warm(app, palace, rows_of(20))
    await app.database.write(palace, "tests/shift_clock", seconds=year * 3600.0 + 10)
    gone = await app.pheromones.decay.apply(palace)
    assert gone.cycle == year
    assert sum(row["success"] + row["exploitation"] for row in await stored(app, palace)) == 0  # as after any year
    await app.database.write(palace, "tests/shift_clock", seconds=-year * 3600.0)
    new = await app.drawers.add(palace, NewDrawer(text="owls", wing="w"))
    drawer = NodeRef("Drawer", new.drawer.id)
    await app.pheromones.deposits.exploration(palace, [drawer], deposit_id="late")  # no scheduler has looked yet
    assert palace in await app.pheromones.decay.due()
    await app.pheromones.decay.apply(palace)
    await app.database.write(palace, "tests/shift_clock", seconds=10 * 3600.0 + 10)
    await app.pheromones.decay.apply(palace)
    node = (await app.database.read(None, "tests/node", id=new.drawer.id))[0]["n"]
    assert node["exploration_pheromone"] == pytest.approx(0.3 * 0.95**10, rel=EXACT)
    assert node["pheromone_cycle"] == year + 10


async def test_a_run_is_due_after_an_interval_and_is_remembered(app: GraphPalace, palace: str) -> None:
    await warm(app, palace, rows_of(5))
    fresh = await app.pheromones.decay.status(palace)
    assert (fresh.cycle, fresh.last_run, fresh.next_cycle, fresh.running_by) == (0, None, 10, None)
    await later(app, palace, 9)
    assert palace not in await app.pheromones.decay.due()
    assert await app.pheromones.decay.apply_if_due(palace) is None
    await later(app, palace, 1)
    assert palace in await app.pheromones.decay.due()
    run = await app.pheromones.decay.apply_if_due(palace)
    assert isinstance(run, DecayResult)
    assert (run.cycle, run.nodes, run.edges) == (10, 5, 5)
    assert palace not in await app.pheromones.decay.due()
    status = await app.pheromones.decay.status(palace)
    assert (status.last_run, status.next_cycle, status.warm_edges) == (run, 20, 5)
    assert run.finished_at < status.next_run_at


async def test_an_unknown_palace_is_told(app: GraphPalace) -> None:
    for ask in (app.pheromones.decay.apply, app.pheromones.decay.apply_if_due, app.pheromones.decay.status):
        with pytest.raises(NotFound, match="nosuch"):
            await ask("nosuch")


async def test_three_services_at_once_apply_each_cycle_once(app: GraphPalace, settings: Settings, palace: str) -> None:
    rows = [row | {"exploitation": 5.0, "success": 5.0} for row in rows_of(120)]
    await warm(app, palace, rows)
    async with services(settings, 3) as databases:
        for turn in range(1, 6):
            await later(app, palace, 10)
            assert await app.pheromones.decay.due() == [palace]
            tries = [decay_of(database).apply_if_due(palace) for database in databases for _ in range(2)]
            ended = await asyncio.gather(*tries, return_exceptions=True)
            ran = [one for one in ended if isinstance(one, DecayResult)]
            assert all(one is None or isinstance(one, DecayResult | DecayRunning) for one in ended)
            assert [(one.cycle, one.nodes, one.edges) for one in ran] == [(turn * 10, 120, 120)]
            check(await stored(app, palace), rows, cycle=turn * 10)


async def test_services_that_lost_their_lease_still_apply_each_cycle_once(
    app: GraphPalace, settings: Settings, palace: str
) -> None:
    rows = [row | {"exploitation": 5.0, "success": 5.0} for row in rows_of(300)]
    await warm(app, palace, rows)
    async with services(settings, 3) as databases:
        for turn in range(1, 4):
            await later(app, palace, 10)
            # without any lease, as after a pause that was longer than it
            runs = await asyncio.gather(*(decay_of(database)._apply(palace, turn * 10) for database in databases))
            assert (sum(run.nodes for run in runs), sum(run.edges for run in runs)) == (300, 300)
            check(await stored(app, palace), rows, cycle=turn * 10)


async def test_a_lease_is_respected_and_taken_over_once_it_has_run_out(app: GraphPalace, palace: str) -> None:
    await app.database.write(palace, "tests/set_lease", by="gone:1/a", lease_ms=600_000)
    await later(app, palace, 10)
    assert palace not in await app.pheromones.decay.due()
    assert (await app.pheromones.decay.status(palace)).running_by == "gone:1/a"
    with pytest.raises(DecayRunning, match=r"gone:1/a, which holds the lease until 20\d\d-") as refused:
        await app.pheromones.decay.apply(palace)
    assert refused.value.detail["by"] == "gone:1/a"
    await app.database.write(palace, "tests/set_lease", by="gone:1/a", lease_ms=-1)
    assert palace in await app.pheromones.decay.due()
    assert (await app.pheromones.decay.apply(palace)).cycle == 10
    assert (await app.pheromones.decay.status(palace)).running_by is None


async def test_a_long_run_keeps_its_lease(app: GraphPalace, palace: str) -> None:
    working = asyncio.create_task(
        under_lease(LeaseStore(app.database), palace, lambda _: asyncio.sleep(7, "done"), by="long:1/a", lease_s=3)
    )
    for _ in range(6):
        await asyncio.sleep(1)
        assert (await app.pheromones.decay.status(palace)).running_by == "long:1/a"
        with pytest.raises(DecayRunning):
            await app.pheromones.decay.apply(palace)
    assert await working == "done"
    await app.pheromones.decay.apply(palace)


async def test_work_ends_when_another_has_taken_the_lease(app: GraphPalace, palace: str) -> None:
    cancelled, begun = False, asyncio.Event()

    async def work(_: Any) -> None:
        nonlocal cancelled
        begun.set()
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            cancelled = True
            raise

    working = asyncio.create_task(under_lease(LeaseStore(app.database), palace, work, by="slow:1/a", lease_s=3))
    await asyncio.wait_for(begun.wait(), 30)
    await app.database.write(palace, "tests/set_lease", by="quick:1/b", lease_ms=60_000)
    with pytest.raises(DecayRunning, match="took over"):
        await working
    assert cancelled
    assert (await app.pheromones.decay.status(palace)).running_by == "quick:1/b"


async def test_a_run_that_is_cancelled_gives_its_lease_back_and_the_next_one_finishes_it(
    app: GraphPalace, palace: str
) -> None:
    rows = [row | {"exploitation": 5.0, "success": 5.0} for row in rows_of(600)]
    await warm(app, palace, rows)
    await later(app, palace, 10)
    locked = asyncio.Event()

    async def hold_one_edge(tx: Any) -> None:
        await tx.run("tests/lay_on_edge", palace=palace, room="00300", success=4.0, cycle=0)
        locked.set()
        await asyncio.Event().wait()  # until this is cancelled, and rolled back

    holding = asyncio.create_task(app.database.transaction(palace, hold_one_edge))
    await locked.wait()
    running = asyncio.create_task(decay_of(app.database, batch_rows=1).apply(palace))
    while 10 not in {row["edge_cycle"] for row in await stored(app, palace)}:  # noqa: ASYNC110  # nobody tells
        await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    found = await stored(app, palace)
    assert {row["edge_cycle"] for row in found} == {0, 10}
    holding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await holding
    assert (await app.pheromones.decay.status(palace)).running_by is None
    await later(app, palace, 7)
    await app.pheromones.decay.apply(palace)
    check(await stored(app, palace), rows, cycle=17)


@pytest.fixture(scope="module")
def forkserver() -> Iterator[multiprocessing.context.ForkServerContext]:
    """Makes processes that have imported the decay already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.decaying"])
    yield context


@pytest.mark.chaos
async def test_a_hundred_kills_leave_what_an_undisturbed_palace_has(
    app: GraphPalace, palace: str, other: str, forkserver: multiprocessing.context.ForkServerContext
) -> None:
    rows = [row | {"exploitation": 5.0, "success": 5.0} for row in rows_of(250)]
    await warm(app, palace, rows)
    rng = random.Random(100)
    halfway = 0
    for _ in range(3):  # the last one tells how long a run takes here
        await later(app, palace, 1)
        undisturbed_s = (await decay_of(app.database, batch_rows=1).apply(palace)).seconds
    for _ in range(100):
        await app.database.write(palace, "tests/set_lease", by="killed", lease_ms=-1)  # as after a lease's time
        await later(app, palace, rng.randint(1, 3))
        here, there = forkserver.Pipe()
        child = forkserver.Process(target=decay_until_killed, args=(app.settings, palace, there))
        child.start()
        await asyncio.to_thread(here.recv_bytes)
        await asyncio.sleep(rng.uniform(0, 1.5 * undisturbed_s))
        child.kill()
        await asyncio.to_thread(child.join)
        found = await stored(app, palace)
        halfway += len({row["edge_cycle"] for row in found} | {row["node_cycle"] for row in found}) > 1
    await app.database.write(palace, "tests/set_lease", by="killed", lease_ms=-1)
    run = await app.pheromones.decay.apply(palace)
    await warm(app, other, rows)
    await later(app, other, run.cycle)
    await app.pheromones.decay.apply(other)
    check(await stored(app, palace), rows, cycle=run.cycle)
    same = ("success", "traversal", "recency", "exploitation", "exploration", "current_cost")
    for one, undisturbed in zip(await stored(app, palace), await stored(app, other), strict=True):
        assert [one[name] for name in same] == pytest.approx([undisturbed[name] for name in same], rel=EXACT, abs=0)
    print(f"{halfway} of 100 kills left a run of {undisturbed_s:.2f} s half done")
    assert halfway >= 10
