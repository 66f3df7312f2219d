"""Lessons: what one feedback says of one answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float32

from graphpalace.domain.vectors import Vector

LEARNED_LANES = ("semantic", "fulltext")  # between which learning shifts the balance

_Evidence = Float32[np.ndarray, " candidates"]


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the lanes found for a question, best first, before anything was learned.

    Attributes:
        ids: Of drawers.
        evidence: Of the full-text lane for each, 0 to 1; that of the semantic lane is taken from the vectors.
        shown: How many of them the answer showed.
        log_odds: For each hit that was shown, the log-odds that it fits, before calibration; empty if they are not
            known, as in lessons of earlier versions.
        answer_log_odds: The same for the answer as a whole; None if it is not known.
        others: Evidence of every other lane that answered, by the lane's name; empty in lessons of earlier versions.
    """

    ids: tuple[str, ...] = ()
    evidence: _Evidence = field(default_factory=lambda: np.empty(0, np.float32))
    shown: int = 0
    log_odds: Float32[np.ndarray, " shown"] = field(default_factory=lambda: np.empty(0, np.float32))
    answer_log_odds: float | None = None
    others: Mapping[str, _Evidence] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One feedback.

    Attributes:
        id: Of the feedback.
        asking: Lessons of one asking have the same; a question that is asked again is another asking.
        query: The words of the question; may be empty.
        question: Its embedding, length one.
        useful: Reward by drawer, above 0 to 1.
        useless: The same of what did not help.
        strength: What is left of it, 0 to 1; feedback fades like success.
    """

    id: str
    asking: str
    query: str
    question: Vector
    useful: Mapping[str, float]
    useless: Mapping[str, float]
    candidates: Candidates
    wings: tuple[str, ...] = ()
    cycle: int = 0
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class LearningState:
    """Where a palace's learning stands.

    Attributes:
        born: When the palace was made; another one of the same name has another.
        learned: Feedback so far, taken back or not; it counts up.
        forgot: How many times some was taken back or forgotten.
        cycle: What the palace's clock shows.
    """

    born: str
    learned: int
    forgot: int
    cycle: int
