"""The bridge over names, with numbers worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.knowledge.entity import normalised_name
from graphpalace.entities.name_index import Mentions, NameIndex, Spellings, bridge_scores, bridged, name_weights


def index_of(*drawers: dict[str, bool], success: dict[tuple[int, str], float] | None = None) -> NameIndex:
    """Return the index of drawers, each given by its names and whether they are its title."""
    names = sorted({name for drawer in drawers for name in drawer})
    rows = sorted((names.index(name), at, title) for at, drawer in enumerate(drawers) for name, title in drawer.items())
    spellings = Spellings()
    for at, name in enumerate(names):
        spellings.add(f"entity-{name}", at, normalised_name(name), [])
    return NameIndex(
        drawers=[f"drawer-{at}" for at in range(len(drawers))],
        names=[f"entity-{name}" for name in names],
        shown=names,
        row_of={f"drawer-{at}": at for at in range(len(drawers))},
        spellings=spellings,
        mentions=Mentions(
            np.array([drawer for _, drawer, _ in rows], np.int32),
            np.array([name for name, _, _ in rows], np.int32),
            np.array([title for *_, title in rows], np.bool_),
            np.array([(success or {}).get((drawer, names[name]), 0.0) for name, drawer, _ in rows], np.float32),
        ),
    )


FILM, LIFE, OTHER = {"Hugo": True, "Ann Lee": False}, {"Ann Lee": True, "Oslo": False}, {"Oslo": False}


def test_a_drawer_is_reached_by_the_name_that_the_best_drawer_has_too() -> None:
    index = index_of(FILM, LIFE, OTHER)
    weights = name_weights(index, {0: 0.8}, asked=[1])
    assert weights.weight == {0: 1.0, 1: 0.3}  # Ann Lee, and Hugo, which the question has
    found = bridged(index, weights, [0], drawers=10)
    # Ann Lee is in two of ten drawers and is the title: 5 ln(1 + 10 / 2) / sqrt(2 + 3).
    assert found.rows.tolist() == [1]
    assert found.strength[0] == pytest.approx(5 * math.log(6) / math.sqrt(5))
    assert index.shown[found.name[0]] == "Ann Lee"
    assert weights.lead[int(found.name[0])] == 0


def test_names_of_weaker_drawers_count_by_the_sixth_power_of_their_share_of_the_best_score() -> None:
    index = index_of({"Hugo": False}, {"Hugo": False, "Oslo": False}, OTHER)
    weights = name_weights(index, {0: 0.8, 1: 0.4}, asked=[0])
    assert weights.weight == {0: 0.3, 1: 0.5**6}
    found = bridged(index, weights, [0, 1], drawers=10)
    assert found.strength.tolist() == [pytest.approx(0.5**6 * math.log(6) / math.sqrt(4))]


def test_a_drawer_without_a_name_of_the_question_does_not_lead_on() -> None:
    index = index_of({"Hugo": False}, {"Oslo": False}, OTHER)
    assert name_weights(index, {0: 0.4, 1: 0.8}, asked=[0]).weight == {0: 0.3}
    assert name_weights(index, {0: 0.4, 1: 0.8}, asked=[]).weight == {}


def test_a_name_of_the_question_weighs_a_little_even_if_the_best_drawer_has_it() -> None:
    index = index_of(FILM, LIFE, OTHER)
    weights = name_weights(index, {0: 0.8}, asked=[0, 2])  # Ann Lee and Oslo
    assert weights.weight == {0: 0.3, 2: 0.3, 1: 1.0}
    assert weights.lead == {0: 0, 1: 0}  # Oslo is in the question alone
    found = bridged(index, weights, [0], drawers=10)
    both = 0.3 * math.log(6)
    assert found.strength.tolist() == [
        pytest.approx((5 * both + both) / math.sqrt(5)),
        pytest.approx(both / math.sqrt(4)),
    ]


def test_a_common_name_leads_nowhere() -> None:
    index = index_of(*([{"Oslo": False}] * 6), *([{"Bergen": False}] * 5))
    bergen, oslo = 0, 1
    assert len(bridged(index, name_weights(index, {0: 1.0}, [oslo]), [0], drawers=600).rows) == 0
    assert len(bridged(index, name_weights(index, {6: 1.0}, [bergen]), [6], drawers=11).rows) == 4


def test_all_drawers_of_a_document_with_the_name_as_title_count_as_one() -> None:
    index = index_of({"Hugo": False, "Ann Lee": False}, *([{"Ann Lee": True}] * 9))
    found = bridged(index, name_weights(index, {0: 1.0}, [1]), [0], drawers=10)
    assert found.rows.tolist() == list(range(1, 10))
    assert found.strength == pytest.approx(5 * math.log(1 + 10 / 2) / math.sqrt(4))


def test_a_mention_that_led_to_useful_drawers_counts_more_up_to_a_bound() -> None:
    def strength(success: float) -> float:
        index = index_of({"Hugo": False, "Oslo": False}, OTHER, success={(1, "Oslo"): success})
        names = name_weights(index, {0: 1.0}, [0])
        return float(bridged(index, names, [0], drawers=10, trail_weight=0.5).strength[0])

    assert strength(0.4) == pytest.approx(1.2 * strength(0.0))
    assert strength(1.0) == strength(5.0) == pytest.approx(1.5 * strength(0.0))


def test_closeness_to_the_question_multiplies_and_is_never_negative() -> None:
    assert bridge_scores(np.array([2.0, 2.0]), np.array([0.45, -0.3])).tolist() == [
        pytest.approx(1.0),
        pytest.approx(0.1),
    ]


def test_nothing_is_found_without_names() -> None:
    index = index_of({"Hugo": False}, OTHER)
    assert len(bridged(index, name_weights(index, {}, []), [], drawers=2).rows) == 0


@given(
    st.lists(st.dictionaries(st.sampled_from("abcdef"), st.booleans(), min_size=1), min_size=1, max_size=12),
    st.data(),
)
def test_leads_are_never_found_and_every_drawer_found_shares_the_name_that_is_told(
    drawers: list[dict[str, bool]], data: st.DataObject
) -> None:
    index = index_of(*drawers)
    leads = data.draw(st.dictionaries(st.integers(0, len(drawers) - 1), st.floats(0.01, 1.0), max_size=3))
    asked = data.draw(st.sets(st.integers(0, len(index.names) - 1), max_size=2))
    weights = name_weights(index, leads, asked)
    assert all(0 < weight <= 1 for weight in weights.weight.values())
    found = bridged(index, weights, leads, drawers=1000)
    assert not set(found.rows.tolist()) & set(leads)
    assert (found.strength > 0).all()
    for row, name in zip(found.rows.tolist(), found.name.tolist(), strict=True):
        assert index.shown[name] in drawers[row]
        assert name in asked or any(index.shown[name] in drawers[lead] for lead in leads)


def test_mentions_that_are_not_sorted_by_name_are_refused() -> None:
    with pytest.raises(ValueError, match="sorted by name"):
        NameIndex(
            drawers=["d"],
            names=["a", "b"],
            shown=["a", "b"],
            row_of={"d": 0},
            spellings=Spellings(),
            mentions=Mentions(
                np.zeros(2, np.int32), np.array([1, 0], np.int32), np.zeros(2, bool), np.zeros(2, np.float32)
            ),
        )
