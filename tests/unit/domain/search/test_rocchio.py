from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.search.pseudo_feedback import Rocchio

EAST, NORTH = np.eye(2, dtype=np.float32)


def test_a_question_moves_by_the_mean_of_what_was_found_as_worked_by_hand() -> None:
    # (1, 0) + .5 * mean of (0, 1) and (1, 0) = (1.25, .25), of length 1.27475
    moved = Rocchio(drawers=2, weight=0.5).moved(EAST, np.stack([NORTH, EAST]))
    assert moved == pytest.approx([0.980581, 0.196116], abs=1e-6)


def test_without_weight_the_question_stays() -> None:
    assert Rocchio(drawers=2, weight=0.0).moved(EAST, NORTH[None]).tolist() == EAST.tolist()


def test_it_is_of_the_form_that_questions_have() -> None:
    moved = Rocchio(drawers=2, weight=0.3).moved(EAST, NORTH[None])
    assert (moved.shape, moved.dtype) == ((2,), np.float32)


_angles = st.floats(0, np.pi / 2)


@given(st.lists(_angles, min_size=1, max_size=5), st.floats(0, 10))
def test_the_question_comes_nearer_to_the_mean_and_keeps_its_length(angles: list[float], weight: float) -> None:
    found = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    moved = Rocchio(drawers=2, weight=weight).moved(EAST, found)
    assert np.linalg.norm(moved) == pytest.approx(1, abs=1e-5)
    mean = found.mean(axis=0)
    assert moved @ mean >= EAST @ mean - 1e-5
