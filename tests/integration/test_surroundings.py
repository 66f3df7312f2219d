"""The surroundings of a node, on a real Neo4j."""

from __future__ import annotations

import pytest
from tests.walks import furnish, way_to

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.domain.knowledge.entity import entity_id
from graphpalace.domain.knowledge.fact_requests import NewFact
from graphpalace.domain.walking.surroundings import Surroundings, SurroundingsRequest
from graphpalace.errors import InvalidInput, NotFound


async def _around(app: GraphPalace, palace: str, of: str, limit: int = 50, *shown: str) -> Surroundings:
    return await app.walking.surroundings.of(palace, SurroundingsRequest(of, limit, shown))


async def test_a_wing_has_its_palace_and_rooms_around_it(app: GraphPalace, palace: str) -> None:
    await furnish(app, palace)
    found = await _around(app, palace, "kitchen")
    middle, *around = found.nodes
    assert (middle.kind, middle.name, middle.edges) == ("Wing", "kitchen", 3)
    assert sorted((node.kind, node.name) for node in around) == [
        ("Palace", palace),
        ("Room", "bread"),
        ("Room", "tools"),
    ]
    assert {edge.type for edge in found.edges} >= {"CONTAINS", "HAS_ROOM"}
    assert found.left_out == 0


async def test_the_edges_between_neighbours_are_there_too(app: GraphPalace, palace: str) -> None:
    await furnish(app, palace)
    rooms = {(room.wing, room.name): room.id for room in await app.drawers.rooms(palace)}
    ends = sorted([rooms["garden", "tools"], rooms["kitchen", "tools"]])
    await app.database.write(palace, "rooms/write_tunnels", edges=[{"from": ends[0], "to": ends[1]}], base_cost=0.7)
    found = await _around(app, palace, "kitchen/tools")
    ids = {node.id for node in found.nodes}
    for edge in found.edges:
        assert {edge.source, edge.target} <= ids
        assert 0 < edge.current_cost <= edge.base_cost
    assert "TUNNEL" in {edge.type for edge in found.edges}


async def test_types_of_edges_take_turns_where_there_is_not_room_for_all(app: GraphPalace, palace: str) -> None:
    for number in range(30):
        await app.drawers.add(palace, NewDrawer(text=f"note number {number}", wing="w", room="r"))
    (closet,) = [node for node in (await _around(app, palace, "w/r")).nodes if node.kind == "Closet"]
    found = await _around(app, palace, closet.id, 4)
    assert [node.kind for node in found.nodes].count("Room") == 1
    assert (len(found.nodes), found.left_out) == (5, 27)


async def test_what_is_shown_already_is_joined_and_not_sent_again(app: GraphPalace, palace: str) -> None:
    await furnish(app, palace)
    first = await _around(app, palace, "kitchen")
    room = next(node for node in first.nodes if node.name == "bread")
    shown = [node.id for node in first.nodes]
    second = await _around(app, palace, room.id, 50, *shown, "gone by now")
    assert second.nodes[0].id == room.id
    assert not {node.id for node in second.nodes[1:]} & set(shown)
    joined = {(edge.source, edge.target) for edge in second.edges}
    assert (first.middle, room.id) in joined


async def test_a_trail_makes_an_edge_strong_and_cheap(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    dough = drawers["knead the dough for ten minutes"]
    trail = way_to(await app.replica.snapshots.get(palace), dough)
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="x")
    found = await _around(app, palace, dough)
    (way,) = [edge for edge in found.edges if edge.type == "HAS_DRAWER"]
    # The last of three edges gets a third of the reward; cost = base x (1 - .5 x (.5 x 1/3 + .3 x 1 + .2 x .1)).
    assert (way.success, way.recency, way.traversal) == (pytest.approx(1 / 3), 1.0, pytest.approx(0.1))
    assert way.current_cost == pytest.approx(way.base_cost * (1 - 0.5 * (0.5 / 3 + 0.3 + 0.02)))
    assert found.nodes[0].exploitation == pytest.approx(0.2)


async def test_facts_are_edges_that_say_what_they_state(app: GraphPalace, palace: str) -> None:
    await app.knowledge.facts.add(palace, NewFact("Ana", "works for", "Harbour Ltd"))
    await app.knowledge.facts.add(palace, NewFact("Ana", "founded", "Harbour Ltd"))
    found = await _around(app, palace, entity_id(palace, "ana"))
    assert [(edge.type, list(edge.predicates)) for edge in found.edges] == [("RELATES_TO", ["founded", "works_for"])]


async def test_what_is_not_there_is_refused(app: GraphPalace, palace: str) -> None:
    await furnish(app, palace)
    with pytest.raises(NotFound, match="cellar"):
        await _around(app, palace, "cellar")
    with pytest.raises(InvalidInput, match="kitchen/tools"):
        await _around(app, palace, "tools")
