from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.rerank import GateReason, GateRule, RerankWeights
from graphpalace.domain.search.answer import RerankSignals
from graphpalace.domain.vectors import unit_rows
from graphpalace.errors import InvalidInput
from graphpalace.rerank.ordering import OrderRule, candidate_count, decide, ordered, uncertainty
from graphpalace.rerank.signals import Components, linear_fusion

PLAIN = OrderRule(top_k=4, mmr_lambda=1, epsilon=0, gate=GateRule(mode="off"))
COSINES = st.lists(st.floats(-1, 1), min_size=1, max_size=50)
TEMPERATURES = st.floats(min_value=0, max_value=1e6, exclude_min=True)


def columns(dense: list[float], narrative: list[float], pheromone: list[float]) -> Components:
    return Components(np.array(dense), np.array(narrative), np.array(pheromone))


def test_the_score_is_the_weighted_sum_of_the_three_signals() -> None:
    found = linear_fusion(columns([0.8, -0.5], [0.5, 0], [0.2, 1]), RerankWeights())
    assert found == pytest.approx([0.8 + 0.3 + 0.06, -0.5 + 0.3])
    assert linear_fusion(columns([1], [1], [1]), RerankWeights(dense=2, narrative=3, pheromone=4)) == pytest.approx([9])


def test_what_was_learned_can_overtake_what_is_a_little_closer() -> None:
    signals = columns([0.50, 0.45, 0.1], [0, 0.2, 0], [0, 0, 0.9])
    found = ordered(np.eye(3, dtype=np.float32), signals, PLAIN, random=None)
    assert [place.row for place in found.places] == [1, 0, 2]
    first = found.places[0]
    assert first.score == pytest.approx(0.45 + 0.6 * 0.2)
    assert first.components == RerankSignals(*map(pytest.approx, (0.45, 0.2, 0)))


def test_equal_scores_go_by_row() -> None:
    found = ordered(np.eye(3, dtype=np.float32), columns([0.5] * 3, [0] * 3, [0] * 3), PLAIN, random=None)
    assert [place.row for place in found.places] == [0, 1, 2]


def test_the_gate_lets_the_closest_pass() -> None:
    rule = OrderRule(top_k=9, mmr_lambda=1, gate=GateRule(min_candidates=2, max_candidates=2))
    signals = columns([0.1, 0.9, 0.2, 0.8], [1, 0, 0, 0.1], [0, 0, 0, 0.4])
    found = ordered(np.eye(4, dtype=np.float32), signals, rule, random=None)
    assert [place.row for place in found.places] == [3, 1]  # .8 + .6 x .1 + .3 x .4 = .98, and .9
    assert found.places[0].components == RerankSignals(0.8, 0.1, 0.4)
    assert (found.gate.total_candidates, found.gate.effective_candidate_count) == (4, 2)


def test_of_equals_at_the_gate_the_first_rows_pass() -> None:
    rule = OrderRule(top_k=10, mmr_lambda=1, epsilon=0, gate=GateRule(min_candidates=10, max_candidates=10))
    found = ordered(np.eye(40, dtype=np.float32), columns([0.5, 0.9] * 20, [0] * 40, [0] * 40), rule, random=None)
    assert [place.row for place in found.places] == list(range(1, 20, 2))


def test_ten_rows_are_chosen_unless_the_rule_says_otherwise() -> None:
    found = ordered(np.eye(12, dtype=np.float32), columns([0.5] * 12, [0] * 12, [0] * 12), OrderRule(), random=None)
    assert len(found.places) == 10


def test_a_promotion_names_the_row_as_it_was_given_and_leaves_the_score() -> None:
    rule = OrderRule(top_k=2, mmr_lambda=1, epsilon=1, gate=GateRule(min_candidates=3, max_candidates=3))
    signals = columns([0.1, 0.9, 0.7, 0.8], [0] * 4, [0] * 4)
    for seed in range(20):
        found = ordered(np.eye(4, dtype=np.float32), signals, rule, random=np.random.default_rng(seed))
        (moved,) = found.promoted
        assert (moved.row, moved.from_rank, moved.to_rank) in {(3, 2, 1), (2, 3, 2)}
        assert {place.row: place.score for place in found.places}.items() <= {1: 0.9, 3: 0.8, 2: 0.7}.items()


def test_nothing_in_gives_nothing_out() -> None:
    found = ordered(np.empty((0, 3), np.float32), columns([], [], []), PLAIN, random=None)
    assert (found.places, found.gate.total_candidates) == ([], 0)


@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.floats(-5, 5))
def test_there_is_an_answer_of_numbers_for_all_that_is_given(seed: int, count: int, share: float) -> None:
    random = np.random.default_rng(seed)
    signals = Components(random.uniform(-1, 1, count), random.random(count), random.random(count))
    vectors = unit_rows(random.standard_normal((count, 4)).astype(np.float32))
    rule = OrderRule(top_k=10, mmr_lambda=share, epsilon=0.5, gate=GateRule(min_candidates=3, max_candidates=12))
    found = ordered(vectors, signals, rule, random=random)
    assert len(found.places) == min(10, found.gate.effective_candidate_count)
    assert np.isfinite([place.score for place in found.places]).all()


def one_clear_match(others: int = 127) -> np.ndarray:
    return np.array([1.0] + [0.0] * others)


def codes(similarities: np.ndarray, rule: GateRule) -> list[str]:
    return [reason.code for reason in decide(similarities, rule).reasons]


def test_one_clear_match_among_zeros_is_certain_and_a_flat_list_is_not() -> None:
    assert uncertainty(one_clear_match()) < 0.001
    assert uncertainty(np.zeros(128)) == pytest.approx(1)
    assert uncertainty(np.full(128, 0.7)) == pytest.approx(1)
    assert uncertainty(np.array([0.4])) == 0


def test_uncertainty_is_the_entropy_of_the_softmax_as_a_share_of_the_greatest() -> None:
    # 1 / (.05 T) = ln 3, so the shares are 3/4 and 1/4; their entropy is .562335 nats of ln 2 = .693147
    assert uncertainty(np.array([1.0, 0.0]), temperature=20 / math.log(3)) == pytest.approx(0.811278, abs=1e-6)


def test_the_count_follows_the_logistic_of_the_seed() -> None:
    rule = GateRule()
    assert candidate_count(0.7, rule) == 250  # half-way between 100 and 400
    assert candidate_count(0.0, rule) == 101  # 100 + 300 / (1 + e^5.6)
    assert candidate_count(1.0, rule) == 375  # 100 + 300 / (1 + e^-2.4)


def test_a_clear_question_keeps_fewer_candidates_than_an_unclear_one() -> None:
    clear, unclear = decide(one_clear_match(999), GateRule()), decide(np.zeros(1000), GateRule())
    assert (clear.effective_candidate_count, unclear.effective_candidate_count) == (101, 375)
    assert clear.use_gating
    assert clear.reasons == (GateReason("certain", "uncertainty 0.0000 is below 0.7: up to 101 candidates are kept"),)
    assert unclear.reasons == (
        GateReason("uncertain", "uncertainty 1.0000 is not below 0.7: up to 375 candidates are kept"),
    )


def test_off_keeps_all_and_auto_keeps_all_of_a_few() -> None:
    off = decide(one_clear_match(999), GateRule(mode="off"))
    assert (off.use_gating, off.candidate_count, off.effective_candidate_count) == (False, 1000, 1000)
    assert off.reasons == (GateReason("mode_off", "gating is off, so all 1000 candidates are kept"),)
    few = decide(np.zeros(50), GateRule())
    assert (few.use_gating, few.effective_candidate_count) == (False, 50)
    assert codes(np.zeros(50), GateRule()) == ["uncertain", "few_candidates"]
    assert few.reasons[1].message == "there are only 50 candidates"


def test_on_drops_what_is_below_the_threshold_but_never_below_the_fewest() -> None:
    similarities = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0])
    hot = GateRule(mode="on", threshold=0.7, min_candidates=2, max_candidates=8, entropy_temp=1e6)  # uncertainty 1
    decision = decide(similarities, hot)
    # 2 + 6 / (1 + e^-2.4) = 7.501 would be kept, but only three are not below .7
    assert (decision.candidate_count, decision.effective_candidate_count) == (8, 3)
    assert codes(similarities, hot) == ["uncertain", "below_threshold"]
    assert decision.reasons[1].message == "7 candidates are below 0.7; at least 2 are kept"
    strict = replace(hot, threshold=0.95)
    assert decide(similarities, strict).effective_candidate_count == 2


@given(COSINES, TEMPERATURES)
def test_any_temperature_in_range_gives_a_number(similarities: list[float], temperature: float) -> None:
    assert 0 <= uncertainty(np.array(similarities), temperature=temperature) <= 1


@given(st.floats(0.01, 100), st.floats(0.01, 100))
def test_a_higher_temperature_is_never_surer(one: float, other: float) -> None:
    cooler, warmer = sorted((one, other))
    similarities = np.array([0.9, 0.5, 0.2, 0.1])
    found = uncertainty(similarities, temperature=cooler), uncertainty(similarities, temperature=warmer)
    assert found[0] <= found[1] + 1e-9


@given(COSINES, st.randoms())
def test_the_order_of_the_candidates_does_not_matter(similarities: list[float], random) -> None:
    shuffled = random.sample(similarities, len(similarities))
    assert uncertainty(np.array(shuffled)) == pytest.approx(uncertainty(np.array(similarities)), abs=1e-9)


@pytest.mark.parametrize(
    ("given_rule", "message"),
    [
        ({"mode": "maybe"}, "gating_mode is 'maybe'; it must be off, auto or on"),
        ({"threshold": 1.1}, "gating_threshold is 1.1; it must be 0 to 1"),
        ({"threshold": math.nan}, "gating_threshold is nan"),
        ({"entropy_temp": 0.0}, "gating_entropy_temp is 0.0; it must be more than 0 and at most 1e"),
        ({"entropy_temp": math.inf}, "gating_entropy_temp is inf"),
        ({"entropy_temp": math.nan}, "gating_entropy_temp is nan"),
        ({"min_candidates": 0}, "gating_min_candidates is 0; it must be 1 to 1,000,000"),
        ({"min_candidates": 5, "max_candidates": 4}, "gating_max_candidates is 4; it must be from min_candidates, 5"),
        ({"max_candidates": 10**400}, "gating_max_candidates is 1000"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(given_rule: dict, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        GateRule(**given_rule)


def test_an_uncertainty_of_the_threshold_itself_is_not_below_it() -> None:
    assert codes(np.zeros(1000), GateRule(threshold=1.0)) == ["uncertain"]


def test_the_temperature_of_the_rule_decides_how_uncertain_the_candidates_are() -> None:
    rule = GateRule(entropy_temp=20 / math.log(3), threshold=0.5)
    assert decide(np.array([1.0, 0.0]), rule).uncertainty == pytest.approx(0.811278, abs=1e-6)


def test_on_gates_even_if_it_drops_nothing() -> None:
    rule = GateRule(mode="on", threshold=0.0, min_candidates=3, max_candidates=3)
    decision = decide(np.array([0.9, 0.5, 0.0]), rule)
    assert (decision.use_gating, decision.effective_candidate_count) == (True, 3)
    assert [reason.code for reason in decision.reasons] == ["uncertain", "few_candidates"]


def test_the_coldest_temperature_is_surest_without_a_warning() -> None:
    with np.errstate(over="raise", invalid="raise"):
        assert uncertainty(np.array([1.0, 0.5, 0.0]), temperature=5e-324) == 0


def test_rounding_makes_nothing_more_than_uncertain() -> None:
    # Without a limit, the entropy of these shares comes out one bit above the logarithm of their number.
    assert uncertainty(np.array([0.1, 0.1, 0.1, 0.0, 0.1, 0.1]), temperature=1e8) == 1
