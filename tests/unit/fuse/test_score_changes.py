from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.search.answer import FusedDrawer
from graphpalace.fuse.score_changes import change_by_importance, change_by_pointing, changes_to_follow, with_changes

NAMES = "abcde"
_shares = st.floats(0, 1)


def _order(**scores: float) -> list[FusedDrawer]:
    return [FusedDrawer(name, score, {}) for name, score in scores.items()]


def _names(order: list[FusedDrawer], changes: dict[str, float]) -> str:
    return "".join(hit.id for hit in with_changes(order, changes))


def test_a_drawer_with_a_far_better_score_falls_just_below_the_one_that_took_its_place() -> None:
    order = _order(a=0.9, b=0.4, c=0.3)
    changes = changes_to_follow({"a": "b"}, {"a": -0.1}, [order])
    assert changes == {"a": pytest.approx(-0.5, abs=1e-5)}
    assert _names(order, changes) == "bac"


def test_a_drawer_that_is_below_already_changes_by_the_penalty_alone() -> None:
    assert changes_to_follow({"a": "b"}, {"a": -0.1}, [_order(a=0.45, b=0.4)]) == {"a": -0.1}


def test_a_drawer_that_is_far_below_does_not_rise() -> None:
    assert changes_to_follow({"a": "b"}, {}, [_order(a=0.1, b=0.4)]) == {"a": 0.0}


def test_with_equal_scores_the_id_does_not_put_the_replaced_drawer_first() -> None:
    order = _order(a=0.4, b=0.4)
    assert _names(order, changes_to_follow({"a": "b"}, {}, [order])) == "ba"


def test_in_a_row_of_replacements_the_latest_comes_first_though_one_of_them_was_not_found() -> None:
    order = _order(a=0.9, b=0.8, c=0.1)
    assert _names(order, changes_to_follow({"a": "b", "b": "c"}, {}, [order])) == "cba"
    assert _names(order[::2], changes_to_follow({"a": "b", "b": "c"}, {}, [order[::2]])) == "ca"


def test_a_drawer_whose_replacement_was_not_found_changes_by_the_penalty_alone() -> None:
    assert changes_to_follow({"a": "z"}, {"a": -0.1}, [_order(a=0.9, b=0.1)]) == {"a": -0.1}


def test_a_circle_ends() -> None:
    # a falls below b, which then has next to nothing to fall to be below a.
    changes = changes_to_follow({"a": "b", "b": "a"}, {}, [_order(a=0.9, b=0.1)])
    assert changes == {"a": pytest.approx(-0.8, abs=1e-5), "b": pytest.approx(0.0, abs=1e-5)}


@given(
    scores=st.tuples(*[st.dictionaries(st.sampled_from(NAMES), st.floats(-1, 2))] * 2),
    successors=st.dictionaries(st.sampled_from(NAMES), st.sampled_from(NAMES)),
    changes=st.dictionaries(st.sampled_from(NAMES), st.floats(-0.5, 0)),
)
def test_no_drawer_is_above_one_that_took_its_place_in_any_order_and_none_rises(
    scores: tuple[dict[str, float], ...], successors: dict[str, str], changes: dict[str, float]
) -> None:
    successors = {old: new for old, new in successors.items() if old < new}  # no circle
    orders = [_order(**known) for known in scores]
    found = changes_to_follow(successors, changes, orders)
    assert all(change <= changes.get(drawer, 0.0) for drawer, change in found.items())
    assert found.keys() - changes.keys() <= successors.keys()
    for order in orders:
        names = _names(order, found)
        for old, new in successors.items():
            assert not {old, new} <= set(names) or names.index(new) < names.index(old)


@pytest.mark.parametrize(("importance", "change"), [(0, -0.1), (0.25, -0.05), (0.5, 0), (0.9, 0.08), (1, 0.1)])
def test_an_importance_changes_a_score_by_its_distance_from_a_half(importance: float, change: float) -> None:
    assert change_by_importance(importance, weight=0.1) == pytest.approx(change)


def test_a_half_changes_nothing_at_all() -> None:
    assert change_by_importance(0.5, weight=0.3) == 0.0


def test_drawers_are_ordered_by_what_their_importance_makes_of_their_scores() -> None:
    fused = [
        FusedDrawer("a", 0.7, {}),
        FusedDrawer("b", 0.65, {}),
        FusedDrawer("c", 0.6, {}),
        FusedDrawer("d", 0.3, {}),
    ]
    said = {"a": -0.1, "c": 0.05, "d": 0.1}
    found = [(hit.id, pytest.approx(hit.score)) for hit in with_changes(fused, said)]
    assert found == [("b", 0.65), ("c", 0.65), ("a", 0.6), ("d", 0.4)]


@given(st.dictionaries(st.text(min_size=1), st.tuples(_shares, _shares), max_size=20), st.floats(0, 0.5))
def test_no_score_is_moved_by_more_than_the_weight_and_no_great_lead_is_lost(
    drawers: dict[str, tuple[float, float]], weight: float
) -> None:
    fused = sorted(
        (FusedDrawer(drawer, score, {}) for drawer, (score, _) in drawers.items()), key=lambda hit: -hit.score
    )
    said = {
        drawer: change_by_importance(value, weight=weight) for drawer, (_, value) in drawers.items() if value != 0.5
    }
    found = with_changes(fused, said)
    assert {hit.id for hit in found} == drawers.keys()
    assert all(abs(hit.score - drawers[hit.id][0]) <= weight + 1e-12 for hit in found)
    place = {hit.id: at for at, hit in enumerate(found)}
    for better in fused:
        for worse in fused:
            if better.score - worse.score > 2 * weight + 1e-12:
                assert place[better.id] < place[worse.id]


@pytest.mark.parametrize(("share", "change"), [(0.5, 0.0), (0.75, -0.05), (1.0, -0.1)])
def test_the_more_words_are_links_the_lower_down_to_the_penalty(share: float, change: float) -> None:
    assert change_by_pointing(share, penalty=0.1) == pytest.approx(change)
