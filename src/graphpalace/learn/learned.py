"""Everything that a wing or a palace has learned from its lessons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.learning.feedback import Lesson
from graphpalace.domain.search.evidence import Calibration, Calibrations, Pooling
from graphpalace.domain.search.pseudo_feedback import Rocchio
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.learn.calibration import CalibrationTrial, calibrated, judged_answers, judged_hits
from graphpalace.learn.questions import SAME, NormalEquations, QuestionMemory, alike, fitted, mapped, sums_of
from graphpalace.learn.replay import (
    Balance,
    Replay,
    ReplayTrial,
    Vectors,
    try_balance,
    try_likeness,
    try_map,
    try_others,
)
from graphpalace.settings.sections.learning import LearningSettings

_FOLDS = 5
_FITTED, _REPLAYED = 2000, 400  # the map is fitted to the newest 2,000 lessons; the newest 400 are replayed


@dataclass(frozen=True, slots=True)
class LearnedRanking:
    """The changes that learning makes to an answer.

    Attributes:
        question_map: Moves a question closer to the drawers that answer such questions; None leaves it unchanged.
        balance: How much the lanes count.
        floor, like_weight: A drawer that answered a similar question gains like_weight x max(0, cosine - floor) /
            (1 - floor).
        same_weight: A drawer that answered the same question gains this in addition.
        others_weight: A drawer that answered other questions loses this times the cosine to them.
        trials: The changes that were tried by replay, the best of each kind.
        lane_trials: The best weight that was tried of each lane beside the full-text and the semantic one.
        hit_trial, answer_trial: The calibrations of confidence that were tried; None if there are too few lessons.
    """

    memory: QuestionMemory
    question_map: Matrix | None = None
    balance: Balance = field(default_factory=Balance)
    floor: float = 0.5
    like_weight: float = 0.0
    same_weight: float = 0.0
    others_weight: float = 0.0
    trials: Sequence[ReplayTrial] = field(default_factory=tuple)
    lane_trials: Mapping[str, ReplayTrial] = field(default_factory=dict)
    hit_trial: CalibrationTrial | None = None
    answer_trial: CalibrationTrial | None = None

    @property
    def calibrations(self) -> Calibrations:
        """The calibrations that proved themselves."""
        hit, answer = (
            trial.calibration if trial and trial.kept else Calibration()
            for trial in (self.hit_trial, self.answer_trial)
        )
        return Calibrations(hit, answer)

    def of_question(self, query: str, question: Vector) -> QuestionHistory:
        """Return what is remembered of a question and of those like it."""
        return QuestionHistory(self, query, question)

    def put(self, question: Vector) -> Vector:
        """Return the question, moved by the question map."""
        return question if self.question_map is None else mapped(question[None], self.question_map)[0]


@dataclass(frozen=True)
class QuestionHistory:
    """What drawers gain and lose by the questions that were answered before, as one question is asked."""

    learned: LearnedRanking
    query: str
    question: Vector

    @cached_property
    def _same(self) -> Float64[np.ndarray, " lessons"]:
        return self.learned.memory.same(self.query, self.question)

    def gains(self) -> dict[str, float]:
        """Return what drawers gain, or lose, by this question and those like it that were answered before."""
        learned, memory = self.learned, self.learned.memory
        if not len(memory):
            return {}
        gained = learned.same_weight * memory.bonus(self._same)
        if learned.like_weight:
            gained += learned.like_weight * memory.bonus(alike(memory.cosines(self.question), floor=learned.floor))
        return {memory.drawers[at]: float(gained[at]) for at in np.flatnonzero(gained)}

    def proven(self) -> dict[str, float]:
        """Return the drawers that were more useful than useless when this very question was asked.

        The value is what is left of their reward, above 0 to 1.
        """
        memory = self.learned.memory
        if not len(memory):
            return {}
        useful = memory.bonus((self._same >= SAME).astype(np.float64))
        return {memory.drawers[at]: float(useful[at]) for at in np.flatnonzero(useful > 0)}

    def losses(self, drawers: Sequence[str]) -> dict[str, float]:
        """Return what some drawers lose, below 0, because they answered other questions."""
        learned, memory = self.learned, self.learned.memory
        if not learned.others_weight or not len(memory):
            return {}
        lost = -learned.others_weight * memory.elsewhere(self.question, self._same, drawers)
        return {drawer: loss for drawer, loss in zip(drawers, lost.tolist(), strict=True) if loss}


def learn(
    lessons: Sequence[Lesson],
    vectors: Vectors,
    *,
    dimension: int,
    pooling: Pooling,
    rocchio: Rocchio,
    settings: LearningSettings,
) -> LearnedRanking:
    """Return what is learned from lessons. The result does not depend on their order.

    The question map is fitted to the newest 2,000 lessons. Replay decides five things: whether the map is used, whether
    the balance of the full-text and the semantic lane is shifted, how much each other lane counts, how much similar
    questions count, and whether drawers that answered other questions lose. To decide, the questions of the newest 400
    lessons are asked again, each without what its own lesson taught. A change is kept only if its gain is some standard
    errors above 0. With fewer than `least_lessons` lessons, no change is tried. The confidence of hits and answers is
    calibrated by the same 400 lessons and by those in which nothing was useful.

    Args:
        vectors: Embeddings (length one) of the drawers of the lessons, without drawers that no longer exist.
        pooling, rocchio: How a search scores.
    """
    lessons = sorted(lessons, key=lambda lesson: (lesson.cycle, lesson.id))
    judged = lessons[-_REPLAYED:]
    hits, answers = (
        calibrated(cases, least=settings.least_lessons, caution=settings.confidence_caution)
        for cases in (judged_hits(judged), judged_answers(judged))
    )
    ranking = _ranking(lessons, vectors, dimension=dimension, pooling=pooling, rocchio=rocchio, settings=settings)
    return replace(ranking, hit_trial=hits, answer_trial=answers)


def _ranking(
    lessons: Sequence[Lesson],
    vectors: Vectors,
    *,
    dimension: int,
    pooling: Pooling,
    rocchio: Rocchio,
    settings: LearningSettings,
) -> LearnedRanking:
    memory = QuestionMemory(lessons, dimension=dimension)
    taught = [lesson for lesson in lessons if lesson.useful][-_FITTED:]
    if not taught:
        return LearnedRanking(memory, same_weight=settings.same_weight)

    def rows(ids: Sequence[str]) -> Matrix:
        found = [vectors[drawer] for drawer in ids if drawer in vectors]
        return np.array(found, np.float32).reshape(-1, dimension)

    askings = {asking: at % _FOLDS for at, asking in enumerate(dict.fromkeys(lesson.asking for lesson in taught))}
    folds = [
        sums_of([each for each in taught if askings[each.asking] == fold], rows, dimension=dimension)
        for fold in range(_FOLDS)
    ]
    everything = folds[0] + folds[1] + folds[2] + folds[3] + folds[4]
    question_map = fitted(everything, prior=settings.map_prior)
    if len(askings) < settings.least_lessons:
        return LearnedRanking(memory, question_map, same_weight=settings.same_weight)
    recent = taught[-_REPLAYED:]
    plain = np.array([lesson.question for lesson in recent])
    replay = Replay(recent, plain, memory, vectors, pooling=pooling, rocchio=rocchio)
    same = settings.same_weight * replay.bonuses(memory, replay.same)
    mapped_replay = replay.put(_unseen_maps(recent, everything, folds, askings, prior=settings.map_prior))
    mapping = try_map(replay, mapped_replay, same, caution=settings.map_caution)
    if mapping.kept:
        replay = mapped_replay
    balance, lanes, lane_trials = try_balance(replay, same, caution=settings.lane_caution)
    replay = replay.balanced(balance)
    floor, weight, remembering = try_likeness(replay, memory, same, caution=settings.memory_caution)
    like = weight * replay.bonuses(memory, [alike(cosine, floor=floor) for cosine in replay.like])
    lost, stepping_back = try_others(replay, like + same, caution=settings.others_caution)
    return LearnedRanking(
        memory,
        question_map if mapping.kept else None,
        balance,
        floor,
        weight,
        settings.same_weight,
        lost,
        (lanes, remembering, stepping_back, mapping),
        lane_trials,
    )


def _unseen_maps(
    lessons: Sequence[Lesson],
    everything: NormalEquations,
    folds: Sequence[NormalEquations],
    askings: Mapping[str, int],
    *,
    prior: float,
) -> Matrix:
    """Return each question, moved by a map that was fitted without it."""
    without = [fitted(everything - fold, prior=prior) for fold in folds]
    return np.array([mapped(lesson.question[None], without[askings[lesson.asking]])[0] for lesson in lessons])
