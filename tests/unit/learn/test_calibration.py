"""What feedback says of the confidence of hits and answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from graphpalace.domain.learning.feedback import Candidates, Lesson
from graphpalace.domain.search.evidence import Calibration
from graphpalace.learn.calibration import SCALES, SHIFTS, JudgedCases, calibrated, judged_answers, judged_hits

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
    for fits in ([1] * 31 + [0] * 9, [1] * 9 + [0] * 31):
        assert calibrated(cases([3.0] * 40, fits), least=10, caution=0.0) is None
        assert calibrated(cases([3.0] * 40, fits), least=9, caution=0.0) is not None


def test_answers_that_are_surer_than_they_are_right_are_shifted_down() -> None:
    """All have odds of e, 2.7 to 1, but a quarter is right: the best shift is log(1/3) - 1 = -2.1, and -2 the limit."""
    trial = calibrated(cases([1.0] * 80, [1, 0, 0, 0] * 20), least=10, caution=2.0)
    assert trial is not None
    assert trial.kept
    assert trial.calibration.probability(np.array(1.0)) == pytest.approx(0.25, abs=0.03)
    # Before: -(log(.731) / 4 + 3 log(.269) / 4) = 1.063; at best: -(log(.25) / 4 + 3 log(.75) / 4) = 0.562.
    assert trial.gain == pytest.approx(1.063 - 0.562, abs=0.01)
    now, before = float(trial.calibration.probability(np.array(1.0))), 1 / (1 + np.exp(-1.0))
    right, wrong = np.log(now / before), np.log((1 - now) / (1 - before))  # what either answer gains
    assert trial.error == pytest.approx(np.sqrt(1 / 4 * 3 / 4 * (wrong - right) ** 2 / 80))


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


def test_what_stands_between_two_useful_hits_was_seen_too() -> None:
    found = judged_hits([lesson("q", useful={"d0": 1.0, "d2": 1.0}, useless={}, odds=[2.0, 1.0, 0.5, 0.1], answer=1.0)])
    assert (found.log_odds.tolist(), found.fits.tolist()) == ([2.0, 1.0, 0.5], [1.0, 0.0, 1.0])


def test_where_nothing_was_useful_only_what_was_called_useless_counts() -> None:
    found = judged_hits([lesson("q", useful={}, useless={"d1": 1.0}, odds=[2.0, 1.0, 0.5], answer=1.0)])
    assert (found.log_odds.tolist(), found.fits.tolist()) == ([1.0], [0.0])


def test_a_case_has_the_strength_and_the_asking_of_its_lesson() -> None:
    faded = replace(lesson("q", useful={"d1": 1.0}, useless={}, odds=[2.0, 1.0], answer=1.0), strength=0.25)
    for found in (judged_hits([faded]), judged_answers([faded])):
        assert set(found.weights.tolist()) == {0.25}
        assert set(found.askings) == {"q"}


def test_the_scales_and_shifts_that_are_tried_are_small() -> None:
    assert SCALES == (0.5, 0.7, 1.0, 1.4, 2.0)
    assert tuple(at / 4 for at in range(-8, 9)) == SHIFTS


def test_cases_of_any_strength_count_by_their_share_of_all() -> None:
    whole = cases([1.0] * 80, [1, 0, 0, 0] * 20)
    faded = JudgedCases(whole.log_odds, whole.fits, 0.25 * whole.weights, whole.askings)
    one, other = (calibrated(each, least=10, caution=2.0) for each in (whole, faded))
    assert one is not None
    assert other is not None
    assert (other.calibration, other.gain, other.error) == (
        one.calibration,
        pytest.approx(one.gain),
        pytest.approx(one.error),
    )


def test_each_asking_is_calibrated_by_what_the_others_say() -> None:
    """A fifth of the askings, which is one fold, all fit; of each other fold, a quarter does.

    Those folds are calibrated by 28 of 64, which gains .25 (.313 - .827) + .75 (1.313 - .575) = .425. The fifth is
    calibrated by a quarter, and loses 1. So the mean gain is .8 x .425 - .2.
    """
    fits = [1 if at % 5 == 4 or at // 5 % 4 == 0 else 0 for at in range(80)]
    trial = calibrated(cases([1.0] * 80, fits), least=10, caution=0.0)
    assert trial is not None
    assert trial.gain == pytest.approx(0.14, abs=0.02)


def test_a_gain_of_too_few_standard_errors_calibrates_nothing() -> None:
    trial = calibrated(cases([1.0] * 80, [1, 0, 0, 0] * 20), least=10, caution=1000.0)
    assert trial is not None
    assert (trial.gain > 0, trial.kept) == (True, False)


def test_of_equal_calibrations_the_smallest_change_wins() -> None:
    # At even odds no scale changes anything, and of the shifts 1 is the nearest to log 3.
    trial = calibrated(cases([0.0] * 80, [1, 1, 1, 0] * 20), least=10, caution=0.0)
    assert trial is not None
    assert trial.calibration == Calibration(1.0, 1.0)
    # What is as sure as can be stays so, right or wrong.
    sure = calibrated(cases([100.0, -100.0] * 40, [1, 0] * 39 + [0, 0]), least=10, caution=0.0)
    assert sure is not None
    assert (sure.calibration, sure.gain, sure.kept) == (Calibration(), 0, False)
