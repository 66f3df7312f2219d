"""Show what a palace or a wing has learned from feedback. Wings are given by name."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from graphpalace.domain.learning.feedback_requests import (
    MOST_LISTED,
    AnsweredBy,
    CalibrationState,
    LaneTrial,
    LearnedState,
    ListedFeedback,
    TrialState,
)
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.learn.calibration import CalibrationTrial
from graphpalace.learn.learned import LearnedRanking
from graphpalace.learn.replay import ReplayTrial
from graphpalace.operations.learning.feedback import Feedback
from graphpalace.replica.learning import Learning
from graphpalace.replica.places import find_place
from graphpalace.store.connection.database import Database
from graphpalace.store.learning.feedback import LessonStore


class LearnedView:
    """Shows what a palace or a wing has learned; lists and resets its feedback."""

    def __init__(
        self,
        database: Database,
        learning: Learning,
        feedback: Feedback,
        *,
        rate: float,
        cycle_seconds: float,
        enabled: bool = True,
    ) -> None:
        """Create a view.

        Args:
            rate: Share of the success pheromone that is lost in one cycle, 0 to 1.
            cycle_seconds: Seconds of one cycle of the clock.
            enabled: Whether searches use what is learned.
        """
        self._database = database
        self._learning = learning
        self._feedback = feedback
        self._rate = rate
        self._lessons = LessonStore(database, cycle_seconds=cycle_seconds)
        self._enabled = enabled

    async def of(self, palace: str, *, wing: str | None = None) -> LearnedState:
        """Return what the palace, or one of its wings, has learned.

        Args:
            wing: Name of the wing.

        Raises:
            NotFound: If the palace or the wing does not exist; the message lists the existing wings.
        """
        chosen = await self._id(palace, wing)
        learned = await self._learning.of(palace, chosen, patient=True)
        state = await self._lessons.state(palace)
        if state is None:
            raise NotFound(f"palace {palace!r} was dropped", palace=palace)
        lanes = await self._lessons.lanes_of_wings(palace, state.cycle, wing_id=chosen, rate=self._rate)
        return self._state(palace, wing, chosen, learned, lanes)

    async def feedback(self, palace: str, *, wing: str | None = None, limit: int = 50) -> list[ListedFeedback]:
        """Return the feedback of the palace or of one wing, newest first.

        Args:
            wing: Name of the wing.
            limit: Largest number of feedbacks, 1 to 200.

        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If the limit is out of range.
        """
        if not 1 <= limit <= MOST_LISTED:
            raise InvalidInput(f"limit is {limit}; it must be 1 to {MOST_LISTED}", field="limit", value=limit)
        return await self._feedback.listed(palace, wing=await self._id(palace, wing), limit=limit)

    async def reset(self, palace: str, *, wing: str | None = None) -> int:
        """Delete all feedback of the palace, or of a wing given by name; return how many were deleted.

        Raises:
            NotFound: If the palace or the wing does not exist.
        """
        return await self._feedback.reset(palace, wing=await self._id(palace, wing))

    async def _id(self, palace: str, wing: str | None) -> str | None:
        return None if wing is None else (await find_place(self._database, palace, wing=wing, room=None))[0]

    def _state(
        self,
        palace: str,
        wing: str | None,
        wing_id: str | None,
        learned: LearnedRanking | None,
        lanes: Sequence[AnsweredBy],
    ) -> LearnedState:
        needed = self._learning.settings.least_lessons
        used = () if learned is None else learned.memory.lessons
        own = [lesson for lesson in used if wing_id is None or wing_id in lesson.wings]
        questions = len({lesson.asking for lesson in own if lesson.useful})
        trials = () if learned is None else learned.trials
        return LearnedState(
            palace=palace,
            wing=wing,
            enabled=self._enabled,
            lessons=len(own),
            questions=questions,
            needed=needed,
            learns_from=None if not used else "wing" if wing_id is not None and questions >= needed else "palace",
            lessons_used=len(used),
            question_cosine=_turned(learned),
            map_trial=_trial(trials[3]) if trials else None,
            text_weight=math.exp(learned.balance.shift) if learned else 1.0,
            lane_trial=_trial(trials[0]) if trials else None,
            lane_weights=_lanes(learned) if learned else [],
            same_weight=self._learning.settings.same_weight,
            like_weight=learned.like_weight if learned else 0.0,
            like_floor=learned.floor if learned else 0.0,
            memory_trial=_trial(trials[1]) if trials else None,
            others_weight=learned.others_weight if learned else 0.0,
            others_trial=_trial(trials[2]) if trials else None,
            hit_confidence=_calibration(learned.hit_trial) if learned else None,
            answer_confidence=_calibration(learned.answer_trial) if learned else None,
            lanes=lanes,
        )


def _turned(learned: LearnedRanking | None) -> float | None:
    if learned is None or not len(learned.memory):
        return None
    return float(np.mean([lesson.question @ learned.put(lesson.question) for lesson in learned.memory.lessons]))


def _calibration(trial: CalibrationTrial | None) -> CalibrationState | None:
    if trial is None:
        return None
    return CalibrationState(trial.calibration.scale, trial.calibration.shift, trial.gain, trial.error, trial.kept)


def _lanes(learned: LearnedRanking) -> list[LaneTrial]:
    factors = learned.balance.factors
    return [
        LaneTrial(trial.change, trial.verdict.gain, trial.verdict.error, trial.kept, lane, factors.get(lane, 1.0))
        for lane, trial in learned.lane_trials.items()
    ]


def _trial(trial: ReplayTrial) -> TrialState:
    return TrialState(trial.change, trial.verdict.gain, trial.verdict.error, trial.kept)
