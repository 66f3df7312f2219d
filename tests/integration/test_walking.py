"""Cheapest ways, colonies and the path lane, on a real Neo4j."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, cast

import pytest
from tests.graphs import edges_of, nodes_of
from tests.walks import furnish, way_to

from graphpalace.app import GraphPalace
from graphpalace.domain.search.answer import Answer
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.walking.graph_snapshot import DRAWER, KINDS
from graphpalace.domain.walking.walks import TEMPERATURES, ColonyRules, Exploration
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.search.recall import Recall
from graphpalace.traverse.colony import colony_size


async def test_the_cheapest_way_is_explained_step_by_step(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    dough = drawers["knead the dough for ten minutes"]
    way = await app.walking.navigate.find(palace, "kitchen", dough)
    assert [(leg.type, leg.forward, leg.to.kind) for leg in way.legs] == [
        ("HAS_ROOM", True, "Room"),
        ("HAS_CLOSET", True, "Closet"),
        ("HAS_DRAWER", True, "Drawer"),
    ]
    assert [leg.to.name for leg in way.legs][::2] == ["bread", "knead the dough for ten minutes"]
    assert way.start.name == "kitchen"
    assert way.cost == pytest.approx(sum(leg.cost for leg in way.legs))
    for leg in way.legs:
        assert leg.cost == pytest.approx(leg.semantic + leg.pheromone + leg.structural)
        assert (leg.pheromone, leg.structural) == (0.3, pytest.approx(0.09))  # no trail yet; .3 x .3
    assert way.legs[-1].semantic == pytest.approx(0, abs=1e-6)  # the goal is as near to itself as can be


async def test_a_trail_makes_the_way_cheaper_in_both_directions(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    dough = drawers["knead the dough for ten minutes"]
    down, up = (
        await app.walking.navigate.find(palace, "kitchen", dough),
        await app.walking.navigate.find(palace, dough, "kitchen"),
    )
    trail = way_to(await app.replica.snapshots.get(palace), dough)
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="x")
    assert (await app.walking.navigate.find(palace, "kitchen", dough)).cost < down.cost
    assert (await app.walking.navigate.find(palace, dough, "kitchen")).cost < up.cost
    assert [leg.forward for leg in up.legs] == [False] * 3


async def test_a_context_weighs_the_parts(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    dough = drawers["knead the dough for ten minutes"]
    way = await app.walking.navigate.find(palace, "kitchen", dough, context="memory_recall")
    assert way.legs[0].structural == pytest.approx(0.2 * 0.3)
    with pytest.raises(InvalidInput, match="context is 'hope'; it must be one of default"):
        await app.walking.navigate.find(palace, "kitchen", dough, context="hope")


async def test_names_that_are_unknown_or_ambiguous_are_told(app: GraphPalace, palace: str) -> None:
    await furnish(app, palace)
    with pytest.raises(NotFound, match="from is 'cellar', which is not in palace"):
        await app.walking.navigate.find(palace, "cellar", "kitchen")
    with pytest.raises(InvalidInput, match="to is 'tools', which may be 'garden/tools', 'kitchen/tools'"):
        await app.walking.navigate.find(palace, "kitchen", "tools")
    assert (await app.walking.navigate.find(palace, "kitchen", "kitchen/tools")).legs[-1].to.name == "tools"
    assert (await app.walking.navigate.find(palace, "kitchen", "bread")).legs[-1].to.name == "bread"
    from_palace = await app.walking.navigate.find(palace, palace, "kitchen")  # the name by which answers show its node
    assert (from_palace.start.kind, from_palace.start.name) == ("Palace", palace)
    assert from_palace.legs[-1].to.name == "kitchen"
    with pytest.raises(NotFound, match="there is no palace 'nowhere'"):
        await app.walking.navigate.find("nowhere", "a", "b")


async def test_wings_that_share_nothing_are_joined_over_the_palace(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    await app.drawers.add_wing(palace, "island", "topic")
    way = await app.walking.navigate.find(palace, "island", drawers["knead the dough for ten minutes"])
    assert [(leg.type, leg.forward, leg.to.kind) for leg in way.legs[:3]] == [
        ("CONTAINS", False, "Palace"),
        ("CONTAINS", True, "Wing"),
        ("HAS_ROOM", True, "Room"),
    ]
    assert [(leg.base_cost, leg.current_cost, leg.structural) for leg in way.legs[:2]] == [(1.0, 1.0, 0.3)] * 2
    assert way.legs[0].to.name == palace
    assert (await app.walking.navigate.find(palace, drawers["roses like sun and clay soil"], "island")).legs[-1].forward
    for start in drawers.values():
        for goal in drawers.values():
            await app.walking.navigate.find(palace, start, goal)


async def test_a_place_that_cannot_be_reached_is_told(app: GraphPalace, palace: str) -> None:
    await furnish(app, palace)
    await app.database.write(palace, "tests/make_lonely_entity")
    with pytest.raises(NotFound, match=f"there is no path from 'kitchen' to 'lonely-{palace}'"):
        await app.walking.navigate.find(palace, "kitchen", f"lonely-{palace}")


async def test_agents_do_not_walk_over_the_palace(app: GraphPalace, palace: str) -> None:
    await furnish(app, palace)
    await app.drawers.add_wing(palace, "island", "topic")
    report = await app.walking.explore.walk(palace, wing="kitchen", rules=ColonyRules(agents=100, steps=50), seed=1)
    assert report.coverage < 1
    marked = [node for node in await nodes_of(app.database, palace) if node.get("exploration_pheromone", 0) > 0]
    assert len(marked) == report.marked
    assert not [node for node in marked if "Palace" in node["labels"] or node.get("name") == "island"]


async def test_a_palace_from_before_gets_its_way_when_it_is_opened(app: GraphPalace, palace: str) -> None:
    await app.drawers.add_wing(palace, "island", "topic")
    await app.database.write(palace, "tests/drop_contains_cost")
    await app.prepare()
    (edge,) = [edge for edge in await edges_of(app.database, palace) if edge["type"] == "CONTAINS"]
    assert (edge["base_cost"], edge["current_cost"]) == (1.0, 1.0)


async def test_navigating_changes_nothing(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    before = await nodes_of(app.database, palace), await edges_of(app.database, palace)
    await app.walking.navigate.find(palace, "kitchen", drawers["oil the shears in autumn"])
    await app.recall.search(palace, SearchRequest("roses", lanes=("fulltext", "semantic", "path")))
    await app.walking.explore.walk(palace, query="roses", mark=False)
    assert (await nodes_of(app.database, palace), await edges_of(app.database, palace)) == before


async def test_an_exploration_marks_what_it_searched_and_the_next_one_looks_elsewhere(
    app: GraphPalace, palace: str
) -> None:
    for wing in ("one", "two"):
        for room in range(4):
            for text in range(5):
                await app.drawers.add(palace, NewDrawer(text=f"{wing} {room} {text}", wing=wing, room=f"r{room}"))
    first = await app.walking.explore.walk(palace, wing="one", rules=ColonyRules(agents=3, steps=5), seed=1)
    assert first.marked == first.nodes > 5
    assert 0 < first.drawer_coverage < 1
    assert first.frontier > 0
    snapshot = await app.replica.snapshots.get(palace)
    assert (snapshot.nodes.exploration > 0).sum() == first.nodes
    assert set(snapshot.nodes.exploration[snapshot.nodes.exploration > 0].round(9)) == {0.3}
    again = await app.walking.explore.walk(palace, wing="one", rules=ColonyRules(agents=3, steps=5), seed=1, mark=False)
    # The least visited rooms are those of which nothing was seen, and they are in the other wing.
    assert first.corners[0].visited == 0
    assert again.nodes != first.nodes or again.corners != first.corners


async def test_the_same_seed_walks_the_same_way(app: GraphPalace, palace: str) -> None:
    await furnish(app, palace)
    asked: dict[str, Any] = {"query": "pruning roses", "rules": ColonyRules(agents=20, steps=10), "mark": False}
    first = await app.walking.explore.walk(palace, seed=5, **asked)
    assert await app.walking.explore.walk(palace, seed=5, **asked) == first
    assert (await app.walking.explore.walk(palace, **asked)).seed != (
        await app.walking.explore.walk(palace, **asked)
    ).seed


async def test_an_exploration_finds_what_the_question_is_about(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    report = await app.walking.explore.walk(
        palace, query="pruning roses in spring", rules=ColonyRules(agents=50, steps=20), seed=2
    )
    assert drawers["roses need pruning in spring"] in [hit.id for hit in report.found[:3]]
    assert report.found[0].text.count("roses") == 1
    assert all(hit.path[-1] == hit.id for hit in report.found)


async def test_hits_without_any_score_are_entered_alike(
    app: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawers = await furnish(app, palace)
    search = Recall.search

    async def worthless(recall: Recall, palace: str, request: SearchRequest) -> Answer:
        answer = await search(recall, palace, request)
        return replace(answer, hits=[replace(hit, score=0.0) for hit in answer.hits])

    monkeypatch.setattr(Recall, "search", worthless)
    report = await app.walking.explore.walk(palace, query="roses", rules=ColonyRules(agents=50, steps=20), seed=2)
    assert {hit.id for hit in report.found} <= set(drawers.values())
    assert report.found


async def test_bad_explorations_are_refused(app: GraphPalace, palace: str) -> None:
    with pytest.raises(Conflict, match="is empty; ingest something first"):
        await app.walking.explore.walk(palace)
    await furnish(app, palace)
    with pytest.raises(InvalidInput, match="seed is -1"):
        await app.walking.explore.walk(palace, seed=-1)
    wrong: dict[str, ColonyRules] = {
        "agents is 0; it must be 1 to 10000": ColonyRules(agents=0),
        "agents is 10001; ": ColonyRules(agents=10_001),
        "steps is 0; it must be 1 to 1000": ColonyRules(steps=0),
        "mix has 'wanderer', which is not an archetype; use explorer, ": ColonyRules(mix={"wanderer": 1}),
        "mix of explorer is -1; it must be 0 to 1000": ColonyRules(mix={"explorer": -1}),
        "mix is {'explorer': 0}; at least one": ColonyRules(mix={"explorer": 0}),
        "temperatures of balanced is 0; it must be 0.001 to 100": ColonyRules(temperatures={"balanced": 0}),
        "schedule is 'quenched'; it must be one of constant, ": ColonyRules(schedule=cast("Any", "quenched")),
        "floor is 2; it must be 0.001 to 1": ColonyRules(floor=2),
    }
    for message, rules in wrong.items():
        with pytest.raises(InvalidInput, match=re.escape(message)):
            await app.walking.explore.walk(palace, rules=rules)
    with pytest.raises(NotFound, match="wing is 'cellar'"):
        await app.walking.explore.walk(palace, wing="cellar")


async def test_a_colony_is_as_large_as_fits_the_palace_or_as_it_is_told(app: GraphPalace, palace: str) -> None:
    await furnish(app, palace)
    by_itself = await app.walking.explore.walk(palace, seed=1, mark=False)
    assert (by_itself.agents, by_itself.steps) == colony_size(len((await app.replica.snapshots.get(palace)).nodes))
    told = await app.walking.explore.walk(palace, rules=ColonyRules(agents=7, steps=3), seed=1, mark=False)
    assert (told.agents, told.steps) == (7, 3)


async def test_mix_temperatures_schedule_and_floor_change_the_walk(app: GraphPalace, palace: str) -> None:
    await furnish(app, palace)

    async def explored(**given: Any) -> Exploration:
        rules = ColonyRules(agents=50, steps=8, **given)
        return await app.walking.explore.walk(palace, query="roses", rules=rules, seed=1, mark=False)

    plain = await explored()
    told = [{"mix": {"exploiter": 1.0}}, {"schedule": "constant"}, {"floor": 1.0}, {"temperatures": {"balanced": 0.01}}]
    for rules in told:
        assert await explored(**rules) != plain, rules
    same = {"mix": dict.fromkeys(TEMPERATURES, 3.0), "temperatures": dict(TEMPERATURES), "schedule": "exponential"}
    assert await explored(**same, floor=0.1) == plain


async def test_the_path_lane_finds_what_stands_beside_what_the_others_found(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    answer = await app.recall.search(palace, SearchRequest("knead dough", lanes=("path",), top_k=8))
    found = {hit.id: hit for hit in answer.hits}
    assert answer.hits[0].id == drawers["knead the dough for ten minutes"]
    assert all(set(hit.lanes) == {"path"} for hit in answer.hits)
    assert "path" in answer.timings_ms
    walked = [hit for hit in found.values() if hit.trail]
    snapshot = await app.replica.snapshots.get(palace)
    for hit in walked:
        assert hit.trail
        assert hit.trail.nodes[-1].id == hit.id
        assert snapshot.nodes.kind[snapshot.index_of[hit.trail.nodes[0].id]] == DRAWER
        assert KINDS[DRAWER] == "Drawer"


async def test_filters_hold_in_the_path_lane_too(app: GraphPalace, palace: str) -> None:
    await furnish(app, palace)
    question = SearchRequest("a sharp knife", lanes=("fulltext", "semantic", "path"), wing="garden", top_k=50)
    hits = (await app.recall.search(palace, question)).hits
    assert {hit.wing for hit in hits} == {"garden"}
    assert {lane for hit in hits for lane in hit.lanes} == {"fulltext", "semantic", "path"}


async def test_an_unknown_lane_is_refused(app: GraphPalace, palace: str) -> None:
    for lanes in (("hope",), ()):
        with pytest.raises(InvalidInput, match="it must be some of fulltext, semantic, entity, path"):
            await app.recall.search(palace, SearchRequest("x", lanes=lanes))


async def test_a_trail_moves_a_drawer_up_in_the_path_lane(app: GraphPalace, palace: str) -> None:
    for number in range(6):
        await app.drawers.add(palace, NewDrawer(text=f"alpha number{number}", wing="w", room="r"))
    question = SearchRequest("alpha", lanes=("path",), top_k=6)
    before = [hit.id for hit in (await app.recall.search(palace, question)).hits]
    last = before[-1]
    for number in range(3):
        trail = way_to(await app.replica.snapshots.get(palace), last)
        await app.pheromones.deposits.path_success(palace, trail, deposit_id=str(number))
    after = [hit.id for hit in (await app.recall.search(palace, question)).hits]
    assert after.index(last) < before.index(last)
