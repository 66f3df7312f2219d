"""Deposits on a real Neo4j: what they add, once, together."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from tests.graphs import edges_of, nodes_of
from tests.spare_palaces import spare_name
from tests.walks import furnish, trail_between, way_to

from graphpalace.app import GraphPalace
from graphpalace.domain.walking.graph_snapshot import NodeRef, Trail
from graphpalace.errors import InvalidInput, NotFound


async def _edge(app: GraphPalace, trail: Trail, at: int) -> dict[str, Any]:
    edge = trail.edges[at]
    return (await app.database.read(None, "tests/edge_trail", source=edge.source, target=edge.target))[0]["e"]


async def _node(app: GraphPalace, node: NodeRef) -> dict[str, Any]:
    return (await app.database.read(None, "tests/node", id=node.id))[0]["n"]


async def test_a_path_is_rewarded_by_position_and_its_edges_get_cheaper(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    trail = way_to(await app.replica.snapshots.get(palace), drawers["knead the dough for ten minutes"])
    laid = await app.pheromones.deposits.path_success(palace, trail, deposit_id="one")
    assert (laid.fresh, laid.edges, laid.nodes) == (True, 3, 4)
    for at, success in enumerate((1.0, 2 / 3, 1 / 3)):
        edge = await _edge(app, trail, at)
        assert edge["success_pheromone"] == pytest.approx(success)
        assert (edge["traversal_pheromone"], edge["recency_pheromone"]) == (0.1, 1.0)
        # worked by hand: base .3; factor .5 success + .3 x 1 + .2 x .1
        assert edge["current_cost"] == pytest.approx(0.3 * (1 - 0.5 * (0.5 * success + 0.32)))
    for node in trail.nodes:
        assert (await _node(app, node))["exploitation_pheromone"] == pytest.approx(0.2)
        assert (await _node(app, node))["exploration_pheromone"] == 0.0


async def test_a_deposit_of_the_same_id_is_laid_once(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    trail = way_to(await app.replica.snapshots.get(palace), drawers["oil the shears in autumn"])
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="same")
    before = await nodes_of(app.database, palace), await edges_of(app.database, palace)
    again = await asyncio.gather(
        *(app.pheromones.deposits.path_success(palace, trail, deposit_id="same") for _ in range(8))
    )
    assert [laid.fresh for laid in again] == [False] * 8
    assert (await nodes_of(app.database, palace), await edges_of(app.database, palace)) == before


async def test_the_same_id_in_two_palaces_is_two_deposits(app: GraphPalace, palace: str) -> None:
    other = spare_name()
    await app.create_palace(other)
    try:
        for name in (palace, other):
            drawers = await furnish(app, name)
            trail = way_to(await app.replica.snapshots.get(name), drawers["oil the shears in autumn"])
            assert (await app.pheromones.deposits.path_success(name, trail, deposit_id="same")).fresh
    finally:
        await app.drop_palace(other)


async def test_a_palace_made_anew_remembers_no_deposits(app: GraphPalace) -> None:
    name = spare_name()
    for _ in range(2):
        await app.create_palace(name)
        drawers = await furnish(app, name)
        trail = way_to(await app.replica.snapshots.get(name), drawers["oil the shears in autumn"])
        assert (await app.pheromones.deposits.path_success(name, trail, deposit_id="same")).fresh
        await app.drop_palace(name)


async def test_what_was_there_fades_before_more_is_added(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    trail = way_to(await app.replica.snapshots.get(palace), drawers["oil the shears in autumn"])
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="one")
    await app.database.write(palace, "tests/advance_clock", cycles=7)
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="two")
    edge = await _edge(app, trail, 0)
    assert edge["success_pheromone"] == pytest.approx(0.99**7 + 1)
    assert edge["traversal_pheromone"] == pytest.approx(0.1 * 0.97**7 + 0.1)
    assert edge["recency_pheromone"] == 1.0  # set anew, not added to
    assert (await _node(app, trail.nodes[0]))["exploitation_pheromone"] == pytest.approx(0.2 * 0.98**7 + 0.2)


async def test_no_pheromone_grows_beyond_the_ceiling(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    trail = way_to(await app.replica.snapshots.get(palace), drawers["oil the shears in autumn"])
    for number in range(3):
        await app.pheromones.deposits.path_success(palace, trail, deposit_id=str(number), base_reward=3.0)
    edge = await _edge(app, trail, 0)
    assert edge["success_pheromone"] == 5.0
    assert edge["current_cost"] == pytest.approx(0.3 * (1 - 0.5 * (0.5 + 0.3 + 0.2 * 0.3)))


async def test_an_explored_node_is_marked_and_nothing_else(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    node = NodeRef("Drawer", drawers["oil the shears in autumn"])
    edges = await edges_of(app.database, palace)
    await app.pheromones.deposits.exploration(palace, [node, node], deposit_id="look")
    assert (await _node(app, node))["exploration_pheromone"] == 0.3
    assert (await _node(app, node))["exploitation_pheromone"] == 0.0
    assert await edges_of(app.database, palace) == edges


async def test_an_edge_has_one_trail_whichever_way_it_is_walked(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    snapshot = await app.replica.snapshots.get(palace)
    down = way_to(snapshot, drawers["oil the shears in autumn"])
    up = trail_between(snapshot, *(node.id for node in reversed(down.nodes)))
    await app.pheromones.deposits.path_success(palace, down, deposit_id="down", base_reward=0.9)
    await app.pheromones.deposits.path_success(palace, up, deposit_id="up", base_reward=0.9)
    # walked down it is the first of three edges, walked up the last: .9 + .3
    assert (await _edge(app, down, 0))["success_pheromone"] == pytest.approx(1.2)


async def test_a_deposit_on_something_that_is_gone_lays_nothing(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    trail = way_to(await app.replica.snapshots.get(palace), drawers["oil the shears in autumn"])
    await app.drawers.delete(palace, drawers["oil the shears in autumn"])
    before = await nodes_of(app.database, palace), await edges_of(app.database, palace)
    with pytest.raises(NotFound, match="1 of 3 edges and 1 of 4 nodes"):
        await app.pheromones.deposits.path_success(palace, trail, deposit_id="late")
    assert (await nodes_of(app.database, palace), await edges_of(app.database, palace)) == before


async def test_bad_input_is_refused(app: GraphPalace, palace: str) -> None:
    with pytest.raises(InvalidInput, match="0 edges"):
        await app.pheromones.deposits.path_success(palace, Trail([], []), deposit_id="x")
    drawers = await furnish(app, palace)
    trail = way_to(await app.replica.snapshots.get(palace), drawers["oil the shears in autumn"])
    with pytest.raises(InvalidInput, match="base_reward is -1"):
        await app.pheromones.deposits.path_success(palace, trail, deposit_id="x", base_reward=-1)
    with pytest.raises(NotFound, match="there is no palace 'nowhere'"):
        await app.pheromones.deposits.exploration("nowhere", trail.nodes, deposit_id="x")


@pytest.mark.parametrize("seed", range(3))
async def test_sixteen_writers_on_overlapping_paths_lose_nothing(app: GraphPalace, palace: str, seed: int) -> None:
    drawers = list((await furnish(app, palace)).values())
    snapshot = await app.replica.snapshots.get(palace)
    rng = random.Random(seed)
    laid: list[tuple[Trail, float]] = []

    async def writer(number: int) -> None:
        for turn in range(10):
            trail = way_to(snapshot, rng.choice(drawers))
            if rng.random() < 0.5:
                trail = trail_between(snapshot, *(node.id for node in reversed(trail.nodes)))
            reward = rng.uniform(0.01, 0.03)  # no edge gets less than the noise floor
            laid.append((trail, reward))
            await app.pheromones.deposits.path_success(palace, trail, deposit_id=f"{number}-{turn}", base_reward=reward)

    await asyncio.gather(*(writer(number) for number in range(16)))
    success: dict[tuple[str, str, str], float] = {}
    visits: dict[str, int] = {}
    for trail, reward in laid:
        for at, edge in enumerate(trail.edges):
            key = (edge.type, edge.source, edge.target)
            success[key] = success.get(key, 0.0) + reward * (1 - at / len(trail.edges))
        for node in trail.nodes:
            visits[node.id] = visits.get(node.id, 0) + 1
    stored = {(e["type"], e["from"], e["to"]): e for e in await edges_of(app.database, palace)}
    for key, wanted in success.items():
        assert stored[key]["success_pheromone"] == pytest.approx(wanted, rel=1e-9)
    nodes = {node["id"]: node for node in await nodes_of(app.database, palace)}
    for node, count in visits.items():
        assert nodes[node]["exploitation_pheromone"] == pytest.approx(min(5.0, 0.2 * count), rel=1e-9)
