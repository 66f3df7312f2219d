from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.search.gate_rule import GateRule
from graphpalace.errors import InvalidInput
from graphpalace.rerank.gate import candidate_count, decide, uncertainty

COSINES = st.lists(st.floats(-1, 1), min_size=1, max_size=50)
TEMPERATURES = st.floats(min_value=0, max_value=1e6, exclude_min=True)


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
    assert [reason.code for reason in clear.reasons] == ["certain"]
    assert "below 0.7: up to 101" in clear.reasons[0].message
    assert [reason.code for reason in unclear.reasons] == ["uncertain"]


def test_off_keeps_all_and_auto_keeps_all_of_a_few() -> None:
    off = decide(one_clear_match(999), GateRule(mode="off"))
    assert (off.use_gating, off.candidate_count, off.effective_candidate_count) == (False, 1000, 1000)
    assert codes(np.zeros(1000), GateRule(mode="off")) == ["mode_off"]
    few = decide(np.zeros(50), GateRule())
    assert (few.use_gating, few.effective_candidate_count) == (False, 50)
    assert codes(np.zeros(50), GateRule()) == ["uncertain", "few_candidates"]


def test_on_drops_what_is_below_the_threshold_but_never_below_the_fewest() -> None:
    similarities = np.array([0.9, 0.8, 0.75, 0.5, 0.4, 0.1])
    rule = GateRule(mode="on", threshold=0.7, min_candidates=2, max_candidates=6)
    decision = decide(similarities, rule)
    assert decision.effective_candidate_count == min(3, decision.candidate_count)
    assert "below_threshold" in codes(similarities, rule)
    strict = GateRule(mode="on", threshold=0.95, min_candidates=2, max_candidates=6)
    assert decide(similarities, strict).effective_candidate_count == 2
    loose = GateRule(mode="on", threshold=0.0, min_candidates=6, max_candidates=6)
    assert codes(similarities, loose) == ["uncertain", "few_candidates"]


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
