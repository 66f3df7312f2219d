"""Facts behind every door."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from graphpalace.errors import InvalidInput, NotFound


async def test_facts_are_stated_changed_asked_for_and_taken_back(door: Any) -> None:
    old = await door.add("Ada works at Acme", wing="people", room="notes")
    new = await door.add("Ada works at Initech", wing="people", room="notes")
    acme = await door.add_fact("Ada", "works at", "Acme", valid_from=date(2019, 1, 1), drawers=[old.id])
    assert (acme.created, acme.fact.predicate, acme.fact.valid_from) == (True, "works_at", "2019-01-01")
    again = await door.add_fact("Ada", "works at", "Acme", valid_from="2019", confidence=0.5, source="a hunch")
    assert (again.created, again.fact.id, again.fact.confidence) == (False, acme.fact.id, 1.0)
    await door.add_fact("Bob", "works at", "Acme", valid_to="2030", source="Bob")
    changed = await door.supersede_fact("Ada", "works at", "Initech", at="2023", drawers=[new.id])
    assert [(fact.object, fact.valid_to) for fact in changed.replaced] == [("Acme", "2023-01-01")]

    assert [fact.object for fact in (await door.facts("Ada")).facts] == ["Initech"]
    assert [fact.object for fact in (await door.facts("Ada", as_of="2020")).facts] == ["Acme"]
    assert [fact.subject for fact in (await door.facts(predicate="works_at", object="Acme")).facts] == ["Bob"]
    assert (await door.facts(limit=1)).more is True
    assert (await door.facts(known_at="2019-05-31")).facts == []
    line = await door.fact_timeline("Acme", predicate="works_at")
    assert [fact.subject for fact in line.facts] == ["Bob", "Ada"]
    assert len((await door.fact_timeline("Ada", unlearned=True)).facts) == 3
    way = await door.traverse_facts("Ada", depth=2, as_of="2020")
    assert [(name.depth, name.name) for name in way.names] == [(1, "Acme"), (2, "Bob")]
    assert (await door.fact_contradictions()).contradictions == []
    await door.add_fact("Ada", "works at", "Umbrella", valid_from="2024")
    (clash,) = (await door.fact_contradictions(subject="Ada", predicate="works at")).contradictions
    assert (clash.kind, clash.since) == ("two_objects", "2024-01-01")

    answer = await door.search("where does Ada work")
    outdated = {hit.id: hit.outdated for hit in answer.hits}
    assert (outdated[new.id], outdated[old.id].since) == (None, "2023-01-01")
    assert outdated[old.id].replaced_by.object == "Initech"
    assert {fact.object for fact in answer.facts} == {"Initech", "Umbrella"}
    assert (await door.search("where does Ada work", as_of="2020")).hits == []

    gone = await door.invalidate_fact(subject="Ada", predicate="works at", object="Umbrella")
    assert len(gone.invalidated) == 1
    ended = await door.invalidate_fact(changed.fact.id, ended="2024-02")
    assert [fact.valid_to for fact in ended.kept] == ["2024-02-01"]
    stats = await door.fact_stats()
    assert (stats.facts, stats.current, stats.invalidated, stats.outdated) == (3, 1, 3, 2)
    receipt = await door.forget(drawers=[new.id])
    assert (receipt.deleted, receipt.facts) == (1, 1)


async def test_what_is_wrong_with_a_fact_is_said(door: Any) -> None:
    await door.add_fact("Ada", "likes", "tea", valid_from="2019", valid_to="2020")
    for call, match in (
        (door.add_fact(" ", "likes", "tea"), "subject"),
        (door.add_fact("Ada", "?", "tea"), "predicate is '\\?'"),
        (door.add_fact("Ada", "likes", "tea", valid_from="2020", valid_to="2019"), "valid_from is '2020'"),
        (door.add_fact("Ada", "likes", "tea", valid_from="spring"), "valid_from is 'spring'"),
        (door.add_fact("Ada", "likes", "tea", confidence=0.0), "confidence"),
        (door.supersede_fact("Ada", "likes", "tea", at="now"), "at is 'now'"),
        (door.invalidate_fact(), "give either fact, or subject, predicate and object"),
        (door.invalidate_fact("fact-x", subject="Ada"), "give either fact"),
        (door.invalidate_fact(subject="Ada", predicate="likes"), "give either fact"),
        (door.invalidate_fact(subject="Ada", predicate="likes", object="tea", ended="2021"), "ended is 2021-01-01"),
        (door.facts("Ada", as_of="yesterday"), "as_of is 'yesterday'"),
        (door.facts("Ada", known_at="12"), "known_at is '12'"),
        (door.facts(limit=0), "limit"),
        (door.fact_timeline("Ada", limit=1001), "limit"),
        (door.traverse_facts("Ada", depth=6), "depth"),
        (door.fact_contradictions(predicate="likes"), "which the settings do not declare"),
        (door.search("Ada", as_of="someday"), "as_of is 'someday'"),
    ):
        with pytest.raises(InvalidInput, match=match):
            await call
    for call, match in (
        (door.add_fact("Ada", "likes", "tea", drawers=["drawer-x"]), "drawer-x"),
        (door.supersede_fact("Ada", "likes", "milk", replaces="water"), "replaces"),
        (door.invalidate_fact("fact-x"), "fact-x"),
        (door.invalidate_fact(subject="Ada", predicate="likes", object="milk"), "milk"),
        (door.facts("Eve"), "subject is 'Eve'"),
        (door.fact_timeline("Eve"), "name is 'Eve'"),
        (door.traverse_facts("Eve"), "start is 'Eve'"),
    ):
        with pytest.raises(NotFound, match=match):
            await call
    assert (await door.fact_stats()).facts == 1
