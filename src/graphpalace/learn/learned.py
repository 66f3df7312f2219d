"""Everything that a wing or a palace has learned from its lessons."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.learning.lesson import Lesson
from graphpalace.domain.search.calibration import Calibration, Calibrations
from graphpalace.domain.search.pooling import Pooling
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.learn.confidence import CalibrationTrial, calibrated, judged_answers, judged_hits
from graphpalace.learn.question_map import NormalEquations, fitted, mapped, sums_of
from graphpalace.learn.question_memory import QuestionMemory, alike
from graphpalace.learn.replay import Replay, ReplayResult, Vectors
from graphpalace.settings.sections.learning import LearningSettings

SHIFTS = tuple(round(-0.7 + 0.175 * step, 3) for step in range(9))
FLOORS = (0.3, 0.4, 0.5, 0.6, 0.7)
WEIGHTS = (0.05, 0.1, 0.2, 0.3, 0.6)
LOSSES = (0.05, 0.1, 0.2, 0.3)
_FOLDS = 5
_FITTED, _REPLAYED = 2000, 400  # the map is fitted to the newest 2,000 lessons; the newest 400 are replayed
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


@dataclass(frozen=True, slots=True)
class LearnedRanking:
    """The changes that learning makes to an answer.

    Attributes:
        question_map: Moves a question closer to the drawers that answer such questions; None leaves it unchanged.
        shift: Logarithm of the factor by which the full-text lane counts more than the semantic lane.
        floor, like_weight: A drawer that answered a similar question gains like_weight x max(0, cosine - floor) /
            (1 - floor).
        same_weight: A drawer that answered the same question gains this in addition.
        others_weight: A drawer that answered other questions loses this times the cosine to them.
        trials: The changes that were tried by replay, the best of each kind.
        hit_trial, answer_trial: The calibrations of confidence that were tried; None if there are too few lessons.
    """

    memory: QuestionMemory
    question_map: Matrix | None = None
    shift: float = 0.0
    floor: float = 0.5
    like_weight: float = 0.0
    same_weight: float = 0.0
    others_weight: float = 0.0
    trials: Sequence[ReplayTrial] = field(default_factory=tuple)
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

    def losses(self, drawers: Sequence[str]) -> dict[str, float]:
        """Return what some drawers lose, below 0, because they answered other questions."""
        learned, memory = self.learned, self.learned.memory
        if not learned.others_weight or not len(memory):
            return {}
        lost = -learned.others_weight * memory.elsewhere(self.question, self._same, drawers)
        return {drawer: loss for drawer, loss in zip(drawers, lost.tolist(), strict=True) if loss}


def learn(
    lessons: Sequence[Lesson], vectors: Vectors, *, dimension: int, pooling: Pooling, settings: LearningSettings
) -> LearnedRanking:
    """Return what is learned from lessons. The result does not depend on their order.

    The question map is fitted to the newest 2,000 lessons. Replay decides four things: whether the map is used, whether
    the balance of the lanes is shifted, how much similar questions count, and whether drawers that answered other
    questions lose. To decide, the questions of the newest 400 lessons are asked again, each without what its own lesson
    taught. A change is kept only if its gain is some standard errors above 0; the map, unless replay sees a loss. With
    fewer than `least_lessons` lessons, no change is tried. The confidence of hits and answers is calibrated by the same
    400 lessons and by those in which nothing was useful.

    Args:
        vectors: Embeddings (length one) of the drawers of the lessons, without drawers that no longer exist.
    """
    lessons = sorted(lessons, key=lambda lesson: (lesson.cycle, lesson.id))
    judged = lessons[-_REPLAYED:]
    hits, answers = (
        calibrated(cases, least=settings.least_lessons, caution=settings.confidence_caution)
        for cases in (judged_hits(judged), judged_answers(judged))
    )
    ranking = _ranking(lessons, vectors, dimension=dimension, pooling=pooling, settings=settings)
    return replace(ranking, hit_trial=hits, answer_trial=answers)


def _ranking(
    lessons: Sequence[Lesson], vectors: Vectors, *, dimension: int, pooling: Pooling, settings: LearningSettings
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
    replay = Replay(recent, plain, memory, vectors, pooling=pooling)
    same = settings.same_weight * replay.bonuses(memory, replay.same)
    mapped_replay = replay.put(_unseen_maps(recent, everything, folds, askings, prior=settings.map_prior))
    mapping = _mapping(replay, mapped_replay, same, settings)
    if mapping.kept:
        replay = mapped_replay
    shift, lanes = _shift(replay, same, settings)
    floor, weight, remembering = _likeness(replay, memory, same, shift, settings)
    like = weight * replay.bonuses(memory, [alike(cosine, floor=floor) for cosine in replay.like])
    lost, stepping_back = _others(replay, like + same, shift, settings)
    trials = lanes, remembering, stepping_back, mapping
    question_map = question_map if mapping.kept else None
    return LearnedRanking(memory, question_map, shift, floor, weight, settings.same_weight, lost, trials)


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


def _mapping(replay: Replay, put: Replay, same: np.ndarray, settings: LearningSettings) -> ReplayTrial:
    """Try the question map. It begins as no change and moves little, so it is used unless replay speaks against it."""
    verdict = put.verdict(put.worth(bonus=same), replay.worth(bonus=same))
    change = "moves questions towards what answers such questions"
    return ReplayTrial(change, verdict, verdict.least(settings.map_caution) >= -_NOTHING)


def _shift(replay: Replay, same: np.ndarray, settings: LearningSettings) -> tuple[float, ReplayTrial]:
    before = replay.worth(bonus=same)
    tried = {shift: replay.verdict(replay.worth(shift=shift, bonus=same), before) for shift in SHIFTS if shift}
    best = max(tried, key=lambda shift: (tried[shift].least(settings.lane_caution), -abs(shift)))
    kept = tried[best].least(settings.lane_caution) > _NOTHING
    change = f"full text counts {math.exp(best):.2f} times as much relative to the cosine"
    return best if kept else 0.0, ReplayTrial(change, tried[best], kept)


def _likeness(
    replay: Replay, memory: QuestionMemory, same: np.ndarray, shift: float, settings: LearningSettings
) -> tuple[float, float, ReplayTrial]:
    before = replay.worth(shift=shift, bonus=same)
    tried: dict[tuple[float, float], ReplayResult] = {}
    for floor in FLOORS:
        like = replay.bonuses(memory, [alike(cosine, floor=floor) for cosine in replay.like])
        for weight in WEIGHTS:
            tried[floor, weight] = replay.verdict(replay.worth(shift=shift, bonus=weight * like + same), before)
    best = max(tried, key=lambda pair: (tried[pair].least(settings.memory_caution), -pair[1], pair[0]))
    kept = tried[best].least(settings.memory_caution) > _NOTHING
    change = f"adds up to {best[1]:g} to what answered similar questions, from a cosine of {best[0]:g}"
    return best[0], best[1] if kept else 0.0, ReplayTrial(change, tried[best], kept)


def _others(replay: Replay, bonus: np.ndarray, shift: float, settings: LearningSettings) -> tuple[float, ReplayTrial]:
    before = replay.worth(shift=shift, bonus=bonus)
    tried = {
        lost: replay.verdict(replay.worth(shift=shift, bonus=bonus - lost * replay.elsewhere), before)
        for lost in LOSSES
    }
    best = max(tried, key=lambda lost: (tried[lost].least(settings.others_caution), -lost))
    kept = tried[best].least(settings.others_caution) > _NOTHING
    return best if kept else 0.0, ReplayTrial(
        f"takes up to {best:g} from what answered other questions", tried[best], kept
    )
