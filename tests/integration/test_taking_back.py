"""Taking feedback back on a real Neo4j: the palace is as if it had never been given, whatever was given beside it."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from typing import Any

import numpy as np
import pytest
from tests.graphs import edges_of, nodes_of
from tests.spare_palaces import spare_name
from tests.walks import furnish, way_to

from graphpalace.app import GraphPalace
from graphpalace.domain.pheromones.pheromones import EDGE_PHEROMONES, NODE_PHEROMONES, DecayRates
from graphpalace.domain.search.request import SearchRequest
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.pheromones.strength import decayed, edge_cost, pheromone_factor
from graphpalace.store.learning.feedback import LessonStore

RATES = DecayRates()
TEXTS = [f"note {number} on how the bread of the house is baked" for number in range(12)]


@pytest.fixture
async def room(app: GraphPalace, palace: str) -> list[str]:
    """Twelve drawers of one room."""
    added = [await app.drawers.add(palace, NewDrawer(text=text, wing="home", room="kitchen")) for text in TEXTS]
    return [drawer.drawer.id for drawer in added]


@pytest.fixture
async def twin(app: GraphPalace) -> AsyncIterator[str]:
    """The name of a palace to which the same happens, but for the feedback."""
    name = spare_name()
    await app.create_palace(name)
    yield name
    await app.drop_palace(name)


async def _asked(app: GraphPalace, palace: str, query: str = "how is bread baked") -> str:
    return (await app.recall.search(palace, SearchRequest(query, top_k=12))).run


async def _edge(app: GraphPalace, palace: str, kind: str, to: str | None = None) -> dict[str, Any]:
    rows = [row for row in await edges_of(app.database, palace) if row["type"] == kind]
    return next(row for row in rows if to is None or row["to"] == to)


async def _cycle(app: GraphPalace, palace: str) -> int:
    state = await LessonStore(app.database, cycle_seconds=3600).state(palace)
    assert state is not None
    return state.cycle


def _now(row: dict[str, Any], names: tuple[str, ...], cycle: int) -> dict[str, float]:
    age = cycle - (row["pheromone_cycle"] if row.get("pheromone_cycle") is not None else cycle)
    return {
        name: float(decayed(np.array([row.get(f"{name}_pheromone") or 0.0]), rate=getattr(RATES, name), cycles=age)[0])
        for name in names
    }


async def _state(app: GraphPalace, palace: str) -> dict[str, dict[str, float]]:
    """Return every pheromone, cost and memory of a palace as it is now, by what people call the places."""
    cycle = await _cycle(app, palace)
    nodes = {row["id"]: row for row in await nodes_of(app.database, palace) if "id" in row}

    def named(key: str) -> str:
        row = nodes[key]
        above = "/".join(named(row[place]) for place in ("wing_id", "room_id") if row.get(place))
        return f"{above}/{row.get('name') or row.get('title') or row.get('text')}"

    state: dict[str, dict[str, float]] = {}
    for key, row in nodes.items():
        if {"Wing", "Room", "Closet", "Drawer"} & set(row["labels"]):
            memory = row.get("narrative_strength") or 0.0
            left = memory * (1 - RATES.success) ** (cycle - row.get("narrative_cycle", cycle))
            state[f"{row['labels']} {named(key)}"] = _now(row, NODE_PHEROMONES, cycle) | {"memory": left}
    for row in await edges_of(app.database, palace):
        if row["type"] in {"USEFUL", "USELESS", "CONTAINS", "NEWS_ON"}:
            continue
        now = _now(row, EDGE_PHEROMONES, cycle)
        if row["type"] == "ANSWERED_BY":
            if any(now.values()):
                state[f"{row['type']} {named(row['from'])} {nodes[row['to']]['name']}"] = now
            continue
        factor = pheromone_factor(*(np.array([now[name]]) for name in EDGE_PHEROMONES))
        cost = {"cost": float(edge_cost(np.array([row["base_cost"]]), factor)[0])}
        state[f"{row['type']} {named(row['from'])} {named(row['to'])}"] = now | cost
    return state


def _check_same(found: dict[str, dict[str, float]], wanted: dict[str, dict[str, float]]) -> None:
    assert found.keys() == wanted.keys()
    for name, values in wanted.items():
        assert found[name] == pytest.approx(values, abs=1e-9), name


async def test_taking_back_that_a_whole_room_was_useless_leaves_it_as_it_was(
    app: GraphPalace, palace: str, room: list[str]
) -> None:
    before = await _state(app, palace)
    given = await app.learning.feedback.give(palace, run=await _asked(app, palace), useless=dict.fromkeys(room, 1.0))
    await app.learning.feedback.take_back(palace, given.id)
    assert (await _edge(app, palace, "HAS_ROOM"))["success_pheromone"] == 0
    assert (await _edge(app, palace, "HAS_CLOSET"))["success_pheromone"] == 0
    _check_same(await _state(app, palace), before)


async def test_taking_back_gives_back_exploitation_traversal_recency_costs_and_what_lanes_got(
    app: GraphPalace, palace: str, room: list[str]
) -> None:
    trail = way_to(await app.replica.snapshots.get(palace), room[0])
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="before")
    await app.database.write(palace, "tests/advance_clock", cycles=5)
    before = await _state(app, palace)
    given = await app.learning.feedback.give(
        palace, run=await _asked(app, palace), useful={room[0]: 1.0, room[3]: 0.5}, useless={room[1]: 1.0}
    )
    during = await _state(app, palace)
    assert during != before
    assert any(name.startswith("ANSWERED_BY") for name in during)
    await app.learning.feedback.take_back(palace, given.id)
    _check_same(await _state(app, palace), before)
    stored = await _edge(app, palace, "HAS_DRAWER", room[0])
    factor = 0.5 * 0.99**5 / 3 + 0.3 * 0.9**5 + 0.2 * 0.1 * 0.97**5  # worked by hand: the third of three edges
    assert stored["current_cost"] == pytest.approx(0.3 * (1 - factor / 2))
    cold = await _edge(app, palace, "HAS_DRAWER", room[3])
    assert "warm_in" not in cold
    assert "pheromone_cycle" not in cold
    assert cold["current_cost"] == cold["base_cost"]


async def test_of_nine_praises_at_the_ceiling_one_taken_back_leaves_eight(
    app: GraphPalace, palace: str, room: list[str]
) -> None:
    given = [
        (
            await app.learning.feedback.give(
                palace, run=await _asked(app, palace, f"bread {at}"), useful={room[0]: 1.0}
            )
        ).id
        for at in range(9)
    ]
    assert (await _edge(app, palace, "HAS_ROOM"))["success_pheromone"] == 5.0
    await app.learning.feedback.take_back(palace, given[0])
    assert (await _edge(app, palace, "HAS_ROOM"))["success_pheromone"] == 5.0  # as eight would have left it
    assert (await _edge(app, palace, "HAS_ROOM"))["traversal_pheromone"] == pytest.approx(0.8)
    for at in given[1:6]:
        await app.learning.feedback.take_back(palace, at)
    assert (await _edge(app, palace, "HAS_ROOM"))["success_pheromone"] == pytest.approx(3.0)


async def test_the_services_walk_the_old_costs_again(app: GraphPalace, palace: str, room: list[str]) -> None:
    before = (await app.replica.snapshots.get(palace)).edges.current_cost.tolist()
    given = await app.learning.feedback.give(palace, run=await _asked(app, palace), useful={room[0]: 1.0})
    assert (await app.replica.snapshots.get(palace)).edges.current_cost.tolist() != before
    await app.learning.feedback.take_back(palace, given.id)
    assert (await app.replica.snapshots.get(palace)).edges.current_cost.tolist() == before


async def _live_through(app: GraphPalace, palace: str, twin: str, rng: random.Random) -> list[str]:
    """Give feedback to a palace, and let all else happen to it and to its twin."""
    drawers, its = await furnish(app, palace), await furnish(app, twin)
    texts, given = sorted(drawers), []
    for at in range(12):
        chosen = rng.sample(texts, 3)
        if rng.random() < 0.7:
            useful = {drawers[text]: rng.choice([0.01, 0.3, 1.0]) for text in chosen[:1] if rng.random() < 0.7}
            useless = {drawers[text]: rng.choice([0.2, 1.0]) for text in chosen[1:]}
            run = await _asked(app, palace, f"knife {at}")
            given.append((await app.learning.feedback.give(palace, run=run, useful=useful, useless=useless)).id)
        else:
            reward = rng.choice([0.3, 1.0, 4.0])
            for name, ids in ((palace, drawers), (twin, its)):
                trail = way_to(await app.replica.snapshots.get(name), ids[chosen[0]])
                await app.pheromones.deposits.path_success(name, trail, deposit_id=f"walk {at}", base_reward=reward)
                await app.pheromones.deposits.exploration(name, trail.nodes[1:], deposit_id=f"look {at}")
        await _time_passes(app, palace, twin, rng)
    return given


async def _time_passes(app: GraphPalace, palace: str, twin: str, rng: random.Random) -> None:
    cycles = rng.choice([0, 0, 1, 7, 60])
    for name in (palace, twin):
        await app.database.write(name, "tests/advance_clock", cycles=cycles)
    if rng.random() < 0.3:
        await app.pheromones.decay.apply(palace)


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_was_given_and_taken_back_in_any_order_was_never_there(
    app: GraphPalace, palace: str, twin: str, seed: int
) -> None:
    rng = random.Random(seed)
    given = await _live_through(app, palace, twin, rng)
    rng.shuffle(given)
    for feedback in given:
        await app.learning.feedback.take_back(palace, feedback)
        await _time_passes(app, palace, twin, rng)
    _check_same(await _state(app, palace), await _state(app, twin))


async def test_records_that_feedback_may_need_stay_until_it_is_gone(
    app: GraphPalace, palace: str, room: list[str]
) -> None:
    before = await _state(app, palace)
    given = await app.learning.feedback.give(palace, run=await _asked(app, palace), useful={room[0]: 1.0})
    trail = way_to(await app.replica.snapshots.get(palace), room[0])
    await app.database.write(palace, "tests/age_deposits", days=30)
    await app.database.write(palace, "tests/advance_clock", cycles=50)
    assert (await app.pheromones.decay.apply(palace)).deposits_pruned == 0
    await app.learning.feedback.take_back(palace, given.id)
    _check_same(await _state(app, palace), before)
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="now")
    await app.database.write(palace, "tests/age_deposits", days=30)
    assert (await app.pheromones.decay.apply(palace)).deposits_pruned == 1


async def test_what_was_changed_by_hand_stays_when_the_feedback_beside_it_is_taken_back(
    app: GraphPalace, palace: str, room: list[str]
) -> None:
    given = await app.learning.feedback.give(palace, run=await _asked(app, palace), useful={room[0]: 1.0})
    laid = await _edge(app, palace, "HAS_DRAWER", room[0])
    more = {"success": laid["success_pheromone"] + 2.0}
    await app.database.write(palace, "tests/set_success", drawer=room[0], **more)
    await app.learning.feedback.take_back(palace, given.id)
    assert (await _edge(app, palace, "HAS_DRAWER", room[0]))["success_pheromone"] == pytest.approx(2.0)


async def test_what_a_wing_is_answered_by_fades_in_the_store_as_everything_warm_does(
    app: GraphPalace, palace: str, room: list[str]
) -> None:
    await app.learning.feedback.give(palace, run=await _asked(app, palace), useful={room[0]: 1.0})
    lanes = {row["to"]: row for row in await edges_of(app.database, palace) if row["type"] == "ANSWERED_BY"}
    assert sum(row["success_pheromone"] for row in lanes.values()) == pytest.approx(1.0)  # the shares of the lanes
    status = await app.pheromones.hot_paths.status(palace)
    assert {row.kind: row.warm for row in status.warmth}["ANSWERED_BY"] == len(lanes)
    assert (await app.pheromones.decay.status(palace)).warm_edges == 3 + len(lanes)
    await app.database.write(palace, "tests/advance_clock", cycles=70)
    shown = {row.lane: row.success for row in (await app.learning.learned.of(palace)).lanes}
    await app.pheromones.decay.apply(palace)
    for to, row in lanes.items():
        stored = await _edge(app, palace, "ANSWERED_BY", to)
        assert stored["success_pheromone"] == pytest.approx(row["success_pheromone"] * 0.99**70, abs=1e-9)
        assert stored["pheromone_cycle"] == await _cycle(app, palace)
    assert {row.lane: row.success for row in (await app.learning.learned.of(palace)).lanes} == pytest.approx(shown)
    await app.database.write(palace, "tests/advance_clock", cycles=1000)
    assert (await app.learning.learned.of(palace)).lanes == []  # 4e-5 is under the noise floor
    await app.pheromones.decay.apply(palace)
    for to in lanes:
        stored = await _edge(app, palace, "ANSWERED_BY", to)
        assert stored["success_pheromone"] == 0
        assert "warm_in" not in stored
    assert (await app.pheromones.decay.status(palace)).warm_edges == 0


async def test_what_was_forgotten_can_be_given_again_and_taken_back(
    app: GraphPalace, palace: str, room: list[str]
) -> None:
    run = await _asked(app, palace)
    await app.learning.feedback.give(palace, run=run, useful={room[0]: 1.0})
    assert await app.learning.learned.reset(palace) == 1
    given = await app.learning.feedback.give(palace, run=run, useful={room[0]: 1.0})
    assert given.fresh
    assert sum(row.success for row in (await app.learning.learned.of(palace)).lanes) == pytest.approx(1.0)
    await app.learning.feedback.take_back(palace, given.id)
    way = await _edge(app, palace, "HAS_ROOM")
    assert way["success_pheromone"] == pytest.approx(1.0)  # what was forgotten fades, and is not taken back
    assert (await app.learning.learned.of(palace)).lanes == []
