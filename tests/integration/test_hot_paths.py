"""What the palace shows of its pheromones on a real Neo4j: the values of now, and nothing is changed by looking."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from tests.graphs import edges_of, nodes_of
from tests.spare_palaces import spare_name
from tests.walks import TEXTS, furnish, trail_between, way_to

from graphpalace.app import GraphPalace
from graphpalace.domain.walking.graph_snapshot import NodeRef, Trail
from graphpalace.errors import InvalidInput, NotFound

BREAD = "knead the dough for ten minutes"
SHEARS = "oil the shears in autumn"


async def _rewarded(app: GraphPalace, palace: str, text: str, *, times: int = 1) -> Trail:
    """Furnish the palace, and reward the way to a drawer."""
    drawers = await furnish(app, palace)
    trail = way_to(await app.replica.snapshots.get(palace), drawers[text])
    for number in range(times):
        await app.pheromones.deposits.path_success(palace, trail, deposit_id=f"{text} {number}")
    return trail


async def test_a_palace_without_trails_has_rates_and_half_lives_and_nothing_else(app: GraphPalace, palace: str) -> None:
    await furnish(app, palace)
    found = await app.pheromones.hot_paths.status(palace)
    assert (found.cycle, found.cycle_seconds, found.warmth) == (0, 3600, [])
    assert {each.name: (each.on, each.decay_rate) for each in found.pheromones} == {
        "exploitation": ("node", 0.02),
        "exploration": ("node", 0.05),
        "success": ("edge", 0.01),
        "traversal": ("edge", 0.03),
        "recency": ("edge", 0.10),
    }
    halves = [round(each.half_life_cycles or 0) for each in found.pheromones]
    assert halves == [34, 14, 69, 23, 7]
    assert all((each.carriers, each.sum, each.mean, each.maximum) == (0, 0, 0, 0) for each in found.pheromones)
    hot = await app.pheromones.hot_paths.hot(palace)
    assert (hot.edges, hot.nodes) == ([], [])


async def test_sums_means_and_maxima_are_those_of_now(app: GraphPalace, palace: str) -> None:
    await _rewarded(app, palace, BREAD)
    await app.database.write(palace, "tests/advance_clock", cycles=7)
    found = await app.pheromones.hot_paths.status(palace)
    assert found.cycle == 7
    of = {each.name: each for each in found.pheromones}
    left = 0.99**7
    success = of["success"]
    assert (success.carriers, success.sum) == (3, pytest.approx(2 * left))  # 1, 2/3 and 1/3 of one reward
    assert (success.mean, success.maximum) == (pytest.approx(2 / 3 * left), pytest.approx(left))
    assert of["recency"].maximum == pytest.approx(0.9**7)
    assert (of["exploitation"].carriers, of["exploitation"].sum) == (4, pytest.approx(4 * 0.2 * 0.98**7))
    assert of["exploration"].carriers == 0
    warmth = {row.kind: row for row in found.warmth}
    assert {kind: (row.warm, row.faded) for kind, row in warmth.items()} == dict.fromkeys(
        ("Wing", "Room", "Closet", "Drawer", "HAS_ROOM", "HAS_CLOSET", "HAS_DRAWER"), (1, 0)
    )
    assert warmth["HAS_ROOM"].sums["traversal"] == pytest.approx(0.1 * 0.97**7)


async def test_what_fell_below_the_floor_is_nothing_before_anybody_cleared_it(app: GraphPalace, palace: str) -> None:
    await _rewarded(app, palace, BREAD)
    await app.database.write(palace, "tests/advance_clock", cycles=300)
    found = await app.pheromones.hot_paths.status(palace)
    of = {each.name: each for each in found.pheromones}
    assert (of["recency"].carriers, of["recency"].sum) == (0, 0)
    assert (of["exploitation"].carriers, of["success"].carriers) == (0, 3)
    assert {row.kind: (row.warm, row.faded) for row in found.warmth}["Room"] == (0, 1)
    hot = await app.pheromones.hot_paths.hot(palace)
    assert hot.nodes == []
    assert [edge.recency for edge in hot.edges] == [0, 0, 0]
    await app.database.write(palace, "tests/advance_clock", cycles=2000)
    assert (await app.pheromones.hot_paths.hot(palace)).edges == []


async def test_the_strongest_edges_and_nodes_come_first_by_names_people_can_read(app: GraphPalace, palace: str) -> None:
    often = await _rewarded(app, palace, BREAD, times=3)
    await _rewarded(app, palace, SHEARS)
    await app.database.write(palace, "tests/advance_clock", cycles=2)
    hot = await app.pheromones.hot_paths.hot(palace, limit=4)
    assert [edge.type for edge in hot.edges] == ["HAS_ROOM", "HAS_CLOSET", "HAS_DRAWER", "HAS_ROOM"]
    first = hot.edges[0]
    assert (first.source.id, first.target.id) == (often.edges[0].source, often.edges[0].target)
    assert (first.source.place, first.target.place) == (["kitchen"], ["kitchen", "bread"])
    assert hot.edges[2].target.place == ["kitchen", "bread", hot.edges[2].source.name, BREAD]
    # worked by hand: success is over 1, recency .9^2, traversal .3 x .97^2
    factor = 0.5 + 0.3 * 0.81 + 0.2 * 0.3 * 0.97**2
    assert (first.success, first.factor) == (pytest.approx(3 * 0.99**2), pytest.approx(factor))
    assert (first.base_cost, first.current_cost) == (0.3, pytest.approx(0.3 * (1 - factor / 2)))
    assert first.discount == pytest.approx(factor / 2)
    assert [node.exploitation for node in hot.nodes] == pytest.approx([0.6 * 0.98**2] * 4)
    assert {node.node.kind for node in hot.nodes} == {"Wing", "Room", "Closet", "Drawer"}
    assert [(node.exploitation, node.node.id) for node in hot.nodes] == sorted(
        ((node.exploitation, node.node.id) for node in hot.nodes), key=lambda row: (-row[0], row[1])
    )


async def test_one_kind_or_one_wing_can_be_asked_for(app: GraphPalace, palace: str) -> None:
    await _rewarded(app, palace, BREAD)
    await _rewarded(app, palace, SHEARS)
    only_edges = await app.pheromones.hot_paths.hot(palace, kind="edge")
    assert (len(only_edges.edges), only_edges.nodes) == (6, [])
    only_nodes = await app.pheromones.hot_paths.hot(palace, kind="node")
    assert (only_nodes.edges, len(only_nodes.nodes)) == ([], 8)
    garden = await app.pheromones.hot_paths.hot(palace, wing="garden")
    assert {edge.source.place[0] for edge in garden.edges} == {"garden"}
    assert {node.node.place[0] for node in garden.nodes} == {"garden"}
    assert (len(garden.edges), len(garden.nodes)) == (3, 4)
    cold = await app.pheromones.hot_paths.cold(palace, wing="garden")
    assert [row.node.place for row in cold.places] == [["garden", "roses"], ["garden", "tools"]]


async def test_an_edge_between_two_wings_is_in_both(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    snapshot = await app.replica.snapshots.get(palace)
    ends = [drawers["a sharp pruning knife cuts roses cleanly"], drawers["a sharp bread knife cuts crust cleanly"]]
    trail = trail_between(snapshot, *ends)
    assert trail.edges[0].type == "SIMILAR_TO"
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="across")
    for wing in ("garden", "kitchen"):
        assert [edge.type for edge in (await app.pheromones.hot_paths.hot(palace, wing=wing)).edges] == ["SIMILAR_TO"]


async def test_cold_places_are_the_oldest_that_nobody_visits(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    snapshot = await app.replica.snapshots.get(palace)
    await app.pheromones.deposits.path_success(palace, way_to(snapshot, drawers[BREAD]), deposit_id="bread")
    searched = NodeRef("Drawer", drawers["roses like sun and clay soil"])
    await app.pheromones.deposits.exploration(palace, [searched], deposit_id="look")  # its room was not marked itself
    rooms = await app.pheromones.hot_paths.cold(palace)
    assert rooms.kind == "room"
    assert [row.node.place for row in rooms.places] == [
        ["garden", "tools"],
        ["kitchen", "tools"],
        ["garden", "roses"],
        ["kitchen", "bread"],
    ]
    roses, bread = rooms.places[2:]
    assert (roses.exploitation, roses.exploration) == (0, pytest.approx(0.3))
    assert (bread.exploitation, bread.exploration) == (pytest.approx(0.6), 0)  # the room, its closet and its drawer
    closets = await app.pheromones.hot_paths.cold(palace, kind="closet")
    assert [row.exploitation + row.exploration for row in closets.places] == pytest.approx([0, 0, 0.3, 0.4])
    cold = await app.pheromones.hot_paths.cold(palace, kind="drawer", limit=200)
    assert len(cold.places) == sum(map(len, TEXTS.values()))
    assert {row.node.id for row in cold.places[-2:]} == {searched.id, drawers[BREAD]}
    assert cold.places[0].node.place[-1] == "roses need pruning in spring"  # stored first
    assert [row.node.id for row in (await app.pheromones.hot_paths.cold(palace, kind="drawer", limit=1)).places] == [
        cold.places[0].node.id
    ]


async def test_looking_changes_nothing_and_gives_json(app: GraphPalace, palace: str) -> None:
    await _rewarded(app, palace, BREAD)
    await app.database.write(palace, "tests/advance_clock", cycles=30)
    before = await nodes_of(app.database, palace), await edges_of(app.database, palace)
    for found in (
        await app.pheromones.hot_paths.status(palace),
        await app.pheromones.hot_paths.hot(palace),
        await app.pheromones.hot_paths.cold(palace, kind="drawer"),
    ):
        json.dumps(asdict(found))
    assert (await nodes_of(app.database, palace), await edges_of(app.database, palace)) == before


async def test_the_values_are_those_of_the_snapshot(app: GraphPalace, palace: str) -> None:
    await _rewarded(app, palace, BREAD, times=2)
    await _rewarded(app, palace, SHEARS)
    await app.database.write(palace, "tests/advance_clock", cycles=11)
    snapshot = await app.replica.snapshots.get(palace)
    edges, at = snapshot.edges, snapshot.index_of
    for edge in (await app.pheromones.hot_paths.hot(palace)).edges:
        row = int(((edges.source == at[edge.source.id]) & (edges.target == at[edge.target.id])).nonzero()[0][0])
        assert edge.success == pytest.approx(edges.success[row])
        assert edge.factor == pytest.approx(edges.factor[row])
        assert edge.current_cost == pytest.approx(edges.current_cost[row])


async def test_another_palace_is_not_seen(app: GraphPalace, palace: str) -> None:
    other = spare_name()
    await app.create_palace(other)
    try:
        await _rewarded(app, other, BREAD)
        await furnish(app, palace)
        assert (await app.pheromones.hot_paths.status(palace)).warmth == []
        assert (await app.pheromones.hot_paths.hot(palace)).edges == []
        assert {row.exploitation for row in (await app.pheromones.hot_paths.cold(palace)).places} == {0}
    finally:
        await app.drop_palace(other)


async def test_bad_input_is_refused(app: GraphPalace, palace: str) -> None:
    await furnish(app, palace)
    paths = app.pheromones.hot_paths
    with pytest.raises(NotFound, match="there is no palace 'nowhere'"):
        await paths.status("nowhere")
    with pytest.raises(NotFound, match=r"wing 'attic' is not in palace .*; it has 'garden', 'kitchen'"):
        await paths.hot(palace, wing="attic")
    with pytest.raises(NotFound, match="wing 'attic'"):
        await paths.cold(palace, wing="attic")
    with pytest.raises(InvalidInput, match="kind is 'wall'; it must be node or edge"):
        await paths.hot(palace, kind="wall")  # pyright: ignore[reportArgumentType]
    with pytest.raises(InvalidInput, match="kind is 'wall'; it must be room or closet or drawer"):
        await paths.cold(palace, kind="wall")  # pyright: ignore[reportArgumentType]
    for limit in (0, 201):
        with pytest.raises(InvalidInput, match=f"limit is {limit}; it must be 1 to 200"):
            await paths.hot(palace, limit=limit)
        with pytest.raises(InvalidInput, match=f"limit is {limit}"):
            await paths.cold(palace, limit=limit)


@pytest.mark.parametrize(
    "query",
    ["status_nodes", "status_edges", "hot_nodes", "hot_edges"],
)
async def test_what_is_warm_is_found_by_its_index(app: GraphPalace, palace: str, query: str) -> None:
    plan = await app.database.explain(palace, f"pheromones/{query}")
    assert "Scan" not in plan
    assert plan.count("IndexSeek") >= (5 if query.endswith("nodes") else 8)
    assert "warm_in = $given.palace" in plan
