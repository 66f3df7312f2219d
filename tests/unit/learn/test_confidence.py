"""What feedback says of the confidence of hits and answers."""

from __future__ import annotations

import numpy as np
import pytest

from graphpalace.domain.learning.lesson import Candidates, Lesson
from graphpalace.domain.search.calibration import Calibration
from graphpalace.learn.confidence import JudgedCases, calibrated, judged_answers, judged_hits

EAST = np.array([1.0, 0.0], np.float32)


def lesson(
    name: str, *, useful: dict[str, float], useless: dict[str, float], odds: list[float], answer: float | None
) -> Lesson:
    ids = tuple(f"d{at}" for at in range(4))
    candidates = Candidates(ids, np.zeros(4, np.float32), len(odds), np.array(odds, np.float32), answer)
    return Lesson(name, name, "", EAST, useful, useless, candidates)


def cases(odds: list[float], fits: list[int]) -> JudgedCases:
    size = len(odds)
    return JudgedCases(np.array(odds), np.array(fits, float), np.ones(size), [f"a{at}" for at in range(size)])


def test_hits_above_the_last_useful_one_were_seen_and_those_below_were_not() -> None:
    found = judged_hits([lesson("q", useful={"d1": 1.0}, useless={}, odds=[2.0, 1.0, 0.5], answer=1.0)])
    assert (found.log_odds.tolist(), found.fits.tolist()) == ([2.0, 1.0], [0.0, 1.0])


def test_a_useless_hit_counts_wherever_it_stands() -> None:
    found = judged_hits([lesson("q", useful={"d0": 1.0}, useless={"d2": 1.0}, odds=[2.0, 1.0, 0.5], answer=1.0)])
    assert (found.log_odds.tolist(), found.fits.tolist()) == ([2.0, 0.5], [1.0, 0.0])


def test_an_answer_fits_if_a_hit_was_useful_and_not_if_all_judged_ones_were_useless() -> None:
    found = judged_answers(
        [
            lesson("good", useful={"d0": 1.0}, useless={"d1": 1.0}, odds=[1.0, 0.0], answer=1.5),
            lesson("bad", useful={}, useless={"d0": 1.0}, odds=[1.0, 0.0], answer=-0.5),
            lesson("old", useful={"d0": 1.0}, useless={}, odds=[], answer=None),
        ]
    )
    assert (found.log_odds.tolist(), found.fits.tolist()) == ([1.5, -0.5], [1.0, 0.0])
    assert found.fewest == 1


def test_too_few_cases_of_one_kind_calibrate_nothing() -> None:
    assert calibrated(cases([3.0] * 40, [1] * 40), least=10, caution=0.0) is None
    assert calibrated(cases([3.0] * 40, [1] * 31 + [0] * 9), least=10, caution=0.0) is None


def test_answers_that_are_surer_than_they_are_right_are_shifted_down() -> None:
    """All have odds of e, 2.7 to 1, but a quarter is right: the best shift is log(1/3) - 1 = -2.1, and -2 the limit."""
    trial = calibrated(cases([1.0] * 80, [1, 0, 0, 0] * 20), least=10, caution=2.0)
    assert trial is not None
    assert trial.kept
    assert trial.calibration.probability(np.array(1.0)) == pytest.approx(0.25, abs=0.03)
    # Before: -(log(.731) / 4 + 3 log(.269) / 4) = 1.063; at best: -(log(.25) / 4 + 3 log(.75) / 4) = 0.562.
    assert trial.gain == pytest.approx(1.063 - 0.562, abs=0.01)


def test_answers_that_are_as_sure_as_they_are_right_stay_as_they_are() -> None:
    odds = [float(np.log(3)), float(-np.log(3))] * 40
    fits = [1, 0, 1, 0, 1, 0, 0, 1] * 10  # three of four at odds of 3, one of four at odds of 1/3
    trial = calibrated(cases(odds, fits), least=10, caution=2.0)
    assert trial is not None
    assert not trial.kept
    assert trial.calibration == Calibration()


def test_a_calibration_stays_within_its_bounds() -> None:
    trial = calibrated(cases([6.0] * 80, [0, 0, 0, 0, 0, 0, 0, 1] * 10), least=10, caution=0.0)
    assert trial is not None
    assert 0.5 <= trial.calibration.scale <= 2
    assert -2 <= trial.calibration.shift <= 2
