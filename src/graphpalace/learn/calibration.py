"""Calibrates the confidence of hits and answers by feedback, if feedback shows that this makes it more accurate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.learning.feedback import Lesson
from graphpalace.domain.search.evidence import Calibration

SCALES = (0.5, 0.7, 1.0, 1.4, 2.0)
SHIFTS = tuple(round(-2.0 + 0.25 * step, 2) for step in range(17))  # a shift of 2 is a factor of 7.4 on the odds
_FOLDS = 5
_CLIP = 1e-6
_NOTHING = 1e-6
_Cases = Float64[np.ndarray, " cases"]


@dataclass(frozen=True, slots=True)
class JudgedCases:
    """Hits or answers that feedback judged, one row for each.

    Attributes:
        log_odds: Log-odds before calibration.
        fits: 1 if it fitted, 0 if not.
        weights: Weight of each case, above 0.
        askings: The asking that each case belongs to; cases of one asking are not independent.
    """

    log_odds: _Cases
    fits: _Cases
    weights: _Cases
    askings: Sequence[str]

    @property
    def fewest(self) -> int:
        """Number of askings with a case that fits, or of those with one that does not, whichever is less."""
        sides = [
            {asking for asking, fits in zip(self.askings, self.fits, strict=True) if fits == side} for side in (0, 1)
        ]
        return min(map(len, sides))


@dataclass(frozen=True, slots=True)
class CalibrationTrial:
    """A calibration that was tried, and what it gained.

    Attributes:
        gain: Mean decrease of the log loss over the askings, each calibrated by what the others say.
        error: Standard error of the gain.
        kept: Whether the search uses the calibration.
    """

    calibration: Calibration
    gain: float
    error: float
    kept: bool


def judged_answers(lessons: Sequence[Lesson]) -> JudgedCases:
    """Return the answers that lessons judged.

    An answer fitted if one of its hits was useful. It did not if hits were judged and all of them were useless.
    """
    cases = [
        (odds, float(bool(lesson.useful)), lesson.strength, lesson.asking)
        for lesson in lessons
        if (odds := lesson.candidates.answer_log_odds) is not None and (lesson.useful or lesson.useless)
    ]
    return _cases(cases)


def judged_hits(lessons: Sequence[Lesson]) -> JudgedCases:
    """Return the hits that lessons judged.

    A hit that was shown above the last useful one and was not called useful did not fit: whoever judged has seen it.
    Hits below it may not have been read, so they do not count unless they were called useless.

    Source: Joachims, Optimizing search engines using clickthrough data, KDD 2002.
    """
    return _cases([case for lesson in lessons for case in _hits_of(lesson)])


def calibrated(cases: JudgedCases, *, least: int, caution: float) -> CalibrationTrial | None:
    """Try the calibrations by cross-validation over askings; return the best, and whether it is used.

    The scale is between 0.5 and 2, the shift between -2 and 2, so feedback cannot turn a confidence into its opposite.

    Args:
        least: Fewer askings than this, with cases that fit or with cases that do not, calibrate nothing.
        caution: The calibration is used only if it gains at least this many standard errors.

    Returns:
        None if there are too few cases.

    Source: Platt, Probabilistic outputs for support vector machines, 1999.
    """
    if cases.fewest < least:
        return None
    losses = _losses(cases)
    place = {asking: at for at, asking in enumerate(dict.fromkeys(cases.askings))}
    rows = np.array([place[asking] for asking in cases.askings])
    held_out = np.zeros(len(rows))
    for fold in range(_FOLDS):
        out = rows % _FOLDS == fold
        held_out[out] = losses[_best(losses[:, ~out], cases.weights[~out])][out]
    unchanged = losses[_OPTIONS.index(Calibration())]
    per_asking = np.zeros(len(place))
    weights = np.zeros(len(place))
    np.add.at(per_asking, rows, cases.weights * (unchanged - held_out))
    np.add.at(weights, rows, cases.weights)
    share = weights / weights.sum()
    gains = per_asking / weights
    gain = float(share @ gains)
    error = float(np.sqrt(share**2 @ (gains - gain) ** 2))
    best = _OPTIONS[_best(losses, cases.weights)]
    return CalibrationTrial(best, gain, error, kept=gain - caution * error > _NOTHING)


_OPTIONS = [
    Calibration(scale, shift)
    for scale, shift in sorted(
        ((scale, shift) for scale in SCALES for shift in SHIFTS),
        key=lambda pair: (abs(np.log(pair[0])) + abs(pair[1]), pair),
    )
]  # the smallest change first, so that it wins ties


def _losses(cases: JudgedCases) -> Float64[np.ndarray, "options cases"]:
    """Return the log loss of each case under each calibration."""
    probabilities = np.stack([option.probability(cases.log_odds) for option in _OPTIONS])
    right = np.where(cases.fits > 0, probabilities, 1.0 - probabilities)
    return -np.log(np.clip(right, _CLIP, 1.0))


def _best(losses: Float64[np.ndarray, "options cases"], weights: _Cases) -> int:
    return int(np.argmin(losses @ weights))


def _hits_of(lesson: Lesson) -> Iterator[tuple[float, float, float, str]]:
    shown = lesson.candidates.ids[: len(lesson.candidates.log_odds)]
    last = max((at for at, drawer in enumerate(shown) if drawer in lesson.useful), default=-1)
    for at, (drawer, odds) in enumerate(zip(shown, lesson.candidates.log_odds.tolist(), strict=True)):
        if at <= last or drawer in lesson.useless:
            yield odds, float(drawer in lesson.useful), lesson.strength, lesson.asking


def _cases(cases: Sequence[tuple[float, float, float, str]]) -> JudgedCases:
    columns = np.array([case[:3] for case in cases], np.float64).reshape(-1, 3)
    return JudgedCases(columns[:, 0], columns[:, 1], columns[:, 2], [case[3] for case in cases])
