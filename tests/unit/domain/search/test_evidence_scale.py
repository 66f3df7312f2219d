"""What a cosine is worth by the scale of its model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.search.evidence import COSINE_IS_EVIDENCE, EvidenceScale, evidence_of_words


def test_evidence_rises_from_none_to_full_as_worked_by_hand() -> None:
    scale = EvidenceScale(0.4, 0.9)
    cosines = np.array([-0.2, 0.4, 0.5, 0.65, 0.9, 0.95])
    assert scale.evidence(cosines) == pytest.approx([0, 0, 0.2, 0.5, 1, 1])
    assert scale.placed(cosines) == pytest.approx([-1.2, 0, 0.2, 0.5, 1, 1.1])
    assert scale.placed(0.65) == pytest.approx(0.5)


def test_without_a_scale_a_cosine_is_the_evidence_to_the_last_digit() -> None:
    cosines = np.random.default_rng(1).uniform(-1, 1, 100)
    assert np.array_equal(COSINE_IS_EVIDENCE.evidence(cosines), np.clip(cosines, 0, 1))
    assert np.array_equal(COSINE_IS_EVIDENCE.placed(cosines), cosines)


def test_few_shared_words_count_less_than_their_share_as_worked_by_hand() -> None:
    # All words of the question: sure, however little they tell. Half of them at a score of 4: .5 ^ (1 + 12 / 16) =
    # .297; at 20: .5 ^ (1 + 12 / 32) = .386; far above, the share itself.
    assert evidence_of_words(np.array([2.0, 1.0]), 2.0) == pytest.approx([1.0, 0.5 ** (1 + 12 / 13)])
    assert evidence_of_words(np.array([4.0]), 8.0) == pytest.approx([0.297302], abs=1e-6)
    assert evidence_of_words(np.array([20.0]), 40.0) == pytest.approx([0.385553], abs=1e-6)
    assert evidence_of_words(np.array([4e6]), 8e6) == pytest.approx([0.5], abs=1e-5)
    assert evidence_of_words(np.array([0.0, 9.0]), 8.0) == pytest.approx([0.0, 1.0])


@given(st.floats(0.1, 1000), st.lists(st.floats(0, 1), min_size=2, max_size=9))
def test_more_words_never_count_less(most: float, shares: list[float]) -> None:
    evidence = evidence_of_words(np.array(sorted(shares)) * most, most)
    assert (np.diff(evidence) >= 0).all()
    assert (evidence <= np.array(sorted(shares)) + 1e-12).all()
