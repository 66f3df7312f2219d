"""Facts that cannot both be true."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphpalace.domain.knowledge.contradictions import PredicateRules, contradictions
from graphpalace.domain.knowledge.fact_versions import FactName, StoredFact

RULES = PredicateRules.of(
    ["works_at", "child_of"], {"parent_of": "child_of", "manages": "reports_to", "knows": "knows"}
)


def _fact(subject: str, predicate: str, object: str, since: int | None = None, until: int | None = None) -> StoredFact:
    start, end = (None if year is None else datetime(year, 1, 1, tzinfo=UTC) for year in (since, until))
    name = f"{subject} {predicate} {object} {since}"
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return StoredFact(name, FactName(subject, subject), predicate, FactName(object, object), start, end, now)


def _found(*facts: StoredFact) -> list[tuple[str, str, str, str | None, str | None]]:
    found = contradictions(facts, RULES, limit=10).contradictions
    return [(one.kind, one.first.id, one.second.id, one.since, one.until) for one in found]


def test_two_objects_at_once_contradict_each_other_for_as_long_as_both_hold() -> None:
    acme, initech = _fact("ada", "works_at", "acme", None, 2024), _fact("ada", "works_at", "initech", 2023)
    assert _found(acme, initech) == [("two_objects", acme.id, initech.id, "2023-01-01", "2024-01-01")]


@pytest.mark.parametrize(
    "facts",
    [
        (_fact("ada", "works_at", "acme", None, 2023), _fact("ada", "works_at", "initech", 2023)),  # half-open
        (_fact("ada", "works_at", "acme"), _fact("bob", "works_at", "initech")),
        (_fact("ada", "works_at", "acme"), _fact("ada", "works_at", "acme", 2020)),
        (_fact("ada", "likes", "tea"), _fact("ada", "likes", "coffee")),
        (_fact("ada", "knows", "bob"), _fact("bob", "knows", "ada")),  # symmetric
        (_fact("ada", "manages", "bob"), _fact("bob", "reports_to", "ada")),  # they say the same
        (_fact("ada", "manages", "ada"),),
    ],
)
def test_what_can_both_be_true_is_no_contradiction(facts: tuple[StoredFact, ...]) -> None:
    assert _found(*facts) == []


def test_a_fact_contradicts_its_inverse_and_its_own_direction_turned_round() -> None:
    up, down = _fact("ada", "manages", "bob"), _fact("ada", "reports_to", "bob", 2020)
    assert _found(up, down) == [("inverse", up.id, down.id, "2020-01-01", None)]
    turned = _fact("bob", "manages", "ada")
    assert [kind for kind, *_ in _found(up, turned)] == ["inverse"]


def test_two_objects_are_also_seen_where_the_facts_are_told_from_the_other_side() -> None:
    one, other = _fact("eve", "parent_of", "cy"), _fact("cy", "child_of", "fay")
    assert [kind for kind, *_ in _found(one, other)] == ["two_objects"]


def test_more_than_the_limit_is_said() -> None:
    facts = [_fact("ada", "works_at", f"firm {number}") for number in range(4)]
    found = contradictions(facts, RULES, limit=5)
    assert (len(found.contradictions), found.more) == (5, True)
    assert not contradictions(facts, RULES, limit=6).more
