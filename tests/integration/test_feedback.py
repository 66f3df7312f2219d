"""Feedback on a real Neo4j: it changes the next answers, within bounds, and can be taken back."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.graphs import edges_of, nodes_of
from tests.spare_palaces import spare_name
from tests.walks import furnish, trail_between, way_to

from graphpalace.app import GraphPalace, wire
from graphpalace.domain.learning.feedback_requests import FeedbackReceipt
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.vectors import from_bytes, to_bytes
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.learning import judgement

TEXTS = {
    "bread": "Sourdough bread needs a starter that is fed every day with flour and water.",
    "soup": "Lentil soup simmers for an hour with bay leaf and onion.",
    "roses": "Prune roses in winter, above an outward facing bud.",
    "tomatoes": "Tomatoes want warmth, water at the root and a stake to climb.",
    "compost": "Compost turns kitchen scraps into soil for the garden.",
    "oven": "Preheat the oven with a stone, and steam the first ten minutes.",
}


@pytest.fixture
async def home(app: GraphPalace, palace: str) -> dict[str, str]:
    """Drawers of a palace by what they are about; `palace` is the palace's name."""
    ids = {"palace": palace}
    for name, text in TEXTS.items():
        room = "garden" if name in {"roses", "tomatoes", "compost"} else "kitchen"
        added = await app.drawers.add(palace, NewDrawer(text=text, wing="home", room=room))
        ids[name] = added.drawer.id
    return ids


async def _order(app: GraphPalace, palace: str, query: str, **more: object) -> list[str]:
    answer = await app.recall.search(palace, SearchRequest(query, **more))  # pyright: ignore[reportArgumentType]
    return [hit.id for hit in answer.hits]


async def test_what_helped_is_first_when_the_question_comes_again(app: GraphPalace, home: dict[str, str]) -> None:
    palace, query = home["palace"], "how do I keep my kitchen going with flour and scraps"
    answer = await app.recall.search(palace, SearchRequest(query))
    last = answer.hits[-1].id
    given = await app.learning.feedback.give(palace, run=answer.run, useful={last: 1.0})
    assert (given.fresh, given.useful, given.useless) == (True, 1, 0)
    again = await app.recall.search(palace, SearchRequest(query))
    hit = next(hit for hit in again.hits if hit.id == last)
    assert hit.taught is not None
    assert hit.taught.memory > 0.15
    assert hit.taught.rank == len(answer.hits)
    changes = hit.taught.question + hit.taught.lanes + hit.taught.memory + hit.taught.bound
    assert hit.score == pytest.approx(hit.taught.score + changes)
    assert [one.id for one in again.hits].index(last) < len(answer.hits) - 1
    unlearned = await app.recall.search(palace, SearchRequest(query, without=frozenset({"learning"})))
    assert [one.id for one in unlearned.hits] == [one.id for one in answer.hits]
    assert all(one.taught is None for one in unlearned.hits)


async def test_the_same_feedback_twice_is_once(app: GraphPalace, home: dict[str, str]) -> None:
    palace = home["palace"]
    run = (await app.recall.search(palace, SearchRequest("roses in winter"))).run
    first = await app.learning.feedback.give(palace, run=run, useful={home["roses"]: 1.0})
    before = await nodes_of(app.database, palace)
    second = await app.learning.feedback.give(palace, run=run, useful={home["roses"]: 1.0})
    assert (first.fresh, second.fresh, first.id == second.id) == (True, False, True)
    assert await nodes_of(app.database, palace) == before
    assert len(await app.learning.feedback.listed(palace)) == 1


async def test_feedback_is_seen_by_another_service_and_after_a_restart(app: GraphPalace, home: dict[str, str]) -> None:
    palace, query = home["palace"], "warmth and a stake"
    answer = await app.recall.search(palace, SearchRequest(query))
    await app.history.searches.flush()
    other = wire(app.settings, embedder=app.embedder)
    try:
        last = answer.hits[-1].id
        await other.learning.feedback.give(palace, run=answer.run, useful={last: 1.0})
        here = await _order(app, palace, query)
        assert here == await _order(other, palace, query)
        assert here != [hit.id for hit in answer.hits]
    finally:
        await other.close()


async def test_what_was_taken_back_leaves_nothing(app: GraphPalace, home: dict[str, str]) -> None:
    palace, query = home["palace"], "bread with a starter"
    before = await app.recall.search(palace, SearchRequest(query))
    last = before.hits[-1].id
    given = await app.learning.feedback.give(
        palace, run=before.run, useful={last: 1.0}, useless={before.hits[0].id: 1.0}
    )
    assert await _order(app, palace, query) != [hit.id for hit in before.hits]
    await app.learning.feedback.take_back(palace, given.id)
    assert await _order(app, palace, query) == [hit.id for hit in before.hits]
    assert await app.learning.feedback.listed(palace) == []
    for drawer in (node for node in await nodes_of(app.database, palace) if node.get("id") == last):
        assert not drawer.get("narrative_strength")
    with pytest.raises(NotFound, match="no feedback"):
        await app.learning.feedback.take_back(palace, given.id)


async def test_bad_feedback_is_refused_and_nothing_is_kept(app: GraphPalace, home: dict[str, str]) -> None:
    palace = home["palace"]
    run = (await app.recall.search(palace, SearchRequest("soup"))).run
    soup = home["soup"]
    for useful, useless, error, part in (
        ({soup: -50.0}, {}, InvalidInput, "above 0"),
        ({soup: float("nan")}, {}, InvalidInput, "above 0"),
        ({soup: 1.5}, {}, InvalidInput, "at most 1"),
        ({}, {}, InvalidInput, "at least one drawer"),
        ({soup: 1.0}, {soup: 1.0}, InvalidInput, "both"),
        ({soup: 1.0, "drawer-none": 1.0}, {}, NotFound, "drawer-none"),
    ):
        with pytest.raises(error, match=part):
            await app.learning.feedback.give(palace, run=run, useful=useful, useless=useless)
    with pytest.raises(NotFound, match="give the question"):
        await app.learning.feedback.give(palace, run="search-000000000000", useful={soup: 1.0})
    assert await app.learning.feedback.listed(palace) == []


async def test_feedback_that_is_stored_is_known_though_its_run_is_not(app: GraphPalace, home: dict[str, str]) -> None:
    """As after a kill between the storing of a feedback and its answer, and before the search was written down."""
    palace, useful, useless = home["palace"], {home["soup"]: 1.0}, {home["roses"]: 0.5, home["oven"]: 0.5}
    feedback = app.learning.feedback
    run = (await app.recall.search(palace, SearchRequest("soup"))).run
    given = await feedback.give(palace, run=run, useful=useful, useless=useless, feedback_id="mine")
    again = await feedback.give(palace, run="search-0", useful=useful, useless=useless, feedback_id="mine")
    assert again == replace(given, fresh=False)
    assert (again.useful, again.useless) == (1, 2)
    with pytest.raises(NotFound, match="give the question"):
        await feedback.give(palace, run="search-0", useful=useful, useless=useless, feedback_id="another")
    assert len(await feedback.listed(palace)) == 1


async def test_feedback_can_name_the_question_of_a_search_that_expired(app: GraphPalace, home: dict[str, str]) -> None:
    palace, query = home["palace"], "an hour with onion"
    given = await app.learning.feedback.give(palace, question=SearchRequest(query), useful={home["oven"]: 1.0})
    assert given.fresh
    hit = next(hit for hit in (await app.recall.search(palace, SearchRequest(query))).hits if hit.id == home["oven"])
    assert hit.taught is not None
    assert hit.taught.memory > 0


async def test_many_services_may_give_feedback_at_once(app: GraphPalace, home: dict[str, str]) -> None:
    palace = home["palace"]
    answers = [await app.recall.search(palace, SearchRequest(f"question {at} of soup")) for at in range(12)]
    await asyncio.gather(
        *(app.learning.feedback.give(palace, run=answer.run, useful={home["soup"]: 1.0}) for answer in answers)
    )
    assert len(await app.learning.feedback.listed(palace)) == 12
    assert len({row.id for row in await app.learning.feedback.listed(palace)}) == 12


async def test_a_drawer_with_the_question_word_for_word_stays(app: GraphPalace, home: dict[str, str]) -> None:
    palace, query = home["palace"], "an outward facing bud"
    for at in range(3):
        answer = await app.recall.search(palace, SearchRequest(query, top_k=2))
        useful = {home[name]: 1.0 for name in ("oven", "soup", "bread")}
        await app.learning.feedback.give(
            palace, run=answer.run, useful=useful, useless={home["roses"]: 1.0}, feedback_id=f"wrong {at}"
        )
    found = await _order(app, palace, query, top_k=2)
    assert home["roses"] in found
    assert len(found) == 2


async def _success(app: GraphPalace, palace: str, drawer: str) -> float:
    """Success of the last edge of the way to a drawer."""
    rows = await edges_of(app.database, palace)
    return next(
        row.get("success_pheromone") or 0.0 for row in rows if row["type"] == "HAS_DRAWER" and row["to"] == drawer
    )


async def _drawer(app: GraphPalace, palace: str, drawer: str) -> dict[str, Any]:
    return next(node for node in await nodes_of(app.database, palace) if node["id"] == drawer)


async def _check_bounds(app: GraphPalace, palace: str, query: str) -> None:
    most, bound = app.settings.pheromones.max_pheromone, app.settings.learning.bound
    for row in await edges_of(app.database, palace):
        assert 0 <= (row.get("success_pheromone") or 0) <= most
        assert 0 <= (row.get("current_cost") or 0) <= 10
    for node in await nodes_of(app.database, palace):
        assert 0 <= (node.get("narrative_strength") or 0) <= 1
        assert 0 <= (node.get("exploitation_pheromone") or 0) <= most
    for hit in (await app.recall.search(palace, SearchRequest(query))).hits:
        assert hit.taught is not None
        assert abs(hit.score - hit.taught.score) <= bound + 1e-6


async def test_the_same_praise_two_hundred_times_stays_within_the_bounds(
    app: GraphPalace, home: dict[str, str]
) -> None:
    palace, query = home["palace"], "what is fed every day"
    run = (await app.recall.search(palace, SearchRequest(query))).run
    for at in range(200):
        useful, useless = {home["oven"]: 1.0}, {home["bread"]: 1.0}
        await app.learning.feedback.give(palace, run=run, useful=useful, useless=useless, feedback_id=str(at))
    assert await _success(app, palace, home["oven"]) == app.settings.pheromones.max_pheromone
    assert await _success(app, palace, home["bread"]) == 0
    assert (await _drawer(app, palace, home["oven"]))["narrative_strength"] <= 1
    await _check_bounds(app, palace, query)
    found = {hit.id: hit.taught for hit in (await app.recall.search(palace, SearchRequest(query))).hits}
    praised = found[home["oven"]]
    assert praised is not None
    assert praised.memory < 0.5  # 200 times the praise is not 200 times the gain


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_is_said_scores_and_trails_stay_within_their_bounds(
    app: GraphPalace, home: dict[str, str], seed: int
) -> None:
    palace, random = home["palace"], np.random.default_rng(seed)
    names = sorted(TEXTS)
    given: list[str] = []
    for at in range(14):
        query = " ".join(random.choice(" ".join(TEXTS.values()).split(), 4))
        run = (await app.recall.search(palace, SearchRequest(query))).run
        good, bad = random.choice(names, 2, replace=False)
        useful = {home[good]: float(random.uniform(0.01, 1))}
        useless = {home[bad]: float(random.uniform(0.01, 1))} if random.random() < 0.7 else {}
        given.append((await app.learning.feedback.give(palace, run=run, useful=useful, useless=useless)).id)
        if at % 5 == 4:
            await app.learning.feedback.take_back(palace, given.pop(int(random.integers(len(given)))))
            await app.database.write(palace, "tests/advance_clock", cycles=int(random.integers(30)))
            await _check_bounds(app, palace, query)
    await _check_bounds(app, palace, "flour and water")


async def test_what_was_useless_sinks_for_the_question_and_its_way_cools(
    app: GraphPalace, home: dict[str, str]
) -> None:
    palace, query = home["palace"], "bread with a starter and flour"
    before = await app.recall.search(palace, SearchRequest(query))
    await app.learning.feedback.give(palace, run=before.run, useful={home["bread"]: 1.0})
    warm = await _success(app, palace, home["bread"])
    assert warm == pytest.approx(1 / 3)  # the third edge of the way gets a third
    run = (await app.recall.search(palace, SearchRequest(query))).run
    await app.learning.feedback.give(palace, run=run, useless={home["bread"]: 1.0})
    assert await _success(app, palace, home["bread"]) == pytest.approx(warm / 2)  # half of it is taken away
    await app.learning.feedback.give(palace, run=run, useless={home["bread"]: 1.0, home["soup"]: 1.0})
    again = {hit.id: hit for hit in (await app.recall.search(palace, SearchRequest(query))).hits}
    soup = next(hit for hit in before.hits if hit.id == home["soup"])
    assert again[home["soup"]].score < soup.score
    assert await _success(app, palace, home["soup"]) == 0  # and never below nothing


async def test_a_wing_with_ten_lessons_has_its_own_and_one_with_three_uses_the_palaces(
    app: GraphPalace, palace: str
) -> None:
    drawers: dict[str, str] = {}
    for wing in ("home", "work"):
        added = await app.drawers.add(palace, NewDrawer(text=f"notes of {wing}", wing=wing))
        drawers[wing] = added.drawer.id
    for wing, count in (("home", 10), ("work", 3)):
        for at in range(count):
            run = (await app.recall.search(palace, SearchRequest(f"number {at} of {wing}"))).run
            await app.learning.feedback.give(palace, run=run, useful={drawers[wing]: 1.0})
    home, work, whole = [await app.learning.learned.of(palace, wing=wing) for wing in ("home", "work", None)]
    assert (home.learns_from, home.lessons, home.lessons_used) == ("wing", 10, 10)
    assert home.lane_trial is not None
    assert (work.learns_from, work.lessons, work.lessons_used) == ("palace", 3, 13)
    assert (whole.learns_from, whole.lessons, whole.questions) == ("palace", 13, 13)
    assert {row.wing for row in home.lanes} == {"home"}


async def test_forgetting_one_wing_keeps_the_others(app: GraphPalace, palace: str) -> None:
    drawers = {}
    for wing in ("home", "work"):
        drawers[wing] = (await app.drawers.add(palace, NewDrawer(text=f"notes of {wing}", wing=wing))).drawer.id
    both = (await app.recall.search(palace, SearchRequest("notes"))).run
    await app.learning.feedback.give(palace, run=both, useful=dict.fromkeys(drawers.values(), 1.0))
    work = (await app.recall.search(palace, SearchRequest("my work"))).run
    await app.learning.feedback.give(palace, run=work, useful={drawers["work"]: 1.0})
    assert (await _drawer(app, palace, drawers["work"]))["narrative_strength"] == pytest.approx(0.51)
    assert await app.learning.learned.reset(palace, wing="home") == 1
    assert [row.query for row in await app.learning.feedback.listed(palace)] == ["my work"]
    assert "narrative_strength" not in await _drawer(app, palace, drawers["home"])
    left = await _drawer(app, palace, drawers["work"])
    assert left["narrative_strength"] == pytest.approx(0.3)  # of the question that is left
    assert left["narrative_vector"] == to_bytes(app.embedder.embed(["my work"])[0])
    assert {row.wing for row in (await app.learning.learned.of(palace)).lanes} == {"work"}


async def test_a_dropped_palace_leaves_nothing_of_what_it_learned(app: GraphPalace) -> None:
    palace = spare_name()
    await app.create_palace(palace)
    drawer = (await app.drawers.add(palace, NewDrawer(text="soup", wing="home"))).drawer.id
    run = (await app.recall.search(palace, SearchRequest("soup"))).run
    await app.learning.feedback.give(palace, run=run, useful={drawer: 1.0})
    await app.history.searches.flush()
    assert (await app.database.read(palace, "tests/count_learned"))[0]["left"] >= 3
    await app.drop_palace(palace)
    assert (await app.database.read(palace, "tests/count_learned"))[0]["left"] == 0


async def test_searching_goes_on_after_a_rewarded_drawer_was_deleted(app: GraphPalace, home: dict[str, str]) -> None:
    palace, query = home["palace"], "lentil soup"
    for at in range(11):  # enough that lessons are asked again
        run = (await app.recall.search(palace, SearchRequest(f"{query} {at}"))).run
        await app.learning.feedback.give(palace, run=run, useful={home["soup"]: 1.0}, useless={home["oven"]: 1.0})
    await app.drawers.delete(palace, home["soup"])
    found = await app.recall.search(palace, SearchRequest(query))
    assert home["soup"] not in [hit.id for hit in found.hits]
    assert len(found.hits) == len(TEXTS) - 1
    assert found.left_out == {}
    run = found.run
    with pytest.raises(NotFound, match="nothing was stored"):
        await app.learning.feedback.give(palace, run=run, useful={home["soup"]: 1.0, home["bread"]: 1.0})
    assert (await app.learning.feedback.give(palace, run=run, useful={home["bread"]: 1.0})).fresh
    for row in await app.learning.feedback.listed(palace):
        await app.learning.feedback.take_back(palace, row.id)


async def test_what_was_taken_back_can_be_given_and_taken_back_again(app: GraphPalace, home: dict[str, str]) -> None:
    palace = home["palace"]
    run = (await app.recall.search(palace, SearchRequest("roses"))).run
    for _ in range(2):
        given = await app.learning.feedback.give(palace, run=run, useful={home["roses"]: 1.0})
        assert given.fresh
        assert await _success(app, palace, home["roses"]) == pytest.approx(1 / 3)
        await app.learning.feedback.take_back(palace, given.id)
        assert await _success(app, palace, home["roses"]) == 0


async def test_two_questions_without_words_are_two(app: GraphPalace, home: dict[str, str]) -> None:
    palace = home["palace"]
    for words in ("lentil", "onion"):
        embedding = app.embedder.embed([words])[0].tolist()
        given = await app.learning.feedback.give(
            palace, question=SearchRequest(query_embedding=embedding), useful={home["soup"]: 1.0}
        )
        assert given.fresh


async def test_one_answer_makes_one_weak_memory_of_its_own_drawer_in_its_own_palace(
    app: GraphPalace, home: dict[str, str]
) -> None:
    """Faults of the original: one vector for all, the first document outright; namespaces that leak."""
    palace, other = home["palace"], spare_name()
    await app.create_palace(other)
    try:
        twin = (await app.drawers.add(other, NewDrawer(text=TEXTS["soup"], wing="home", room="kitchen"))).drawer.id
        untouched = await nodes_of(app.database, other)
        run = (await app.recall.search(palace, SearchRequest("an hour"))).run
        await app.learning.feedback.give(palace, run=run, useful={home["soup"]: 1.0})
        await app.learning.feedback.give(palace, run=run, useful={home["soup"]: 0.01}, feedback_id="weak")
        remembering = [node for node in await nodes_of(app.database, palace) if node.get("narrative_strength")]
        assert [node["id"] for node in remembering] == [home["soup"]]
        assert remembering[0]["narrative_strength"] == pytest.approx(0.3 + 0.003 * 0.7)
        memory = from_bytes([remembering[0]["narrative_vector"]], dimension=app.embedder.dimension)
        np.testing.assert_allclose(memory, app.embedder.embed(["an hour"]), atol=1e-6)  # of the question, not the text
        assert await nodes_of(app.database, other) == untouched
        with pytest.raises(NotFound, match="not in palace"):
            await app.learning.feedback.give(palace, run=run, useful={twin: 1.0})
    finally:
        await app.drop_palace(other)


async def test_searching_alone_teaches_nothing(app: GraphPalace, home: dict[str, str]) -> None:
    """Fault of the original: reads mutate."""
    palace = home["palace"]
    run = (await app.recall.search(palace, SearchRequest("soup"))).run
    await app.learning.feedback.give(palace, run=run, useful={home["soup"]: 1.0})
    before = await nodes_of(app.database, palace), await edges_of(app.database, palace)
    answers = [await app.recall.search(palace, SearchRequest("soup")) for _ in range(20)]
    await app.history.searches.flush()
    assert len({tuple(hit.score for hit in answer.hits) for answer in answers}) == 1
    assert (await nodes_of(app.database, palace), await edges_of(app.database, palace)) == before


async def test_feedback_that_teaches_nothing_any_more_is_removed_now_and_then(
    app: GraphPalace, home: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphpalace.operations.learning.feedback._BETWEEN_FORGETTING", 2)
    palace, kept = home["palace"], []
    for number in range(4):
        answer = await app.recall.search(palace, SearchRequest(f"bread {number}"))
        given = await app.learning.feedback.give(palace, run=answer.run, useful={home["bread"]: 1.0})
        kept.append([row.id for row in await app.learning.feedback.listed(palace)])
        assert given.id in kept[-1]
        await app.database.write(palace, "tests/advance_clock", cycles=100_000)
    first, second, third, fourth = (each[0] for each in kept)
    # The third and every second after it remove what is old, up to four at a time.
    assert kept == [[first], [second, first], [third], [fourth, third]]


async def test_useless_hits_leave_the_way_to_a_useful_one_a_success(app: GraphPalace, home: dict[str, str]) -> None:
    palace = home["palace"]
    for turn, query in enumerate(("what is fed with flour", "what is steamed")):
        run = (await app.recall.search(palace, SearchRequest(query))).run
        await app.learning.feedback.give(
            palace, run=run, useful={home["bread"]: 1.0}, useless={home["soup"]: 1.0, home["oven"]: 1.0}
        )
        edges = {(row["type"], row["to"]): row for row in await edges_of(app.database, palace)}
        kitchen = (await _drawer(app, palace, home["bread"]))["room_id"]
        way = edges["HAS_ROOM", kitchen]
        assert way["success_pheromone"] == pytest.approx(1.0 + turn)  # and not 1 - .5 - .5
        assert (way["traversal_pheromone"], way["recency_pheromone"]) == (pytest.approx(0.1 * (turn + 1)), 1.0)
        assert edges["HAS_DRAWER", home["soup"]].get("success_pheromone", 0) == 0


async def test_blame_is_taken_from_the_drawer_and_the_last_edge_of_its_way_alone(
    app: GraphPalace, home: dict[str, str]
) -> None:
    palace = home["palace"]
    run = (await app.recall.search(palace, SearchRequest("lentil soup"))).run
    await app.learning.feedback.give(palace, run=run, useful={home["soup"]: 1.0, home["oven"]: 1.0})
    before = {(row["type"], row["to"]): row for row in await edges_of(app.database, palace)}
    nodes = {
        row["id"]: row.get("exploitation_pheromone") for row in await nodes_of(app.database, palace) if "id" in row
    }
    await app.learning.feedback.give(palace, run=run, useless={home["soup"]: 1.0})
    after = {(row["type"], row["to"]): row for row in await edges_of(app.database, palace)}
    changed = {key for key in before if before[key] != after[key]} - {("HAS_DRAWER", home["soup"])}
    assert {kind for kind, _ in changed} <= {"USELESS", "USEFUL"}
    assert await _success(app, palace, home["soup"]) == pytest.approx(1 / 3 - 1 / 6)
    left = {row["id"]: row.get("exploitation_pheromone") for row in await nodes_of(app.database, palace) if "id" in row}
    assert {node for node in left if node in nodes and left[node] != nodes[node]} == {home["soup"]}
    assert left[home["soup"]] == pytest.approx(0.2 - 0.1)  # half of the bonus


async def test_a_trail_that_the_path_lane_walked_is_rewarded_as_a_whole_and_nothing_beside_it(
    app: GraphPalace, palace: str
) -> None:
    drawers = await furnish(app, palace)
    snapshot = await app.replica.snapshots.get(palace)
    start, hit = drawers["roses need pruning in spring"], drawers["roses like sun and clay soil"]
    trail = trail_between(snapshot, start, way_to(snapshot, hit).nodes[-2].id, hit)  # up to their closet and down
    run = (await app.recall.search(palace, SearchRequest("pruning roses"))).run
    kept = await app.history.searches.find(palace, run)
    app.history.searches.keep(replace(kept, trails={hit: trail}))
    await app.learning.feedback.give(palace, run=run, useful={hit: 1.0})
    warm = {row["id"] for row in await nodes_of(app.database, palace) if row.get("exploitation_pheromone")}
    assert warm == {node.id for node in trail.nodes}
    laid = {
        (row["type"], row["from"], row["to"])
        for row in await edges_of(app.database, palace)
        if row.get("success_pheromone") and row["type"] != "ANSWERED_BY"
    }
    assert laid == set(trail.edges)


async def test_the_same_said_of_a_question_is_a_retry_within_an_hour_and_evidence_on_another_day(
    app: GraphPalace, home: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    palace, useful, began = home["palace"], {home["soup"]: 1.0}, time.time()

    async def given(**more: Any) -> FeedbackReceipt:
        return await app.learning.feedback.give(palace, question=SearchRequest("lentil soup"), useful=useful, **more)

    first = await given()
    for later_s in (0, 3600):  # in the next hour by the clock, a moment later by the database
        monkeypatch.setattr(judgement, "clock", lambda later_s=later_s: began + later_s)
        assert await given() == replace(first, fresh=False)
    monkeypatch.setattr(judgement, "clock", lambda: began + 86_400)
    assert (await given()).fresh
    assert (await given(feedback_id="ticket 7")).fresh
    monkeypatch.setattr(judgement, "clock", lambda: began + 2 * 86_400)
    assert not (await given(feedback_id="ticket 7")).fresh
    assert len(await app.learning.feedback.listed(palace)) == 3
    memory = (await _drawer(app, palace, home["soup"]))["narrative_strength"]
    assert memory == pytest.approx(1 - 0.7**3)  # each counts
