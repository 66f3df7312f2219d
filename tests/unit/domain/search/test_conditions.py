from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.search.conditions import ClosetFacts, Condition, Group, conditions_of, passes
from graphpalace.errors import InvalidInput

OWL = ClosetFacts(("cpc:H04L9/32", "ft:5K067AA01"), date(2021, 5, 31), "Owl  Works", "JP", "patents", "keys")
LARK = ClosetFacts(("cpc:G06F21/60", "ipc:G06F21/60"), date(2023, 1, 2), "Lark Ltd", "US", "patents", "locks")
BLANK = ClosetFacts()
ALL = {"owl": OWL, "lark": LARK, "blank": BLANK}


def found(*given: Any) -> set[str]:
    conditions = conditions_of(list(given))
    return {name for name, facts in ALL.items() if passes(conditions, facts)}


def one(field: str, op: str, value: object, lop: str = "and") -> dict[str, object]:
    return {"lop": lop, "field": field, "op": op, "value": value}


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        (one("cpc", "eq", "h04l"), {"owl"}),
        (one("cpc", "eq", "H04L9/3"), set()),
        (one("cpc", "in", ["H04L9/00", "G06F21/60"]), {"owl", "lark"}),
        (one("cpc", "neq", "H04L"), {"lark", "blank"}),
        (one("ipc", "eq", "G"), {"lark"}),
        (one("ft", "eq", "5K067"), {"owl"}),
        (one("pubyear", "eq", 2021), {"owl"}),
        (one("pubyear", "eq", "2021"), {"owl"}),
        (one("pubyear", "in", [2020, 2023]), {"lark"}),
        (one("pubyear", "range", [2021, 2022]), {"owl"}),
        (one("pubyear", "range", [2022, None]), {"lark"}),
        (one("pubyear", "neq", 2021), {"lark", "blank"}),
        (one("date", "range", ["2021-05-31", "2023-01-02"]), {"owl", "lark"}),
        (one("date", "range", [None, "2023-01-01"]), {"owl"}),
        (one("date", "eq", "2023-01-02"), {"lark"}),
        (one("assignee", "eq", "owl works"), {"owl"}),
        (one("country", "in", ["us", "jp"]), {"owl", "lark"}),
        (one("wing", "eq", "patents"), {"owl", "lark"}),
        (one("wing", "eq", "Patents"), set()),
        (one("room", "neq", "keys"), {"lark", "blank"}),
    ],
)
def test_each_field_and_each_comparison(condition: dict[str, object], names: set[str]) -> None:
    assert found(condition) == names


def test_conditions_are_joined_from_left_to_right_without_precedence() -> None:
    owl, lark, year = one("country", "eq", "JP"), one("country", "eq", "US", "or"), one("pubyear", "eq", 2023)
    assert found(owl, lark) == {"owl", "lark"}
    assert found(owl, lark, year) == {"lark"}
    assert found(owl, {"lop": "or", "group": [one("country", "eq", "US"), year]}) == {"owl", "lark"}
    assert found(one("wing", "eq", "patents"), one("cpc", "eq", "H04L", "not")) == {"lark"}


def test_or_on_the_first_condition_is_and_while_not_still_is_not() -> None:
    assert found(one("country", "eq", "JP", "or")) == found(one("country", "eq", "JP"))
    assert found(one("country", "eq", "JP", "not")) == {"lark", "blank"}
    assert found({"lop": "not", "group": [one("country", "in", ["JP", "US"])]}) == {"blank"}


def test_no_conditions_let_all_pass() -> None:
    assert conditions_of(None) == conditions_of([]) == conditions_of({}) == ()
    assert found() == set(ALL)


def test_the_short_form_means_that_all_must_hold_and_one_of_each_list() -> None:
    short = conditions_of(
        {"date_from": "2021-01-01", "cpc": ["H04L", "G06F"], "country": "jp", "assignee": None, "date_to": None}
    )
    assert short == conditions_of(
        [one("date", "range", ["2021-01-01", None]), one("cpc", "in", ["H04L", "G06F"]), one("country", "in", ["jp"])]
    )
    assert [name for name, facts in ALL.items() if passes(short, facts)] == ["owl"]


@pytest.mark.parametrize(
    ("wrong", "field", "right"),
    [
        ("cpc", "filters", "a list of at most 200 conditions"),
        ([7], "filters[0]", "a map with lop, field, op and value"),
        ([one("cpc", "eq", "H04L", "xor")], "filters[0].lop", "one of and, or, not"),
        ([one("cpc", "like", "H04L")], "filters[0].op", "one of in, range, eq, neq"),
        ([one("Not a field", "eq", 1)], "filters[0].field", "one of pubyear, date, assignee"),
        ([{"op": "eq", "value": 1}], "filters[0].field", "a scheme of codes"),
        ([one("cpc", "eq", "hello")], "filters[0].value", "subclass (H04L)"),
        ([one("cpc", "in", "H04L")], "filters[0].value", "a list of at least one value"),
        ([one("cpc", "in", ["H04L", 4])], "filters[0].value[1]", "a code that is not empty"),
        ([one("cpc", "range", ["A", "B"])], "filters[0].value", "cpc takes in, eq or neq"),
        ([one("own", "eq", " ")], "filters[0].value", "a code that is not empty"),
        ([one("ft", "eq", "ZZZ??")], "filters[0].value", "a theme (5K067)"),
        ([one("pubyear", "eq", "+2021")], "filters[0].value", "a year from 1 to 9999"),
        ([one("pubyear", "eq", " 2021 ")], "filters[0].value", "a year from 1 to 9999"),
        ([one("pubyear", "eq", 0)], "filters[0].value", "a year from 1 to 9999"),
        ([one("pubyear", "eq", True)], "filters[0].value", "a year from 1 to 9999"),
        ([one("pubyear", "range", [2023, 2021])], "filters[0].value", "from the smaller to the larger"),
        ([one("pubyear", "range", [None, None])], "filters[0].value", "one of them null"),
        ([one("date", "eq", "2023-02-30")], "filters[0].value", "a day as 2023-05-31"),
        ([one("date", "range", ["2023-01-01"])], "filters[0].value", "a list of two"),
        ([one("assignee", "eq", "")], "filters[0].value", "a text that is not empty"),
        ([one("assignee", "eq", "a") | {"boost": 2}], "filters[0]", "boost"),
        ([{"lop": "and", "group": []}], "filters[0].group", "at least one condition"),
        ([{"group": [one("cpc", "eq", "?")]}], "filters[0].group[0].value", "section (H)"),
        ({"date_from": "yesterday"}, "filters.date_from", "a day as 2023-05-31"),
        ({"date_to": 20230101}, "filters.date_to", "a day as 2023-05-31"),
        ({"ipc": []}, "filters.ipc", "at least one value"),
        ({"inventor": "x"}, "filters", "date_from, date_to, ipc"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place_and_what_would_be_right(wrong: object, field: str, right: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        conditions_of(wrong)
    assert raised.value.detail["field"] == field
    assert right in raised.value.message


def test_groups_are_not_endlessly_deep() -> None:
    deep: dict[str, object] = one("cpc", "eq", "H")
    for _ in range(2000):
        deep = {"group": [deep]}
    with pytest.raises(InvalidInput, match="groups deep; it must be at most 8"):
        conditions_of([deep])


_lops = st.sampled_from(["and", "or", "not"])
_plain = st.one_of(
    st.builds(Condition, _lops, st.just("cpc"), st.sampled_from(["eq", "neq"]), st.sampled_from(["H04L", "G06F21"])),
    st.builds(Condition, _lops, st.just("pubyear"), st.just("range"), st.just((2021, 2022))),
    st.builds(Condition, _lops, st.just("country"), st.just("in"), st.just(("US", "JP"))),
)
_any = st.recursive(_plain, lambda inner: st.builds(Group, _lops, st.lists(inner, min_size=1, max_size=3).map(tuple)))
_facts = st.builds(
    ClosetFacts,
    codes=st.lists(st.sampled_from(["cpc:H04L9/32", "cpc:G06F21/60", "cpc:G06F", "ipc:H04L9/32"])).map(tuple),
    published=st.sampled_from([None, date(2020, 1, 1), date(2021, 6, 1), date(2022, 12, 31)]),
    country=st.sampled_from([None, "US", "EP"]),
)


@given(st.lists(_any, max_size=4), _any, _facts)
def test_not_takes_away_exactly_what_the_condition_alone_lets_pass(
    before: list[Condition | Group], last: Condition | Group, facts: ClosetFacts
) -> None:
    denied = Group("not", (last,)) if last.lop != "not" else Group("not", (Group("and", (last,)),))
    assert passes([*before, denied], facts) == (passes(before, facts) and not passes([last], facts))


@given(_any, _any, _facts)
def test_neither_is_not_one_and_not_the_other(
    first: Condition | Group, second: Condition | Group, facts: ClosetFacts
) -> None:
    either = Group("and", (Group("and", (first,)), Group("or", (second,))))
    assert passes([Group("not", (either,))], facts) == passes(
        [Group("not", (Group("and", (first,)),)), Group("not", (Group("and", (second,)),))], facts
    )


def test_the_examples_of_the_page_are_good() -> None:
    page = Path(__file__).parents[4] / "docs" / "reference" / "publications.md"
    record, listed, short = (
        json.loads(block) for block in re.findall(r"```json\n(.*?)```", page.read_text("utf-8"), re.S)
    )
    assert record["cpc_codes"] == ["H04L9/32", "G06F21/60"]
    assert [condition.lop for condition in conditions_of(listed)] == ["and", "and", "not"]
    assert len(conditions_of(short)) == 3
