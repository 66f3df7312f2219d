"""Facts in memory: which drawers are outdated at a moment, and what is known of the names in a question."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from graphpalace.domain.knowledge.fact_index import FactIndex
from graphpalace.domain.knowledge.fact_versions import FactHistory, FactName, StoredFact

NOW = datetime(2026, 6, 1, tzinfo=UTC)
NAMES = {"ada": ("Ada Lovelace", "A. Lovelace"), "acme": ("Acme",), "initech": ("Initech Ltd.",), "go": ("Go",)}


def _year(year: int | None) -> datetime | None:
    return None if year is None else datetime(year, 1, 1, tzinfo=UTC)


def _fact(
    object: str, since: int | None = None, until: int | None = None, *, predicate: str = "works_at", **more: object
) -> StoredFact:
    ends = FactName("ada", NAMES["ada"][0]), FactName(object, NAMES.get(object, (object,))[0])
    plain = StoredFact("", ends[0], predicate, ends[1], _year(since), _year(until), datetime(2026, 1, 1, tzinfo=UTC))
    return replace(plain, **more)


def _index(*facts: StoredFact, supersede: tuple[StoredFact, int] | None = None, unlearn: bool = False) -> FactIndex:
    history = FactHistory("main", [], now=datetime(2026, 1, 1, tzinfo=UTC))
    ids = [history.add(fact)[0] for fact in facts]
    versions = first = {one: history.version(one) for one in ids}
    if supersede or unlearn:
        history = FactHistory("main", versions.values(), now=datetime(2026, 2, 1, tzinfo=UTC))
        if supersede:
            moment = _year(supersede[1])
            assert moment
            history.supersede(supersede[0], at=moment, replaces=None, single_valued=True)
        else:
            for one in history.live:
                history.invalidate(one, ended=None)
        versions = {
            one: history.version(one) for one in {*versions, *(opened.id for opened, _ in history.changes.opened)}
        }
    whole = FactIndex.of(versions.values(), NAMES)
    by_and_by = FactIndex()
    for fact in first.values():
        by_and_by = by_and_by.updated([fact], NAMES)
    by_and_by = by_and_by.updated(versions.values(), NAMES)
    drawers = {drawer for fact in versions.values() for drawer in fact.drawers}
    assert by_and_by.outdated(drawers, at=NOW) == whole.outdated(drawers, at=NOW)
    assert by_and_by.may_be_outdated == whole.may_be_outdated
    return whole


def test_a_drawer_is_outdated_from_the_moment_on_when_the_last_of_its_facts_ended() -> None:
    index = _index(_fact("acme", None, 2020, drawers=("d",)), _fact("initech", 2020, 2023, drawers=("d",)))
    assert index.may_be_outdated
    assert index.outdated(["d", "other"], at=datetime(2022, 12, 31, tzinfo=UTC)) == {}
    assert index.outdated(["d"], at=datetime(2023, 1, 1, tzinfo=UTC))["d"].since == _year(2023)
    assert (index.count_outdated(at=NOW), index.count_outdated(at=datetime(2021, 1, 1, tzinfo=UTC))) == (1, 0)


def test_a_drawer_with_one_fact_that_goes_on_is_not_outdated() -> None:
    index = _index(_fact("acme", None, 2020, drawers=("d",)), _fact("tea", predicate="likes", drawers=("d",)))
    assert not index.may_be_outdated
    assert index.outdated(["d"], at=NOW) == {}


def test_what_replaced_a_fact_is_what_holds_now_and_its_certainty_is_that_of_the_least_certain_fact() -> None:
    index = _index(
        _fact("acme", 2015, drawers=("d",), confidence=0.6),
        supersede=(_fact("initech", drawers=("e",)), 2023),
    )
    found = index.outdated(["d", "e"], at=NOW)
    assert found.keys() == {"d"}
    assert (found["d"].since, found["d"].certainty) == (_year(2023), 0.6)
    replaced_by = found["d"].replaced_by
    assert replaced_by is not None
    assert (replaced_by.object.name, replaced_by.drawers) == ("Initech Ltd.", ("e",))
    assert index.outdated(["d"], at=datetime(2022, 1, 1, tzinfo=UTC)) == {}


def test_a_drawer_whose_fact_was_replaced_from_its_beginning_on_is_outdated_since_then() -> None:
    index = _index(_fact("acme", 2023, drawers=("d",)), supersede=(_fact("initech"), 2023))
    assert index.outdated(["d"], at=NOW)["d"].since == _year(2023)


def test_a_drawer_whose_facts_were_unlearned_is_outdated_since_the_palace_unlearned_them() -> None:
    index = _index(_fact("acme", 2015, drawers=("d",)), unlearn=True)
    found = index.outdated(["d"], at=NOW)["d"]
    assert (found.since, found.replaced_by) == (datetime(2026, 2, 1, tzinfo=UTC), None)
    assert index.outdated(["d"], at=datetime(2026, 1, 15, tzinfo=UTC)) == {}


def test_facts_on_the_names_of_a_question_stand_beside_it_the_asked_predicate_first() -> None:
    index = _index(
        _fact("tea", predicate="likes"),
        _fact("acme", 2015, 2020),
        _fact("initech", 2020),
        _fact("go", predicate="uses"),
    )

    def found(question: str, year: int = 2026) -> list[str]:
        return [fact.object.name for fact in index.about(question, at=datetime(year, 6, 1, tzinfo=UTC))]

    assert found("Where does ADA LOVELACE work?")[0] == "Initech Ltd."
    assert found("Where did Ada Lovelace's friend work?", 2018)[0] == "Acme"
    assert found("who works at initech ltd") == ["Initech Ltd."]
    assert found("what does A. Lovelace like")[0] == "tea"
    assert found("Ada") == []  # a part of a name is no name
    assert found("where shall we go") == []
    assert found("who uses Go?") == ["Go"]
