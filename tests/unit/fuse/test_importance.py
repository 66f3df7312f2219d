from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.search.ranking import FusedDrawer
from graphpalace.fuse.importance import change_by_importance
from graphpalace.fuse.score_changes import with_changes

_shares = st.floats(0, 1)


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
