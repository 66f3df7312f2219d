"""What a cosine is worth by the scale of its model."""

from __future__ import annotations

import numpy as np
import pytest

from graphpalace.domain.search.evidence_scale import COSINE_IS_EVIDENCE, EvidenceScale


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
