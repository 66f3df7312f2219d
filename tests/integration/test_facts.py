"""Facts with two times in a real graph: changed, asked for, forgotten with their drawers."""

from __future__ import annotations

import asyncio

import pytest
from tests.walks import trail_between

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.domain.forgetting import ForgetChoice
from graphpalace.domain.knowledge.fact_requests import (
    ContradictionQuery,
    FactQuery,
    Invalidation,
    NewFact,
    Supersession,
    TimelineQuery,
    TraversalQuery,
)
from graphpalace.domain.knowledge.facts import Fact
from graphpalace.domain.walking.graph_snapshot import RELATIONS, GraphSnapshot
from graphpalace.errors import InvalidInput, NotFound

ACME = NewFact("Ada Lovelace", "works at", "Acme", valid_from="2015")


async def _drawer(app: GraphPalace, palace: str, text: str) -> str:
    return (await app.drawers.add(palace, NewDrawer(text=text, wing="people", room="notes"))).drawer.id


async def _found(app: GraphPalace, palace: str, **asked: str | int) -> list[Fact]:
    return list((await app.knowledge.fact_reading.query(palace, FactQuery(**asked))).facts)  # pyright: ignore[reportArgumentType]


async def _revision(app: GraphPalace, palace: str) -> int:
    return (await app.palace_state(palace)).revision


async def test_a_fact_is_stored_once_and_each_write_raises_the_revision(app: GraphPalace, palace: str) -> None:
    before = await _revision(app, palace)
    first = await app.knowledge.facts.add(palace, ACME)
    assert (first.created, first.fact.predicate, first.fact.valid_from) == (True, "works_at", "2015-01-01")
    assert await _revision(app, palace) == before + 1
    again = await app.knowledge.facts.add(palace, NewFact("ada  lovelace", "Works-At", "ACME", valid_from="2015-01-01"))
    assert (again.created, again.fact) == (False, first.fact)
    assert await _revision(app, palace) == before + 1
    assert await _found(app, palace, subject="Ada Lovelace") == [first.fact]


async def test_many_writers_of_one_fact_make_one(app: GraphPalace, palace: str) -> None:
    added = await asyncio.gather(*(app.knowledge.facts.add(palace, ACME) for _ in range(6)))
    assert {one.fact.id for one in added} == {added[0].fact.id}
    assert sum(one.created for one in added) == 1


async def test_what_was_superseded_can_be_asked_for_at_both_times(app: GraphPalace, palace: str) -> None:
    acme = (await app.knowledge.facts.add(palace, ACME)).fact
    changed = await app.knowledge.facts.supersede(
        palace, Supersession("Ada Lovelace", "works_at", "Initech", at="2023")
    )
    (replaced,) = changed.replaced
    assert (changed.created, replaced.object, replaced.valid_to) == (True, "Acme", "2023-01-01")
    assert replaced.superseded_by == changed.fact.id
    assert await _found(app, palace, subject="Ada Lovelace") == [changed.fact]
    assert await _found(app, palace, predicate="works at", as_of="2022") == [replaced]
    assert await _found(app, palace, object="acme") == []
    (before,) = await _found(app, palace, object="acme", as_of="2024", known_at=acme.observed_at)
    assert (before.id, before.valid_to, before.invalidated_at) == (acme.id, None, replaced.observed_at)
    assert await _found(app, palace, known_at="2020") == []
    again = await app.knowledge.facts.supersede(palace, Supersession("Ada Lovelace", "works_at", "Initech", at="2023"))
    assert (again.created, again.fact, again.replaced) == (False, changed.fact, [])


async def test_invalidating_unlearns_a_fact_or_ends_it(app: GraphPalace, palace: str) -> None:
    acme = (await app.knowledge.facts.add(palace, ACME)).fact
    ended = await app.knowledge.facts.invalidate(palace, Invalidation(fact=acme.id, ended="2020-06"))
    assert [one.id for one in ended.invalidated] == [acme.id]
    assert [(one.valid_from, one.valid_to) for one in ended.kept] == [("2015-01-01", "2020-06-01")]
    assert await _found(app, palace, as_of="2019") == ended.kept
    twice = await app.knowledge.facts.invalidate(palace, Invalidation(fact=acme.id, ended="2020-06"))
    assert (twice.invalidated, twice.kept) == ([], [])
    by_words = Invalidation(subject="Ada Lovelace", predicate="works at", object="Acme")
    assert len((await app.knowledge.facts.invalidate(palace, by_words)).invalidated) == 1
    assert (await app.knowledge.facts.invalidate(palace, by_words)).invalidated == []
    assert await _found(app, palace, as_of="2019") == []
    line = await app.knowledge.fact_reading.timeline(palace, TimelineQuery("Ada Lovelace", unlearned=True))
    assert [one.invalidated_at is not None for one in line.facts] == [True, True]
    assert (await app.knowledge.fact_reading.timeline(palace, TimelineQuery("Ada Lovelace"))).facts == []


async def test_a_time_line_has_the_facts_on_both_sides_of_a_name_in_the_order_of_time(
    app: GraphPalace, palace: str
) -> None:
    await app.knowledge.facts.add_all(
        palace,
        [
            NewFact("Ada", "works_at", "Acme", valid_from="2015", valid_to="2020"),
            NewFact("Bob", "knows", "Ada", valid_from="2012"),
            NewFact("Ada", "born_in", "London"),
            NewFact("Bob", "works_at", "Acme"),
        ],
    )
    line = await app.knowledge.fact_reading.timeline(palace, TimelineQuery("Ada"))
    assert [(one.subject, one.object) for one in line.facts] == [("Ada", "London"), ("Bob", "Ada"), ("Ada", "Acme")]
    few = await app.knowledge.fact_reading.timeline(palace, TimelineQuery("Ada", limit=2))
    assert (len(few.facts), few.more) == (2, True)
    works = await app.knowledge.fact_reading.timeline(palace, TimelineQuery("Ada", predicate="works at"))
    assert [one.object for one in works.facts] == ["Acme"]


async def test_a_traversal_goes_over_facts_in_both_directions_as_deep_as_is_said(app: GraphPalace, palace: str) -> None:
    await app.knowledge.facts.add_all(
        palace,
        [
            NewFact("Ada", "knows", "Bob"),
            NewFact("Cy", "knows", "Bob"),
            NewFact("Cy", "works_at", "Acme", valid_to="2020"),
            NewFact("Cy", "works_at", "Initech"),
        ],
    )

    async def reached(**given: object) -> list[tuple[int, str]]:
        found = await app.knowledge.fact_reading.traverse(palace, TraversalQuery("Ada", **given))  # pyright: ignore[reportArgumentType]
        return [(one.depth, one.name) for one in found.names]

    assert await reached(depth=1) == [(1, "Bob")]
    assert await reached() == [(1, "Bob"), (2, "Cy")]
    assert await reached(depth=3) == [(1, "Bob"), (2, "Cy"), (3, "Initech")]
    assert await reached(depth=3, as_of="2019") == [(1, "Bob"), (2, "Cy"), (3, "Acme"), (3, "Initech")]
    assert await reached(depth=3, predicate="knows") == [(1, "Bob"), (2, "Cy")]
    few = await app.knowledge.fact_reading.traverse(palace, TraversalQuery("Ada", depth=3, limit=2))
    assert (len(few.steps), few.more) == (2, True)


async def test_contradictions_are_found_by_what_the_settings_declare(app: GraphPalace, palace: str) -> None:
    await app.knowledge.facts.add_all(
        palace,
        [
            NewFact("Ada", "works_at", "Acme"),
            NewFact("Ada", "works_at", "Initech", valid_from="2020"),
            NewFact("Ada", "manages", "Bob"),
            NewFact("Ada", "reports to", "Bob"),
            NewFact("Ada", "likes", "tea"),
            NewFact("Ada", "likes", "coffee"),
        ],
    )
    found = await app.knowledge.fact_reading.contradictions(palace, ContradictionQuery())
    assert [(one.kind, one.since) for one in found.contradictions] == [("two_objects", "2020-01-01"), ("inverse", None)]
    assert (
        await app.knowledge.fact_reading.contradictions(palace, ContradictionQuery(subject="Bob"))
    ).contradictions == found.contradictions[1:]
    assert (
        await app.knowledge.fact_reading.contradictions(palace, ContradictionQuery(predicate="reports_to"))
    ).contradictions[0].kind == "inverse"
    with pytest.raises(InvalidInput, match=r"predicate is 'likes', which the settings do not declare"):
        await app.knowledge.fact_reading.contradictions(palace, ContradictionQuery(predicate="likes"))
    await app.knowledge.facts.supersede(palace, Supersession("Ada", "works_at", "Initech", at="2020"))
    assert len((await app.knowledge.fact_reading.contradictions(palace, ContradictionQuery())).contradictions) == 1


async def test_the_numbers_count_what_is_known(app: GraphPalace, palace: str) -> None:
    drawer = await _drawer(app, palace, "Ada works at Acme")
    await app.knowledge.facts.add(palace, NewFact("Ada", "works_at", "Acme", confidence=0.5, drawers=[drawer]))
    await app.knowledge.facts.add(palace, NewFact("Ada", "likes", "tea"))
    before = await app.knowledge.fact_reading.stats(palace)
    assert (before.facts, before.current, before.invalidated, before.proposed) == (2, 2, 0, 1)
    assert (before.names, before.drawers, before.outdated) == (3, 1, 0)
    await app.knowledge.facts.supersede(palace, Supersession("Ada", "works_at", "Initech"))
    after = await app.knowledge.fact_reading.stats(palace)
    assert (after.facts, after.current, after.invalidated, after.names, after.outdated) == (3, 2, 1, 4, 1)
    assert {one.predicate: one.facts for one in after.predicates} == {"works_at": 2, "likes": 1}


async def test_facts_that_were_read_only_from_deleted_drawers_go_with_them(app: GraphPalace, palace: str) -> None:
    one, other = await _drawer(app, palace, "Ada works at Acme"), await _drawer(app, palace, "Ada drinks tea")
    await app.knowledge.facts.add(palace, NewFact("Ada", "works_at", "Acme", drawers=[one]))
    await app.knowledge.facts.add(palace, NewFact("Ada", "likes", "tea", drawers=[one, other]))
    await app.knowledge.facts.add(palace, NewFact("Ada", "likes", "cake", drawers=[one]))
    await app.knowledge.facts.add(palace, NewFact("Ada", "likes", "cake"))  # said by hand too
    dry = await app.forgetting.forget(palace, ForgetChoice(drawers=[one]), dry_run=True)
    assert (dry.facts, dry.deleted) == (1, 0)
    assert (await app.forgetting.forget(palace, ForgetChoice(drawers=[one]))).facts == 1
    left = await _found(app, palace)
    assert {(fact.object, tuple(fact.drawers)) for fact in left} == {("tea", (other,)), ("cake", ())}
    with pytest.raises(NotFound, match="Acme"):  # nothing mentions it any more
        await _found(app, palace, object="Acme")
    await app.drawers.delete(palace, other)
    assert [fact.object for fact in await _found(app, palace)] == ["cake"]
    assert (await app.drawers.delete_wing(palace, "people")).facts == 0


async def test_every_version_of_a_fact_goes_with_its_drawer(app: GraphPalace, palace: str) -> None:
    drawer = await _drawer(app, palace, "Ada works at Acme")
    await app.knowledge.facts.add(palace, NewFact("Ada", "works_at", "Acme", drawers=[drawer]))
    await app.knowledge.facts.supersede(palace, Supersession("Ada", "works_at", "Initech", at="2023"))
    await app.drawers.delete(palace, drawer)
    line = await app.knowledge.fact_reading.timeline(palace, TimelineQuery("Ada", unlearned=True))
    assert [one.object for one in line.facts] == ["Initech"]


@pytest.mark.parametrize(
    ("new", "message"),
    [
        (NewFact(" ", "likes", "tea"), "subject is ' '"),
        (NewFact("Ada", "--", "tea"), "predicate is '--'; it must have at least one letter"),
        (NewFact("Ada", "likes", "te\na"), "object is 'te"),
        (NewFact("Ada", "likes", "tea", valid_from="soon"), "valid_from is 'soon'; it must be a time such as 2019"),
        (
            NewFact("Ada", "likes", "tea", valid_from="2020", valid_to="2020-01-01"),
            "valid_from is '2020'; it must be b",
        ),
        (NewFact("Ada", "likes", "tea", confidence=0), "confidence is 0; it must be above 0"),
        (NewFact("Ada", "likes", "tea", source=""), "source is ''"),
        (NewFact("Ada", "likes", "tea", drawers=["d"] * 1001), "drawers has 1001 ids"),
    ],
)
async def test_a_fact_that_is_not_possible_is_refused_and_leaves_nothing(
    app: GraphPalace, palace: str, new: NewFact, message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        await app.knowledge.facts.add_all(palace, [ACME, new])
    assert await _found(app, palace) == []


async def test_a_drawer_of_another_palace_is_none_of_this_one(app: GraphPalace, palace: str) -> None:
    with pytest.raises(NotFound, match=r"drawer 'drawer-x' is not in the palace"):
        await app.knowledge.facts.add(palace, NewFact("Ada", "likes", "tea", drawers=["drawer-x"]))
    with pytest.raises(NotFound, match="subject is 'Ada', a name that palace"):
        await _found(app, palace, subject="Ada")
    with pytest.raises(NotFound, match=r"fact 'fact-x' is not in palace"):
        await app.knowledge.facts.invalidate(palace, Invalidation(fact="fact-x"))
    with pytest.raises(NotFound, match="there is no palace"):
        await app.knowledge.facts.add("nowhere", ACME)


def _trails(snapshot: GraphSnapshot) -> list[float]:
    return snapshot.edges.success[snapshot.edges.relation == RELATIONS.index("RELATES_TO")].tolist()


async def test_two_names_have_one_edge_and_one_trail_however_many_facts_join_them(
    app: GraphPalace, palace: str
) -> None:
    await app.knowledge.facts.add(palace, NewFact("Ada", "works_at", "Acme", valid_from="2015", valid_to="2018"))
    await app.knowledge.facts.add(palace, NewFact("Ada", "works_at", "Acme", valid_from="2019"))
    await app.knowledge.facts.add(palace, NewFact("Ada", "owns", "Acme"))
    acme = (await app.knowledge.fact_reading.traverse(palace, TraversalQuery("Ada"))).names[0].entity
    ada = (await app.knowledge.fact_reading.traverse(palace, TraversalQuery("Acme"))).names[0].entity
    snapshot = await app.replica.snapshots.get(palace)
    assert _trails(snapshot) == [0.0]
    trail = trail_between(snapshot, ada, acme)
    for name in ("one", "two"):
        assert (await app.pheromones.deposits.path_success(palace, trail, deposit_id=name, base_reward=0.5)).edges == 1
    assert _trails(await app.replica.snapshots.get(palace)) == [pytest.approx(1.0)]
    await app.database.transaction(palace, lambda tx: app.pheromones.deposits.undo(palace, tx, deposit_id="one"))
    assert _trails(await app.replica.snapshots.get(palace)) == [pytest.approx(0.5)]
    app.replica.snapshots.forget(palace)
    assert _trails(await app.replica.snapshots.get(palace)) == [pytest.approx(0.5)]


async def test_a_trail_goes_on_with_the_version_that_is_known(app: GraphPalace, palace: str) -> None:
    await app.knowledge.facts.add(palace, NewFact("Ada", "works_at", "Acme"))
    acme = (await app.knowledge.fact_reading.traverse(palace, TraversalQuery("Ada"))).names[0].entity
    ada = (await app.knowledge.fact_reading.traverse(palace, TraversalQuery("Acme"))).names[0].entity
    trail = trail_between(await app.replica.snapshots.get(palace), ada, acme)
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="one", base_reward=0.5)
    await app.knowledge.facts.supersede(palace, Supersession("Ada", "works_at", "Initech", at="2023"))
    assert sorted(_trails(await app.replica.snapshots.get(palace))) == [0.0, pytest.approx(0.5)]
    await app.knowledge.facts.invalidate(palace, Invalidation(subject="Ada", predicate="works_at", object="Acme"))
    assert _trails(await app.replica.snapshots.get(palace)) == [0.0]
