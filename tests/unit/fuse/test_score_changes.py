from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.search.ranking import FusedDrawer
from graphpalace.fuse.score_changes import changes_to_follow, with_changes

NAMES = "abcde"


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
    assert changes_to_follow({"a": "b", "b": "a"}, {}, [_order(a=0.9, b=0.1)])


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
