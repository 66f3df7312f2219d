"""How facts change: every sequence of changes agrees with a model of intervals in plain Python."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.knowledge.fact_versions import FactHistory, FactName, StoredFact
from graphpalace.errors import InvalidInput, NotFound

START = datetime(2020, 1, 1, tzinfo=UTC)
DAYS = 12


def _day(number: int | None) -> datetime | None:
    return None if number is None else START + timedelta(days=number)


def _fact(object: str, since: int | None = None, until: int | None = None, **more: object) -> StoredFact:
    plain = StoredFact(
        "", FactName("ada", "Ada"), "works_at", FactName(object, object), _day(since), _day(until), START
    )
    return replace(plain, **more)


def _history(*facts: StoredFact) -> FactHistory:
    history = FactHistory("main", [], now=START)
    for fact in facts:
        history.add(fact)
    return FactHistory("main", history.live, now=START + timedelta(hours=1))


def _supersede(history: FactHistory, object: str, at: int, *, replaces: str | None = None, single: bool = True) -> str:
    moment = _day(at)
    assert moment
    fact, _, _ = history.supersede(_fact(object), at=moment, replaces=replaces, single_valued=single)
    return fact


def _spans(history: FactHistory) -> list[tuple[str, datetime | None, datetime | None]]:
    return sorted(
        ((one.object.id, one.valid_from, one.valid_to) for one in history.live),
        key=lambda span: (str(span[1]), span[0]),
    )


def test_superseding_ends_what_holds_and_keeps_what_the_palace_knew() -> None:
    history = _history(_fact("acme", 0))
    fact = _supersede(history, "initech", 5)
    assert _spans(history) == [("acme", _day(0), _day(5)), ("initech", _day(5), None)]
    (closed,) = history.changes.closed
    assert (closed.valid_to, closed.invalidated_at) == (None, START + timedelta(hours=1))
    shorter = history.version(closed.superseded_by or "")
    assert (shorter.valid_to, shorter.superseded_by) == (_day(5), fact)


def test_a_fact_that_is_replaced_from_its_beginning_on_leaves_no_empty_rest() -> None:
    history = _history(_fact("acme", 5))
    fact = _supersede(history, "initech", 5)
    assert _spans(history) == [("initech", _day(5), None)]
    assert history.changes.closed[0].superseded_by == fact


def test_a_fact_that_comes_before_a_later_one_ends_when_that_begins() -> None:
    history = _history(_fact("acme", 0, 8), _fact("initech", 8))
    _supersede(history, "umbrella", 3)
    assert _spans(history) == [("acme", _day(0), _day(3)), ("umbrella", _day(3), _day(8)), ("initech", _day(8), None)]


@pytest.mark.parametrize(
    ("known", "at", "replaces", "expected"),
    [
        ([("coffee", 8, None)], 3, None, [("tea", 3, 8), ("coffee", 8, None)]),
        ([("coffee", 0, 5), ("cocoa", 8, None)], 3, None, [("coffee", 0, 3), ("tea", 3, 8), ("cocoa", 8, None)]),
        ([("coffee", 8, 9), ("cocoa", 6, None)], 3, None, [("tea", 3, 6), ("cocoa", 6, None), ("coffee", 8, 9)]),
        # one of several: what goes on beside it does not end it, the same object again does
        ([("milk", 0, None), ("cocoa", 6, None), ("coffee", 0, 5), ("coffee", 8, None)], 3, "coffee",
         [("coffee", 0, 3), ("milk", 0, None), ("tea", 3, 8), ("cocoa", 6, None), ("coffee", 8, None)]),
    ],
)  # fmt: skip
def test_an_earlier_moment_closes_the_new_fact_where_the_next_known_one_begins(
    known: list[tuple[str, int, int | None]], at: int, replaces: str | None, expected: list[tuple[str, int, int | None]]
) -> None:
    history = _history(*(_fact(*one) for one in known))
    _supersede(history, "tea", at, replaces=replaces, single=False)
    assert _spans(history) == [(name, _day(since), _day(until)) for name, since, until in expected]


def test_the_same_supersession_twice_is_one() -> None:
    history = _history(_fact("acme", 0))
    _supersede(history, "initech", 5)
    again = FactHistory("main", history.live, now=START + timedelta(hours=2))
    _supersede(again, "initech", 5)
    assert not again.changes


def test_of_several_friends_the_one_that_is_replaced_has_to_be_named() -> None:
    history = _history(_fact("bob", 0), _fact("cy", 0))
    with pytest.raises(InvalidInput, match=r"several objects at 2020-01-06: name one of 'bob', 'cy' in replaces"):
        _supersede(history, "dan", 5, single=False)
    _supersede(history, "dan", 5, replaces="cy", single=False)
    assert _spans(history) == [("bob", _day(0), None), ("cy", _day(0), _day(5)), ("dan", _day(5), None)]
    with pytest.raises(NotFound, match="replaces"):
        _supersede(history, "eve", 7, replaces="cy", single=False)


def test_a_known_fact_gets_more_evidence_and_the_surer_source() -> None:
    history = _history(_fact("acme", 0, confidence=0.5, source="extractor", drawers=("d1",)))
    fact, created = history.add(_fact("acme", 0, source="stated", drawers=("d2", "d1"), stated=True))
    known = history.version(fact)
    assert not created
    assert (known.confidence, known.source, known.drawers, known.stated) == (1.0, "stated", ("d1", "d2"), True)


def test_a_fact_that_was_unlearned_can_be_learned_again_as_another_version() -> None:
    history = _history(_fact("acme", 0))
    (known,) = history.live
    history.invalidate(known, ended=None)
    fact, created = history.add(_fact("acme", 0))
    assert created
    assert fact != known.id


@pytest.mark.parametrize("ended", [0, -1, 9])
def test_a_fact_cannot_end_outside_of_its_time(ended: int) -> None:
    history = _history(_fact("acme", 0, 8))
    with pytest.raises(InvalidInput, match=r"ended is .*; the fact holds from 2020-01-01 until 2020-01-09"):
        history.invalidate(history.live[0], ended=_day(ended))


# The model: the stretches of days that the palace knows, each (object, first day, first day after it).

_EVER, _NEVER = -1, 99
_Stretch = tuple[str, int, int]


@dataclass(frozen=True)
class Change:
    kind: str
    object: str
    since: int
    until: int


_CHANGES = st.lists(
    st.builds(
        Change,
        st.sampled_from(["add", "supersede", "invalidate", "end"]),
        st.sampled_from("abc"),
        st.sampled_from([_EVER, *range(DAYS)]),
        st.sampled_from([*range(1, DAYS), _NEVER]),
    ),
    max_size=12,
)


def _apply(known: frozenset[_Stretch], change: Change) -> frozenset[_Stretch]:
    name, at = change.object, max(change.since, 0)
    if change.kind == "add":
        return known | {(name, change.since, change.until)} if change.since < change.until else known
    if change.kind == "invalidate":
        return frozenset(one for one in known if one[0] != name)
    if change.kind == "end":
        ending = {one for one in known if one[0] == name and one[1] < change.until <= one[2]}
        return (known - ending) | {(name, since, change.until) for _, since, _ in ending}
    ending = {one for one in known if one[0] != name and one[1] <= at < one[2]}
    left = {(other, since, at) for other, since, _ in ending if since < at}
    if any(one[0] == name and one[1] <= at < one[2] for one in known):
        return (known - ending) | left
    return (known - ending) | left | {(name, at, min((one[1] for one in known if one[1] > at), default=_NEVER))}


def _change(history: FactHistory, change: Change) -> None:
    if change.kind == "add" and change.since < change.until:
        since, until = change.since, change.until
        history.add(_fact(change.object, None if since == _EVER else since, None if until == _NEVER else until))
    elif change.kind == "supersede":
        _supersede(history, change.object, max(change.since, 0))
    elif change.kind in ("invalidate", "end"):
        ended = None if change.kind == "invalidate" else _day(change.until)
        for one in [one for one in history.live if one.object.id == change.object]:
            within = ended is None or (
                (one.valid_from is None or one.valid_from < ended) and (one.valid_to is None or ended <= one.valid_to)
            )
            if within:
                history.invalidate(one, ended=ended)


@given(_CHANGES)
def test_what_was_known_at_any_time_of_any_day_is_what_a_plain_model_knew_then(changes: list[Change]) -> None:
    versions: dict[str, StoredFact] = {}
    model: frozenset[_Stretch] = frozenset()
    known: list[tuple[datetime, frozenset[_Stretch]]] = []
    for hour, change in enumerate(changes, start=1):
        now = START + timedelta(hours=hour)
        history = FactHistory("main", versions.values(), now=now)
        _change(history, change)
        versions = _versions(history, versions)
        model = _apply(model, change)
        known.append((now, model))
    for now, stretches in known:
        for day in range(_EVER, DAYS + 1):
            moment = START + timedelta(days=day, minutes=1)
            found = {one.object.id for one in versions.values() if one.known_at(now) and one.holds_at(moment)}
            assert found == {name for name, since, until in stretches if since <= day < until}, (now, day)


def _versions(history: FactHistory, versions: dict[str, StoredFact]) -> dict[str, StoredFact]:
    """Return all versions after a change. None of those that were known before may have changed its times."""
    ids = {*versions, *(one.id for one, _ in history.changes.opened)}
    for one in versions.values():
        later = history.version(one.id)
        assert (later.valid_from, later.valid_to, later.observed_at) == (one.valid_from, one.valid_to, one.observed_at)
        assert one.invalidated_at in (None, later.invalidated_at)
    return {one: history.version(one) for one in ids}


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, DAYS), st.booleans()), max_size=15))
def test_superseding_and_unlearning_alone_never_leave_two_objects_at_once(steps: list[tuple[str, int, bool]]) -> None:
    versions: dict[str, StoredFact] = {}
    for hour, (name, day, unlearn) in enumerate(steps, start=1):
        history = FactHistory("main", versions.values(), now=START + timedelta(hours=hour))
        if unlearn:
            for one in history.live:
                if one.object.id == name:
                    history.invalidate(one, ended=None)
        else:
            _supersede(history, name, day)
        versions = _versions(history, versions)
        spans = sorted(
            (one.valid_from, one.valid_to or datetime.max.replace(tzinfo=UTC), one.object.id)
            for one in history.live
            if one.valid_from
        )
        assert len(spans) == len(history.live)
        assert all(end <= start for (_, end, _), (start, _, _) in pairwise(spans))
        assert all(start < end for start, end, _ in spans)
