"""A search obeys facts: what is outdated is marked and ranked lower, and what holds now stands beside the hits."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.domain.forgetting import ForgetChoice
from graphpalace.domain.knowledge.fact_requests import Invalidation, NewFact, Supersession, TimelineQuery
from graphpalace.domain.knowledge.names import Merge, Split
from graphpalace.domain.search.answer import Answer
from graphpalace.domain.search.request import SearchRequest
from graphpalace.errors import InvalidInput
from graphpalace.store.connection.database import Database

OLD, NEW = "Ada Lovelace works at Acme in London", "Ada Lovelace works at Initech in Leeds now"
QUESTION = "where does Ada Lovelace work"


async def _add(app: GraphPalace, palace: str, text: str, **more: Any) -> str:
    return (await app.drawers.add(palace, NewDrawer(text=text, wing="people", room="notes", **more))).drawer.id


async def _search(app: GraphPalace, palace: str, query: str = QUESTION, **how: Any) -> Answer:
    # That a text is probably news on another one changes the order too.
    return await app.recall.search(palace, SearchRequest(query, **{"without": frozenset({"news"})} | how))


@pytest.fixture
async def moved(app: GraphPalace, palace: str) -> dict[str, str]:
    """A palace that was told in 2019 where Ada works, and in 2023 that this has changed. Gives the two drawers."""
    old = await _add(app, palace, OLD, occurred_at=datetime(2019, 5, 1, tzinfo=UTC))
    new = await _add(app, palace, NEW, occurred_at=datetime(2023, 5, 1, tzinfo=UTC))
    await app.knowledge.facts.add(palace, NewFact("Ada Lovelace", "works at", "Acme", valid_from="2019", drawers=[old]))
    return {"old": old, "new": new}


async def _supersede(app: GraphPalace, palace: str, drawers: dict[str, str], confidence: float = 1.0) -> None:
    change = Supersession(
        "Ada Lovelace", "works at", "Initech", at="2023", drawers=[drawers["new"]], confidence=confidence
    )
    await app.knowledge.facts.supersede(palace, change)


async def test_a_drawer_whose_fact_was_replaced_says_since_when_and_by_what_and_comes_after(
    app: GraphPalace, palace: str, moved: dict[str, str]
) -> None:
    before = await _search(app, palace)
    assert [hit.id for hit in before.hits] == [moved["old"], moved["new"]]
    assert [hit.outdated for hit in before.hits] == [None, None]
    assert [(fact.object, fact.since) for fact in before.facts] == [("Acme", "2019-01-01")]
    await _supersede(app, palace, moved)
    after = await _search(app, palace)
    assert [hit.id for hit in after.hits] == [moved["new"], moved["old"]]
    outdated = after.hits[1].outdated
    assert outdated
    assert (outdated.since, outdated.change) == ("2023-01-01", -0.1)
    assert outdated.replaced_by
    assert (outdated.replaced_by.object, outdated.replaced_by.drawers) == ("Initech", (moved["new"],))
    assert after.hits[1].score == pytest.approx(before.hits[0].score - 0.1)
    assert after.hits[0].score == pytest.approx(before.hits[1].score)
    assert [(fact.object, fact.since) for fact in after.facts] == [("Initech", "2023-01-01")]


async def test_a_search_shows_the_palace_as_it_was(app: GraphPalace, palace: str, moved: dict[str, str]) -> None:
    await _supersede(app, palace, moved)
    then = await _search(app, palace, as_of="2021-06")
    assert [(hit.id, hit.outdated) for hit in then.hits] == [(moved["old"], None)]
    assert [fact.object for fact in then.facts] == ["Acme"]
    moment = await _search(app, palace, as_of="2023-05-01")  # when the new one was said
    assert [hit.id for hit in moment.hits] == [moved["new"], moved["old"]]
    assert (await _search(app, palace, as_of="2018")).hits == []
    both = await _search(app, palace, as_of="2024", until=datetime(2020, 1, 1, tzinfo=UTC))
    assert [hit.id for hit in both.hits] == [moved["old"]]
    assert both.hits[0].outdated


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"as_of": "soon"}, "as_of is 'soon'; it must be a time such as 2019"),
        (
            {"as_of": "2019", "since": datetime(2020, 1, 1, tzinfo=UTC)},
            "since is .*must not be after as_of, 2019",
        ),
    ],
)
async def test_a_time_that_cannot_be_is_refused(
    app: GraphPalace, palace: str, how: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        await _search(app, palace, **how)


async def test_the_change_is_no_more_than_the_setting_says_and_less_for_what_is_less_certain(
    app: GraphPalace, palace: str, moved: dict[str, str]
) -> None:
    unsure = await _add(app, palace, "Bob drives a Volvo")
    await app.knowledge.facts.add(
        palace, NewFact("Bob", "drives", "Volvo", drawers=[unsure], confidence=0.4, valid_to="2020")
    )
    (hit,) = [hit for hit in (await _search(app, palace, "Volvo")).hits if hit.id == unsure]
    assert hit.outdated
    assert (hit.outdated.change, hit.outdated.replaced_by) == (pytest.approx(-0.04), None)


async def test_by_rank_and_without_facts_scores_stay_as_they_are(
    app: GraphPalace, palace: str, moved: dict[str, str]
) -> None:
    plain = await _search(app, palace, fusion="rrf")
    unmarked = await _search(app, palace)
    await _supersede(app, palace, moved)
    by_rank = await _search(app, palace, fusion="rrf")
    assert [(hit.id, hit.score) for hit in by_rank.hits] == [(hit.id, hit.score) for hit in plain.hits]
    assert [hit.outdated.change for hit in by_rank.hits if hit.outdated] == [0.0]
    left_out = await _search(app, palace, without=frozenset({"facts", "news"}))
    assert [(hit.id, hit.outdated) for hit in left_out.hits] == [(hit.id, None) for hit in unmarked.hits]
    assert left_out.facts == ()


async def test_an_outdated_drawer_is_found_and_one_below_the_cut_takes_its_place(
    app: GraphPalace, palace: str, moved: dict[str, str]
) -> None:
    assert [hit.id for hit in (await _search(app, palace, top_k=1)).hits] == [moved["old"]]
    await _supersede(app, palace, moved)
    assert [hit.id for hit in (await _search(app, palace, top_k=1)).hits] == [moved["new"]]
    assert moved["old"] in [hit.id for hit in (await _search(app, palace, "Acme in London")).hits]


async def test_learning_and_facts_count_together(app: GraphPalace, palace: str, moved: dict[str, str]) -> None:
    await _supersede(app, palace, moved)
    answer = await _search(app, palace)
    await app.learning.feedback.give(palace, run=answer.run, useful={moved["new"]: 1.0}, useless={moved["old"]: 1.0})
    taught = await _search(app, palace)
    (old,) = [hit for hit in taught.hits if hit.id == moved["old"]]
    assert old.outdated
    assert old.taught
    changes = old.taught.question + old.taught.lanes + old.taught.memory + old.taught.others + old.taught.bound
    assert old.score == pytest.approx(old.taught.score + changes)
    assert old.taught.rank == 2


async def test_every_service_sees_a_change_at_once_and_a_search_reads_facts_only_after_one(
    app: GraphPalace, palace: str, moved: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    read = Database.read

    async def counted(self: Database, palace: str | None, name: str, /, **params: Any) -> Any:
        asked.append(name)
        return await read(self, palace, name, **params)

    monkeypatch.setattr(Database, "read", counted)

    async def loads() -> int:
        asked.clear()
        await _search(app, palace)
        return asked.count("knowledge/load_facts")

    assert [await loads(), await loads()] == [1, 0]
    await _supersede(app, palace, moved)
    assert [await loads(), await loads()] == [1, 0]
    acme = Invalidation(subject="Ada Lovelace", predicate="works at", object="Initech")
    await app.knowledge.facts.invalidate(palace, acme)
    assert [fact.object for fact in (await _search(app, palace)).facts] == []
    await app.forgetting.forget(palace, ForgetChoice(drawers=[moved["old"]]))
    assert [await loads(), await loads()] == [0, 0]  # forgetting has read them, so that nothing of it stays in memory
    assert (await app.knowledge.fact_reading.stats(palace)).outdated == 1  # whose fact was taken back


async def test_a_palace_without_facts_reads_none(
    app: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _add(app, palace, OLD)

    async def never(*_: object) -> None:
        raise AssertionError("facts were looked for")

    monkeypatch.setattr(app.replica.known_facts, "of", never)
    assert (await _search(app, palace)).facts == ()


async def test_a_palace_that_was_made_again_knows_nothing_of_the_old_facts(
    app: GraphPalace, palace: str, moved: dict[str, str]
) -> None:
    assert (await _search(app, palace)).facts
    await app.drop_palace(palace)
    await app.create_palace(palace)
    await _add(app, palace, OLD)
    await app.knowledge.facts.add(palace, NewFact("Cy", "likes", "tea"))
    assert (await _search(app, palace)).facts == []


async def test_facts_follow_names_that_are_merged_and_split(app: GraphPalace, palace: str) -> None:
    old = await _add(app, palace, OLD)
    await app.knowledge.facts.add(palace, NewFact("A. Lovelace", "works at", "Acme", valid_from="2019", drawers=[old]))
    await app.knowledge.facts.add(palace, NewFact("Ada Lovelace", "likes", "tea"))
    assert [fact.object for fact in (await _search(app, palace)).facts] == ["tea"]
    await app.knowledge.name_changes.merge(palace, Merge("Ada Lovelace", "A. Lovelace"))
    assert {(fact.subject, fact.object) for fact in (await _search(app, palace)).facts} == {
        ("Ada Lovelace", "Acme"),
        ("Ada Lovelace", "tea"),
    }
    merged = await app.knowledge.facts.supersede(palace, Supersession("A. Lovelace", "works at", "Initech", at="2023"))
    assert [fact.object for fact in merged.replaced] == ["Acme"]
    await app.knowledge.name_changes.split(palace, Split("Ada Lovelace", "A. Lovelace"))
    assert {fact.object for fact in (await _search(app, palace)).facts} == {"Initech", "tea"}  # said of the merged name
    line = await app.knowledge.fact_reading.timeline(palace, TimelineQuery("A. Lovelace", unlearned=True))
    assert {fact.object for fact in line.facts} == {"Acme"}
