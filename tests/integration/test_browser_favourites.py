"""What `cypher/browser/` brings for Neo4j Browser: every favourite runs as it is pasted, on a real Neo4j."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from tests.graphs import edges_of, nodes_of
from tests.spare_palaces import spare_name
from tests.walks import furnish, trail_between, way_to

from graphpalace.app import GraphPalace
from graphpalace.domain.knowledge.fact_requests import FactQuery, NewFact, Supersession, TimelineQuery
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.walking.graph_snapshot import RELATIONS
from graphpalace.store.connection import database
from graphpalace.store.connection.database import Row
from graphpalace.store.connection.queries import Query, resource_dir

FOLDER = resource_dir("cypher") / "browser"
FAVOURITES = sorted(path.stem for path in FOLDER.glob("*.cypher"))
STYLES = sorted(path.stem for path in FOLDER.glob("*.grass"))
BREAD = "knead the dough for ten minutes"
SHEARS = "oil the shears in autumn"
CHANGING = {"lay_trail", "state_fact", "supersede_fact", "take_back_fact"}  # if values are filled in


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.cypher").read_text("utf-8")


@pytest.fixture
def pasted(monkeypatch: pytest.MonkeyPatch, palace: str) -> Callable[..., str]:
    """Let `browser/NAME` mean a favourite with the test's palace put in for `main`, as somebody would by hand."""
    others = database.query
    changes: dict[str, str] = {"'main'": f"'{palace}'"}

    def query(name: str) -> Query:
        if not name.startswith("browser/"):
            return others(name)
        text = text_of(name.removeprefix("browser/"))
        for old, new in changes.items():
            text = text.replace(old, new)
        return Query(name, text, {})

    monkeypatch.setattr(database, "query", query)

    def named(name: str, **more: str) -> str:
        changes.update({f"'' AS {what}": f"'{value}' AS {what}" for what, value in more.items()})
        return f"browser/{name}"

    return named


async def _run(app: GraphPalace, palace: str, name: str) -> list[Row]:
    return await app.database.write(palace, name)


async def _trails(app: GraphPalace, palace: str) -> dict[str, str]:
    """Furnish the palace; reward one way often and another once, and let some cycles pass."""
    drawers = await furnish(app, palace)
    snapshot = await app.replica.snapshots.get(palace)
    for number in range(3):
        await app.pheromones.deposits.path_success(
            palace, way_to(snapshot, drawers[BREAD]), deposit_id=f"bread {number}"
        )
    await app.pheromones.deposits.path_success(palace, way_to(snapshot, drawers[SHEARS]), deposit_id="shears")
    await app.database.write(palace, "tests/advance_clock", cycles=5)
    return drawers


async def _lesson(app: GraphPalace, palace: str, drawers: dict[str, str]) -> None:
    question = SearchRequest("how long is dough kneaded", wing="kitchen")
    await app.learning.feedback.give(
        palace, question=question, useful={drawers[BREAD]: 1.0}, useless={drawers[SHEARS]: 0.5}
    )
    await app.history.searches.flush()


async def _facts(app: GraphPalace, palace: str, drawer: str) -> None:
    """State facts of which one contradicts another, and one has ended."""
    await app.knowledge.facts.add(palace, NewFact("Ann", "bakes", "rye", valid_to="2020", drawers=[drawer]))
    for town in ("Leeds", "York"):
        await app.knowledge.facts.add(palace, NewFact("Ann", "lives_in", town))


@pytest.mark.parametrize("name", FAVOURITES)
def test_a_favourite_begins_with_its_title_and_is_one_statement_without_parameters(name: str) -> None:
    text = text_of(name)
    assert re.match(r"// [A-Z][\w ,]{5,27}\n", text)  # the drawer of favourites shows some 28 letters
    code = re.sub(r"//.*", "", text)
    assert ";" not in code  # Browser shows several statements as a list, without any graph
    assert "$" not in code
    assert code.count("'main'") == 1  # the one place to put another palace's name


def test_titles_differ_and_the_documentation_tells_how_to_load_them() -> None:
    assert len({text_of(name).partition("\n")[0] for name in FAVOURITES}) == len(FAVOURITES)
    page = (FOLDER.parents[1] / "docs" / "how-to" / "use-neo4j-browser.md").read_text("utf-8")
    assert all(f"{style}.grass" in page for style in STYLES)
    assert "graphpalace browser" in page
    listed = (FOLDER.parents[1] / "docs" / "reference" / "cypher-favourites.md").read_text("utf-8")
    assert sorted(re.findall(r"^\| `(\w+)\.cypher`", listed, re.MULTILINE)) == FAVOURITES


def test_the_styles_show_the_same_nodes_and_name_every_kind_of_edge() -> None:
    assert STYLES == ["graphpalace", "hot_paths"]
    rules = [_rules((FOLDER / f"{style}.grass").read_text("utf-8")) for style in STYLES]
    nodes = [{name: rule for name, rule in found.items() if name.startswith("node")} for found in rules]
    assert nodes[0] == nodes[1]
    assert {"node.Palace", "node.Wing", "node.Room", "node.Closet", "node.Drawer", "node.Entity"} <= nodes[0].keys()
    edges = {name.removeprefix("relationship.") for name in rules[1] if name.startswith("relationship.")}
    assert edges == set(RELATIONS)
    for found in rules:
        for rule in found.values():
            assert all(line.count(":") == 1 for line in rule.strip().splitlines())  # Browser drops other lines


def _rules(grass: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.]+) \{\n(.*?)^\}$", grass, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("name", FAVOURITES)
async def test_a_favourite_finds_by_indexes_shows_something_and_changes_nothing(
    app: GraphPalace, palace: str, pasted: Callable[..., str], name: str
) -> None:
    drawers = await _trails(app, palace)
    await _lesson(app, palace, drawers)
    await _facts(app, palace, drawers[BREAD])
    await app.database.write(palace, "tests/make_entities", drawers=[drawers[BREAD], drawers[SHEARS]])
    before = await nodes_of(app.database, palace), await edges_of(app.database, palace)
    rows = await _run(app, palace, pasted(name))
    assert bool(rows) == (name not in CHANGING)  # which need values
    if name != "tell_services" and name not in CHANGING:
        assert (await nodes_of(app.database, palace), await edges_of(app.database, palace)) == before
    plan = await app.database.explain(palace, pasted(name))
    assert not re.search(r"AllNodesScan|NodeByLabelScan|RelationshipTypeScan", plan), plan
    if name.startswith("hot_paths"):
        assert plan.count("RelationshipIndexSeek") == 8


async def test_hot_paths_show_what_the_operation_shows(
    app: GraphPalace, palace: str, pasted: Callable[..., str]
) -> None:
    await _trails(app, palace)
    rows = await _run(app, palace, pasted("hot_paths"))
    hot = await app.pheromones.hot_paths.hot(palace)
    wanted = [edge for edge in hot.edges if edge.factor >= 0.25]
    assert len(rows) == len(wanted) >= 5
    for row, edge in zip(rows, wanted, strict=True):
        assert (row["source"]["id"], row["target"]["id"], row["edge"].type) == (
            edge.source.id,
            edge.target.id,
            edge.type,
        )
        assert (row["strength"], row["cost"]) == (
            pytest.approx(edge.factor, abs=6e-4),
            pytest.approx(edge.current_cost, abs=6e-4),
        )
    places = await _run(app, palace, pasted("hot_places"))
    assert [row["exploitation"] for row in places] == pytest.approx([node.exploitation for node in hot.nodes], abs=6e-4)


async def test_cold_places_are_the_rooms_in_which_nothing_is_warm(
    app: GraphPalace, palace: str, pasted: Callable[..., str]
) -> None:
    await _trails(app, palace)
    rows = await _run(app, palace, pasted("cold_places"))
    assert [row["room"] for row in rows] == ["garden/roses", "kitchen/tools"]


async def test_a_drawer_and_a_wing_can_be_named(app: GraphPalace, palace: str, pasted: Callable[..., str]) -> None:
    drawers = await _trails(app, palace)
    chosen = drawers["a sharp pruning knife cuts roses cleanly"]
    rows = await _run(app, palace, pasted("drawer_surroundings", id=chosen))
    assert {row["up"].start_node["id"] for row in rows} == {chosen}
    assert any(row["beside"] is not None for row in rows)
    rows = await _run(app, palace, pasted("wing_rooms", wing="kitchen"))
    assert {row["w"]["name"] for row in rows} == {"kitchen"}


async def test_what_a_wing_learned_and_which_questions_were_answered_is_shown(
    app: GraphPalace, palace: str, pasted: Callable[..., str]
) -> None:
    drawers = await _trails(app, palace)
    await _lesson(app, palace, drawers)
    await app.database.write(palace, "tests/advance_clock", cycles=10)
    rows = await _run(app, palace, pasted("learned", wing="kitchen"))
    assert {row["question"] for row in rows} == {"how long is dough kneaded"}
    assert {lane.end_node["name"] for lane in rows[0]["lanes"]} <= {"fulltext", "semantic"}
    assert [row["narrative_strength"] for row in rows if row["narrative_strength"]] == [round(0.3 * 0.99**10, 3)]
    assert {row["helped"].relationships[0].type for row in rows} == {"USEFUL", "USELESS"}
    answered = await _run(app, palace, pasted("answered_questions"))
    assert [(row["place"], row["text"], row["reward"]) for row in answered] == [("kitchen/bread", BREAD, 1.0)]


async def test_a_trail_laid_by_hand_is_a_deposit(app: GraphPalace, palace: str, pasted: Callable[..., str]) -> None:
    drawers = await _trails(app, palace)
    other = spare_name()
    await app.create_palace(other)
    try:
        its = await _trails(app, other)
        snapshot = await app.replica.snapshots.get(other)
        await app.pheromones.deposits.path_success(other, way_to(snapshot, its[BREAD]), deposit_id="more")
        rows = await _run(app, palace, pasted("lay_trail", drawer=drawers[BREAD]))
        assert len(rows) == 1
        for of in (edges_of, nodes_of):
            assert _pheromones(await of(app.database, palace)) == _pheromones(await of(app.database, other))
    finally:
        await app.drop_palace(other)
    trail = way_to(await app.replica.snapshots.get(palace), drawers[BREAD])  # the services were told
    after = await app.replica.snapshots.get(palace)
    walked = trail_between(after, *(node.id for node in trail.nodes))
    assert walked == trail
    assert after.nodes.exploitation.max() == pytest.approx(3 * 0.2 * 0.98**5 + 0.2)


def _pheromones(rows: list[Row]) -> list[tuple[float, ...]]:
    rows = [row for row in rows if "Deposit" not in row.get("labels", ())]
    names = sorted({name for row in rows for name in row if name.endswith(("_pheromone", "_cost")) or "_cycle" in name})
    return sorted(tuple(round(float(row.get(name) or 0), 9) for name in names) for row in rows)


async def test_services_that_are_told_of_an_edit_by_hand_read_the_palace_again(
    app: GraphPalace, palace: str, pasted: Callable[..., str]
) -> None:
    drawers = await furnish(app, palace)
    edge = way_to(await app.replica.snapshots.get(palace), drawers[BREAD]).edges[0]
    await app.database.write(None, "tests/set_trail", source=edge.source, target=edge.target, success=0.7)
    assert (await app.replica.snapshots.get(palace)).edges.success.max() == 0
    await _run(app, palace, pasted("tell_services"))
    assert (await app.replica.snapshots.get(palace)).edges.success.max() == 0.7


async def test_facts_are_shown_as_the_operations_show_them(
    app: GraphPalace, palace: str, pasted: Callable[..., str]
) -> None:
    await _facts(app, palace, (await furnish(app, palace))[BREAD])
    assert {row["object"]["name"] for row in await _run(app, palace, pasted("facts"))} == {"Leeds", "York"}
    rows = await _run(app, palace, pasted("fact_timeline", about="ann"))
    assert [(row["predicate"], row["object"]) for row in rows][-1] == ("lives_in", "York")
    assert len(rows) == 3
    (clash,) = await _run(app, palace, pasted("fact_contradictions"))
    assert {clash["object"], clash["other_object"]} == {"Leeds", "York"}
    numbers = {
        row["predicate"]: (row["known"], row["current"]) for row in await _run(app, palace, pasted("fact_numbers"))
    }
    assert numbers == {"lives_in": (2, 2), "bakes": (1, 0)}
    (outdated,) = await _run(app, palace, pasted("outdated_drawers"))
    assert (outdated["text"], outdated["facts"]) == (BREAD, ["Ann bakes rye"])
    ways = await _run(app, palace, pasted("fact_neighbours", about="york"))
    assert {row["way"].end_node["name"] for row in ways} == {"Ann", "Leeds"}


async def test_facts_that_are_changed_by_hand_are_as_the_operations_would_have_made_them(
    app: GraphPalace, palace: str, pasted: Callable[..., str]
) -> None:
    await _facts(app, palace, (await furnish(app, palace))[BREAD])
    asked = SearchRequest("where does Ann live, in Leeds or York")

    async def known() -> list[tuple[str, str, str | None, str | None]]:
        found = (await app.knowledge.fact_reading.timeline(palace, TimelineQuery("Ann"))).facts
        beside = {fact.object for fact in (await app.recall.search(palace, asked)).facts}  # services see it at once
        assert beside == {fact.object for fact in found if fact.valid_to is None}
        return [(fact.predicate, fact.object, fact.valid_from, fact.valid_to) for fact in found if fact.object != "rye"]

    (leeds,) = (await app.knowledge.fact_reading.query(palace, FactQuery(object="Leeds"))).facts
    assert len(await _run(app, palace, pasted("take_back_fact", fact=leeds.id))) == 1
    assert await _run(app, palace, pasted("take_back_fact", fact=leeds.id)) == []
    assert await known() == [("lives_in", "York", None, None)]
    moved = {"subject": "Ann", "predicate": "lives_in", "object": "leeds", "day": "2023-04-01"}
    (row,) = await _run(app, palace, pasted("supersede_fact", **moved))
    assert row["ended"] == 1
    assert await _run(app, palace, pasted("supersede_fact", **moved)) == []
    after = [("lives_in", "York", None, "2023-04-01"), ("lives_in", "Leeds", "2023-04-01", None)]
    assert await known() == after
    again = await app.knowledge.facts.supersede(palace, Supersession("Ann", "lives_in", "Leeds", at="2023-04-01"))
    assert (again.created, again.replaced) == (False, [])
    stated = {"subject": "ann", "predicate": "visits", "object": "york", "since": "2024-01-01"}
    assert len(await _run(app, palace, pasted("state_fact", **stated))) == 1
    assert await _run(app, palace, pasted("state_fact", **stated)) == []
    assert await known() == [*after, ("visits", "York", "2024-01-01", None)]
    assert not (await app.knowledge.facts.add(palace, NewFact("Ann", "visits", "York", valid_from="2024"))).created
