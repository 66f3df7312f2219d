from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.fuse.score_changes import FALL, NewsEdge, carried

NAMES = "abcdef"
_scores = st.dictionaries(st.sampled_from(NAMES), st.floats(0, 1), min_size=1)
# A letter is news on letters before it.
_edges = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.floats(0, 1)).filter(lambda each: each[0] > each[1]),
    unique_by=lambda each: each[:2],
    max_size=12,
).map(lambda some: [NewsEdge(*each) for each in some])
_weights = st.floats(0, 1)


def test_probable_news_take_the_whole_score_of_the_older_drawer_which_falls_behind() -> None:
    gains, losses = carried({"a": 0.8, "b": 0.2}, [NewsEdge("b", "a", 0.5)], weight=1.0)
    assert gains == {"b": pytest.approx(0.6, abs=1e-5)}
    assert losses == {"a": pytest.approx(0.1)}


def test_less_probable_news_take_a_share() -> None:
    gains, losses = carried({"a": 0.8, "b": 0.2}, [NewsEdge("b", "a", 0.2)], weight=1.0)
    assert gains == {"b": pytest.approx(0.4 * 0.6)}
    assert losses == {"a": pytest.approx(0.04)}


def test_half_the_weight_carries_half_as_much() -> None:
    gains, losses = carried({"a": 0.8, "b": 0.2}, [NewsEdge("b", "a", 0.5)], weight=0.5)
    assert gains == {"b": pytest.approx(0.3)}
    assert losses == {"a": pytest.approx(0.05)}


def test_news_that_fit_better_than_the_older_drawer_gain_nothing() -> None:
    gains, losses = carried({"a": 0.3, "b": 0.6}, [NewsEdge("b", "a", 0.9)], weight=1.0)
    assert gains == {}
    assert losses == {"a": pytest.approx(0.18)}


def test_in_a_row_of_news_the_latest_has_the_score_of_the_first() -> None:
    edges = [NewsEdge("b", "a", 0.9), NewsEdge("c", "b", 0.9)]
    gains, losses = carried({"a": 0.8, "b": 0.1, "c": 0.2}, edges, weight=1.0)
    assert gains == {"b": pytest.approx(0.7, abs=1e-5), "c": pytest.approx(0.6, abs=1e-5)}
    assert losses == {"a": pytest.approx(0.18), "b": pytest.approx(0.18)}
    assert 0.2 + gains["c"] > 0.1 + gains["b"] > 0.8


def test_a_score_is_carried_over_ten_news_in_a_row_and_no_further() -> None:
    names = [f"n{at:02}" for at in range(13)]
    edges = [NewsEdge(newer, older, 1.0) for older, newer in pairwise(names)]
    gains, _ = carried(dict.fromkeys(names, 0.1) | {"n00": 0.9}, edges, weight=1.0)
    assert gains == {name: pytest.approx(0.8, abs=2e-5) for name in names[1:11]}


def test_news_that_fit_as_well_as_the_older_drawer_gain_nothing() -> None:
    assert carried({"a": 0.5, "b": 0.5}, [NewsEdge("b", "a", 1.0)], weight=1.0)[0] == {}


def test_several_news_on_one_drawer_lower_it_by_the_bound_at_most() -> None:
    edges = [NewsEdge(newer, "a", 0.6) for newer in "bcd"]
    _, losses = carried({"a": 0.8, "b": 0.1, "c": 0.1, "d": 0.1}, edges, weight=1.0)
    assert losses == {"a": pytest.approx(0.2)}


def test_what_was_refused_or_was_not_found_counts_for_nothing() -> None:
    edges = [NewsEdge("b", "a", 0.0), NewsEdge("x", "a", 1.0), NewsEdge("b", "y", 1.0)]
    assert carried({"a": 0.8, "b": 0.2}, edges, weight=1.0) == ({}, {})


def test_drawers_that_are_news_on_each_other_do_not_rise_for_ever() -> None:
    gains, _ = carried({"a": 0.8, "b": 0.2}, [NewsEdge("b", "a", 1.0), NewsEdge("a", "b", 1.0)], weight=1.0)
    assert gains["b"] == pytest.approx(0.6, abs=1e-4)
    assert gains.get("a", 0.0) == pytest.approx(0.0, abs=1e-4)


def test_nothing_falls_below_zero() -> None:
    assert carried({"a": 0.05, "b": 0.3}, [NewsEdge("b", "a", 0.9)], weight=1.0)[1] == {"a": 0.05}


@given(_scores, _edges, _weights)
def test_nothing_rises_above_the_best_score_and_nothing_falls_by_more_than_the_bound(
    scores: dict[str, float], edges: list[NewsEdge], weight: float
) -> None:
    gains, losses = carried(scores, edges, weight=weight)
    assert all(gain > 0 and scores[drawer] + gain <= max(scores.values()) + 1e-4 for drawer, gain in gains.items())
    assert all(0 < loss <= FALL * weight for loss in losses.values())
    assert gains.keys() <= {each.newer for each in edges}
    assert losses.keys() <= {each.older for each in edges}


@given(_scores, _edges, _weights, st.randoms())
def test_the_order_of_the_edges_does_not_matter(
    scores: dict[str, float], edges: list[NewsEdge], weight: float, random: object
) -> None:
    shuffled = list(edges)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert carried(scores, shuffled, weight=weight) == carried(scores, edges, weight=weight)


@given(_scores, _edges)
def test_without_weight_or_edges_nothing_changes(scores: dict[str, float], edges: list[NewsEdge]) -> None:
    assert carried(scores, edges, weight=0.0) == ({}, {})
    assert carried(scores, [], weight=1.0) == ({}, {})
