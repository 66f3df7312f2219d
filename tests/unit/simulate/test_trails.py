from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.simulate.swarms import KINDS, array, pairs_of, trails_of

from graphpalace.arrays import Array
from graphpalace.simulate.swarm import deposit_amounts

_DOCUMENTS = 6
_Deposit = tuple[tuple[int, int], float]
_pairs = st.tuples(st.integers(0, _DOCUMENTS - 1), st.integers(0, _DOCUMENTS - 1)).filter(
    lambda pair: pair[0] != pair[1]
)
_deposits = st.lists(st.tuples(_pairs, st.floats(0.015625, 8, width=32)), min_size=1, max_size=60)


def _laid(deposits: list[_Deposit], *, kind: str = "numpy") -> tuple[Array, Array, Array]:
    pairs = array([pair for pair, _ in deposits], kind)
    return pairs[:, 0], pairs[:, 1], array([amount for _, amount in deposits], kind)


@given(_deposits, st.floats(0.015625, 8, width=32))
def test_no_trail_is_stronger_than_the_ceiling_and_weaker_ones_stay_as_they_are(
    deposits: list[_Deposit], ceiling: float
) -> None:
    trails = trails_of(_DOCUMENTS, {}).with_deposits(*_laid(deposits))
    assert pairs_of(trails.capped(ceiling)) == {
        pair: min(strength, ceiling) for pair, strength in pairs_of(trails).items()
    }


def test_an_agent_adds_a_tenth_of_its_energy_times_its_trail_strength() -> None:
    found = deposit_amounts(array([1.0, 2.0, 3.0]), array([1.0, 0.5, 2.0]))
    assert found.tolist() == pytest.approx([0.1, 0.1, 0.6])


def test_both_directions_of_a_pair_are_one_trail() -> None:
    trails = trails_of(3, {(2, 0): 0.1, (0, 2): 0.1, (1, 2): 0.1})
    assert pairs_of(trails) == {(0, 2): pytest.approx(0.2), (1, 2): pytest.approx(0.1)}
    assert len(trails) == 2


def test_no_deposit_changes_nothing() -> None:
    trails = trails_of(3, {(0, 1): 0.4})
    nothing = np.empty(0, np.int64)
    assert pairs_of(trails.with_deposits(nothing, nothing, array(np.empty(0)))) == pairs_of(trails)


def test_a_trail_fades_by_its_share_and_is_deleted_under_a_hundredth() -> None:
    trails = trails_of(4, {(0, 1): 0.2, (0, 2): 0.0104, (0, 3): 0.0106})
    left = pairs_of(trails.decayed(0.95))
    assert left == {(0, 1): pytest.approx(0.19), (0, 3): pytest.approx(0.01007)}  # .00988 of the other would be left


def test_a_trail_of_exactly_a_hundredth_stays() -> None:
    assert pairs_of(trails_of(2, {(0, 1): 0.02}).decayed(0.5)) == {(0, 1): pytest.approx(0.01)}


@pytest.mark.parametrize("kind", KINDS)
def test_the_strongest_trail_is_found_from_either_end_and_ties_go_to_the_lower_document(kind: str) -> None:
    trails = trails_of(4, {(0, 1): 0.3, (0, 2): 0.5, (1, 2): 0.5}, kind=kind)
    ends, strength = trails.strongest(array([0, 1, 2, 3, 0], kind))
    assert ends.tolist() == [2, 2, 0, 3, 2]
    assert strength.tolist() == pytest.approx([0.5, 0.5, 0.5, 0.0, 0.5])


@pytest.mark.parametrize("kind", KINDS)
def test_without_trails_each_document_leads_to_itself(kind: str) -> None:
    ends, strength = trails_of(3, {}, kind=kind).strongest(array([2, 0], kind))
    assert ends.tolist() == [2, 0]
    assert strength.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None)
@given(deposits=_deposits, random=st.randoms(use_true_random=False))
def test_the_order_of_deposits_makes_no_difference_to_the_last_bit(
    kind: str, deposits: list[_Deposit], random: Random
) -> None:
    start = trails_of(_DOCUMENTS, {(0, 1): 0.7, (2, 5): 1 / 3}, kind=kind)
    other = [((two, one) if random.random() < 0.5 else (one, two), amount) for (one, two), amount in deposits]
    random.shuffle(other)
    one, two = (start.with_deposits(*_laid(order, kind=kind)) for order in (deposits, other))
    assert pairs_of(one) == pairs_of(two)


@given(_deposits, st.floats(0.5, 0.999))
def test_trails_are_ascending_each_once_of_two_documents_and_at_least_a_hundredth(
    deposits: list[_Deposit], share: float
) -> None:
    trails = trails_of(_DOCUMENTS, {}).with_deposits(*_laid(deposits)).decayed(share)
    keys = trails.keys.tolist()
    assert keys == sorted(set(keys))
    lower, higher = trails.ends
    assert (lower < higher).all()
    assert (trails.strength >= 0.01).all()
    for (one, other), strength in pairs_of(trails).items():
        for end in (one, other):
            assert float(trails.strongest(array([end]))[1][0]) >= strength  # seen from both ends
