"""Entities that drawers refer to and that relate to each other, as whatever makes them will store them."""

from __future__ import annotations

import pytest
from tests.walks import furnish, trail_between

from graphpalace.app import GraphPalace
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.walking.graph_snapshot import KINDS, RELATIONS, GraphSnapshot, Trail
from graphpalace.domain.walking.walks import ColonyRules
from graphpalace.operations.drawers.drawers import NewDrawer

BREAD, ROSES = "knead the dough for ten minutes", "roses like sun and clay soil"


@pytest.fixture
async def drawers(app: GraphPalace, palace: str) -> dict[str, str]:
    """Give the ids of the drawers of a palace by their texts; yeast and clay are entities in it."""
    found = await furnish(app, palace)
    await app.replica.snapshots.get(palace)
    await app.database.write(palace, "tests/make_entities", drawers=[found[BREAD], found[ROSES]])
    app.replica.snapshots.forget(palace)  # what is made without the change feed is read with the whole palace
    return found


def _relations(snapshot: GraphSnapshot) -> list[str]:
    """Return the relations of the edges of entities."""
    return sorted(
        name for name in (RELATIONS[at] for at in snapshot.edges.relation) if name in ("REFERENCES", "RELATES_TO")
    )


def _way(snapshot: GraphSnapshot, palace: str, drawers: dict[str, str]) -> Trail:
    return trail_between(snapshot, drawers[BREAD], f"yeast-{palace}", f"clay-{palace}", drawers[ROSES])


async def test_a_snapshot_has_them_and_keeps_them_when_drawers_are_added(
    app: GraphPalace, palace: str, drawers: dict[str, str]
) -> None:
    snapshot = await app.replica.snapshots.get(palace)
    assert KINDS[snapshot.nodes.kind[snapshot.index_of[f"yeast-{palace}"]]] == "Entity"
    assert _relations(snapshot) == ["REFERENCES", "REFERENCES", "RELATES_TO"]
    await app.drawers.add(palace, NewDrawer(text="rye needs less kneading", wing="kitchen", room="bread"))
    later = await app.replica.snapshots.get(palace)
    assert later.revision > snapshot.revision
    assert _relations(later) == ["REFERENCES", "REFERENCES", "RELATES_TO"]


async def test_a_drawer_that_is_read_again_comes_with_its_references(
    app: GraphPalace, palace: str, drawers: dict[str, str]
) -> None:
    await app.replica.snapshots.get(palace)
    new = await app.drawers.add(palace, NewDrawer(text="rye needs less kneading", wing="kitchen", room="bread"))
    await app.database.write(palace, "tests/refer", drawer=new.drawer.id, entity=f"yeast-{palace}")
    snapshot = await app.replica.snapshots.get(palace)
    assert _relations(snapshot) == ["REFERENCES", "REFERENCES", "REFERENCES", "RELATES_TO"]


async def test_a_way_leads_over_them_by_their_names(app: GraphPalace, palace: str, drawers: dict[str, str]) -> None:
    way = await app.walking.navigate.find(palace, drawers[BREAD], drawers[ROSES])
    assert [(leg.type, leg.forward) for leg in way.legs] == [
        ("REFERENCES", True),
        ("RELATES_TO", True),
        ("REFERENCES", False),
    ]
    assert [(leg.to.kind, leg.to.name) for leg in way.legs[:2]] == [("Entity", "yeast"), ("Entity", "clay")]


async def _more_about_dough(app: GraphPalace, palace: str) -> None:
    """Store so many drawers about dough that the search enters the graph by these and the one about kneading alone."""
    texts = [NewDrawer(text=f"dough dough{at}", wing="kitchen", room="dough") for at in range(25)]
    await app.drawers.add_many(palace, texts)


async def _walked(app: GraphPalace, palace: str) -> dict[str, list[str]]:
    """Return the drawers that the path lane walked to, each with the relations of its way."""
    question = SearchRequest("knead dough", lanes=("fulltext", "path"), top_k=200)
    answer = await app.recall.search(palace, question)
    return {hit.id: [step.type for step in hit.trail] for hit in answer.hits if hit.trail}


async def test_the_path_lane_walks_over_them_to_another_wing(
    app: GraphPalace, palace: str, drawers: dict[str, str]
) -> None:
    await _more_about_dough(app, palace)
    assert (await _walked(app, palace))[drawers[ROSES]] == ["REFERENCES", "RELATES_TO", "REFERENCES"]


async def test_a_fact_that_was_taken_back_is_no_way(app: GraphPalace, palace: str, drawers: dict[str, str]) -> None:
    await _more_about_dough(app, palace)
    await app.database.write(palace, "tests/take_back_facts")
    app.replica.snapshots.forget(palace)
    assert "RELATES_TO" not in {step for way in (await _walked(app, palace)).values() for step in way}


async def test_a_name_that_many_drawers_mention_is_no_way(
    app: GraphPalace, palace: str, drawers: dict[str, str]
) -> None:
    await _more_about_dough(app, palace)
    added = [NewDrawer(text=f"nothing{at} at{at} all{at}", wing="attic", room="boxes") for at in range(70)]
    for one in (await app.drawers.add_many(palace, added)).ids:
        await app.database.write(palace, "tests/refer", drawer=one, entity=f"clay-{palace}")
    app.replica.snapshots.forget(palace)
    walked = await _walked(app, palace)
    assert drawers[ROSES] not in walked
    assert "RELATES_TO" not in {step for way in walked.values() for step in way}


async def test_walkers_go_over_them_and_mark_them(app: GraphPalace, palace: str, drawers: dict[str, str]) -> None:
    await app.walking.explore.walk(palace, query="knead dough", seed=1, rules=ColonyRules(agents=50, steps=20))
    nodes = (snapshot := await app.replica.snapshots.get(palace)).nodes
    for name in ("yeast", "clay"):
        assert nodes.exploration[snapshot.index_of[f"{name}-{palace}"]] > 0
    assert nodes.exploration[snapshot.index_of[drawers[ROSES]]] > 0


async def test_deposits_on_them_are_kept_shown_and_fade(app: GraphPalace, palace: str, drawers: dict[str, str]) -> None:
    trail = _way(await app.replica.snapshots.get(palace), palace, drawers)
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="over yeast")
    hot = await app.pheromones.hot_paths.hot(palace)
    assert {edge.type for edge in hot.edges} == {"REFERENCES", "RELATES_TO"}
    assert {node.node.id for node in hot.nodes if node.node.kind == "Entity"} == {f"yeast-{palace}", f"clay-{palace}"}
    warmth = {row.kind: row.warm for row in (await app.pheromones.hot_paths.status(palace)).warmth}
    assert warmth == {"Drawer": 2, "Entity": 2, "REFERENCES": 2, "RELATES_TO": 1}
    status = await app.pheromones.decay.status(palace)
    assert (status.warm_nodes, status.warm_edges) == (4, 3)
    before = {edge.type: edge.success for edge in hot.edges}
    await app.database.write(palace, "tests/advance_clock", cycles=10)
    done = await app.pheromones.decay.apply(palace)
    assert (done.nodes, done.edges) == (4, 3)
    after = {edge.type: edge.success for edge in (await app.pheromones.hot_paths.hot(palace)).edges}
    assert after == {kind: pytest.approx(value * 0.99**10) for kind, value in before.items()}


async def test_a_deposit_on_them_can_be_undone(app: GraphPalace, palace: str, drawers: dict[str, str]) -> None:
    trail = _way(await app.replica.snapshots.get(palace), palace, drawers)
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="over yeast")
    await app.database.transaction(palace, lambda tx: app.pheromones.deposits.undo(palace, tx, deposit_id="over yeast"))
    hot = await app.pheromones.hot_paths.hot(palace)
    assert [edge.success for edge in hot.edges if edge.success > 0] == []
    assert [node for node in hot.nodes if node.exploitation > 0] == []


async def test_the_graph_in_memory_follows_deposits_on_them(
    app: GraphPalace, palace: str, drawers: dict[str, str]
) -> None:
    snapshot = await app.replica.snapshots.get(palace)
    await app.pheromones.deposits.path_success(palace, _way(snapshot, palace, drawers), deposit_id="over yeast")
    later = await app.replica.snapshots.get(palace)
    warm = later.edges.success > 0
    assert sorted(RELATIONS[at] for at in later.edges.relation[warm]) == ["REFERENCES", "REFERENCES", "RELATES_TO"]
    yeast = later.index_of[f"yeast-{palace}"]
    assert later.nodes.exploitation[yeast] > 0


async def test_references_warm_the_rooms_of_their_drawers_on_the_map(
    app: GraphPalace, palace: str, drawers: dict[str, str]
) -> None:
    trail = _way(await app.replica.snapshots.get(palace), palace, drawers)
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="over yeast")
    wings = (await app.palaces.maps.of(palace)).wings
    warm = {f"{wing.name}/{room.name}" for wing in wings for room in wing.rooms if room.strength.success > 0}
    assert warm == {"kitchen/bread", "garden/roses"}


async def test_they_go_with_their_palace(app: GraphPalace, palace: str, drawers: dict[str, str]) -> None:
    await app.drop_palace(palace)
    assert await app.database.read(palace, "tests/count_entities") == [{"entities": 0}]
    await app.create_palace(palace)
