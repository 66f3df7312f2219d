from __future__ import annotations

from graphpalace.domain.search.news import NewsOn
from graphpalace.vectors.news_table import NewsTable


def _table(*edges: tuple[str, str]) -> NewsTable:
    table = NewsTable()
    for newer in dict.fromkeys(newer for newer, _ in edges):
        table.put(newer, [NewsOn(older, 0.5) for other, older in edges if other == newer])
    return table


def test_what_is_news_on_a_drawer_is_found_over_others_and_what_it_is_news_on_is_not() -> None:
    table = _table(("b", "a"), ("c", "b"), ("e", "d"))
    assert table.after(["b"]) == {"c": [NewsOn("b", 0.5)]}
    assert table.after(["a"]) == {"b": [NewsOn("a", 0.5)], "c": [NewsOn("b", 0.5)]}
    assert table.after(["c", "e"]) == {}


def test_edges_between_drawers_that_were_both_asked_for_are_returned() -> None:
    assert _table(("b", "a")).after(["a", "b"]) == {"b": [NewsOn("a", 0.5)]}


def test_what_was_removed_or_replaced_is_gone() -> None:
    table = _table(("b", "a"), ("c", "a"))
    table.remove(["b", "unknown"])
    assert table.after(["a"]) == {"c": [NewsOn("a", 0.5)]}
    table.put("c", [])
    assert table.after(["a"]) == {}
    assert not table


def test_a_circle_ends() -> None:
    assert _table(("b", "a"), ("a", "b")).after(["a"]).keys() == {"a", "b"}
