"""Try changes of the search on the lessons themselves, by replay, and keep those that prove themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from graphpalace.learn.question_memory import QuestionMemory, alike
from graphpalace.learn.replay import Balance, Replay, ReplayResult

SHIFTS = tuple(round(-0.7 + 0.175 * step, 3) for step in range(9))
FACTORS = (0.0, 0.25, 0.5, 2.0, 4.0)
FLOORS = (0.3, 0.4, 0.5, 0.6, 0.7)
WEIGHTS = (0.05, 0.1, 0.2, 0.3, 0.6)
LOSSES = (0.05, 0.1, 0.2, 0.3)
_NOTHING = 1e-6


@dataclass(frozen=True, slots=True)
class ReplayTrial:
    """A change that was tried by replay, and the result.

    Attributes:
        kept: Whether the search uses the change.
    """

    change: str
    verdict: ReplayResult
    kept: bool


def try_map(replay: Replay, put: Replay, same: np.ndarray, *, caution: float) -> ReplayTrial:
    """Try the question map. With a caution of 0, it is used unless replay speaks against it.

    Args:
        put: The replay with moved questions.
        same: What the candidates gain by lessons of the same question.
        caution: How many standard errors above 0 a gain must be. The same of all trials.
    """
    verdict = put.verdict(put.worth(same), replay.worth(same))
    change = "moves questions towards what answers such questions"
    return ReplayTrial(change, verdict, verdict.least(caution) >= -_NOTHING)


def try_balance(
    replay: Replay, same: np.ndarray, *, caution: float
) -> tuple[Balance, ReplayTrial, dict[str, ReplayTrial]]:
    """Try how much the lanes count: first full text beside meaning, then each other lane, one after the other.

    Returns:
        The balance that proved itself, the trial of full text beside meaning, and the trials of the other lanes by
        their names.
    """
    balance = Balance()
    shifts = {shift: replace(balance, shift=shift) for shift in sorted(SHIFTS, key=abs) if shift}
    shift, result, kept = _best_balance(replay, balance, shifts, same, caution=caution)
    balance = shifts[shift] if kept else balance
    shifting = ReplayTrial(f"full text counts {math.exp(shift):.2f} times as much relative to the cosine", result, kept)
    trials = dict[str, ReplayTrial]()
    for lane in replay.other_lanes:
        changes = {factor: replace(balance, factors={**balance.factors, lane: factor}) for factor in FACTORS}
        factor, result, kept = _best_balance(replay, balance, changes, same, caution=caution)
        balance = changes[factor] if kept else balance
        trials[lane] = ReplayTrial(f"counts {factor:g} times as much", result, kept)
    return balance, shifting, trials


def try_likeness(
    replay: Replay, memory: QuestionMemory, same: np.ndarray, *, caution: float
) -> tuple[float, float, ReplayTrial]:
    """Try how much similar questions count.

    Returns:
        The floor of the cosine, the weight, and the trial. The weight is 0 if nothing proved itself.
    """
    before = replay.worth(same)
    tried: dict[tuple[float, float], ReplayResult] = {}
    for floor in FLOORS:
        like = replay.bonuses(memory, [alike(cosine, floor=floor) for cosine in replay.like])
        for weight in WEIGHTS:
            tried[floor, weight] = replay.verdict(replay.worth(weight * like + same), before)
    best = max(tried, key=lambda pair: (tried[pair].least(caution), -pair[1], pair[0]))
    kept = tried[best].least(caution) > _NOTHING
    change = f"adds up to {best[1]:g} to what answered similar questions, from a cosine of {best[0]:g}"
    return best[0], best[1] if kept else 0.0, ReplayTrial(change, tried[best], kept)


def try_others(replay: Replay, bonus: np.ndarray, *, caution: float) -> tuple[float, ReplayTrial]:
    """Try how much drawers lose that answered other questions.

    Args:
        bonus: What the candidates gain by lessons of the same and of similar questions.

    Returns:
        The weight, 0 if nothing proved itself, and the trial.
    """
    before = replay.worth(bonus)
    tried = {lost: replay.verdict(replay.worth(bonus - lost * replay.elsewhere), before) for lost in LOSSES}
    best = max(tried, key=lambda lost: (tried[lost].least(caution), -lost))
    kept = tried[best].least(caution) > _NOTHING
    change = f"takes up to {best:g} from what answered other questions"
    return best if kept else 0.0, ReplayTrial(change, tried[best], kept)


def _best_balance(
    replay: Replay, before: Balance, changes: Mapping[float, Balance], same: np.ndarray, *, caution: float
) -> tuple[float, ReplayResult, bool]:
    """Return the change that gains most, the first of equal ones, and whether it is sure enough to be kept."""
    worth = replay.balanced(before).worth(same)
    tried = {change: replay.verdict(replay.balanced(to).worth(same), worth) for change, to in changes.items()}
    best = max(tried, key=lambda change: tried[change].least(caution))
    return best, tried[best], tried[best].least(caution) > _NOTHING
