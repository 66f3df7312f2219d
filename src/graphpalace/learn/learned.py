"""All that a wing, or a palace, has learned from its lessons."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphpalace.domain.lesson import Lesson
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.learn.question_map import Sums, fitted, mapped, sums_of
from graphpalace.learn.question_memory import QuestionMemory, alike
from graphpalace.learn.replay import Pooling, Replay, Vectors, Verdict

SHIFTS = tuple(round(-0.7 + 0.175 * step, 3) for step in range(9))
FLOORS = (0.3, 0.4, 0.5, 0.6, 0.7)
WEIGHTS = (0.05, 0.1, 0.2, 0.3, 0.6)
LOSSES = (0.05, 0.1, 0.2, 0.3)
_FOLDS = 5
_NOTHING = 1e-6


@dataclass(frozen=True, slots=True)
class LearnOptions:
    """The settings' section `[learning]` has the meaning and the range of each."""

    map_prior: float = 2.5
    same_weight: float = 0.2
    least_lessons: int = 10
    fitted: int = 2000
    replayed: int = 400
    lane_caution: float = 3.0
    memory_caution: float = 0.5
    others_caution: float = 3.0


@dataclass(frozen=True, slots=True)
class Trial:
    """What replay said of a change that was looked at.

    Attributes:
        kept: Whether the search uses it.
    """

    change: str
    verdict: Verdict
    kept: bool


@dataclass(frozen=True, slots=True)
class Learned:
    """What changes an answer.

    Attributes:
        question_map: Puts a question as this wing's drawers answer it; None: as it is.
        shift: Logarithm of how much more the full-text lane counts than the semantic one.
        floor, like_weight: What drawers gain that answered like questions: like_weight x max(0, cosine - floor) /
            (1 - floor).
        same_weight: What drawers gain beside that, that answered the same question.
        others_weight: What drawers lose that answered other questions, times the cosine to these.
        trials: Changes that replay looked at, best of each kind.
    """

    memory: QuestionMemory
    question_map: Matrix | None = None
    shift: float = 0.0
    floor: float = 0.5
    like_weight: float = 0.0
    same_weight: float = 0.0
    others_weight: float = 0.0
    trials: Sequence[Trial] = field(default_factory=tuple)

    def remembered(self, query: str, question: Vector) -> dict[str, float]:
        """Return what drawers gain, or lose, by this question and those like it that were answered before."""
        if not len(self.memory):
            return {}
        gained = self.same_weight * self.memory.bonus(self.memory.same(query, question))
        if self.like_weight:
            gained += self.like_weight * self.memory.bonus(alike(self.memory.cosines(question), floor=self.floor))
        return {self.memory.drawers[at]: float(gained[at]) for at in np.flatnonzero(gained)}

    def spent(self, query: str, question: Vector, drawers: Sequence[str]) -> dict[str, float]:
        """Return what some drawers lose, below 0, because they answered other questions."""
        if not self.others_weight or not len(self.memory):
            return {}
        lost = -self.others_weight * self.memory.elsewhere(question, self.memory.same(query, question), drawers)
        return {drawer: loss for drawer, loss in zip(drawers, lost.tolist(), strict=True) if loss}

    def put(self, question: Vector) -> Vector:
        """Return the question as the wing's drawers answer it."""
        return question if self.question_map is None else mapped(question[None], self.question_map)[0]


def learn(
    lessons: Sequence[Lesson], vectors: Vectors, *, dimension: int, pooling: Pooling, options: LearnOptions
) -> Learned:
    """Return what lessons teach; the same lessons teach the same, whatever their order.

    The question map is fitted to the newest `fitted` of them. Whether the balance of the lanes is shifted, how much
    like questions count, and whether what answered others steps back, is decided by replay: the newest `replayed` are
    asked again, without what they taught themselves, and a change is kept only if its gain is some standard errors
    above nothing. With fewer than `least_lessons` nothing is decided.

    Args:
        vectors: Embeddings (length one) of the lessons' drawers; those that are gone are left out.
    """
    lessons = sorted(lessons, key=lambda lesson: (lesson.cycle, lesson.id))
    memory = QuestionMemory(lessons, dimension=dimension)
    taught = [lesson for lesson in lessons if lesson.useful][-options.fitted :]
    if not taught:
        return Learned(memory, same_weight=options.same_weight)

    def rows(ids: Sequence[str]) -> Matrix:
        found = [vectors[drawer] for drawer in ids if drawer in vectors]
        return np.array(found, np.float32).reshape(-1, dimension)

    askings = {asking: at % _FOLDS for at, asking in enumerate(dict.fromkeys(lesson.asking for lesson in taught))}
    folds = [
        sums_of([each for each in taught if askings[each.asking] == fold], rows, dimension=dimension)
        for fold in range(_FOLDS)
    ]
    everything = folds[0] + folds[1] + folds[2] + folds[3] + folds[4]
    question_map = fitted(everything, prior=options.map_prior)
    if len(askings) < options.least_lessons:
        return Learned(memory, question_map, same_weight=options.same_weight)
    recent = taught[-options.replayed :]
    asked = _unseen_maps(recent, everything, folds, askings, prior=options.map_prior)
    replay = Replay(recent, asked, memory, vectors, pooling=pooling)
    same = options.same_weight * replay.bonuses(memory, replay.same)
    shift, lanes = _shift(replay, same, options)
    floor, weight, remembering = _likeness(replay, memory, same, shift, options)
    like = weight * replay.bonuses(memory, [alike(cosine, floor=floor) for cosine in replay.like])
    lost, stepping_back = _others(replay, like + same, shift, options)
    trials = lanes, remembering, stepping_back
    return Learned(memory, question_map, shift, floor, weight, options.same_weight, lost, trials)


def _unseen_maps(
    lessons: Sequence[Lesson], everything: Sums, folds: Sequence[Sums], askings: Mapping[str, int], *, prior: float
) -> Matrix:
    """Return each question as a map puts it that was fitted without it."""
    without = [fitted(everything - fold, prior=prior) for fold in folds]
    return np.array([mapped(lesson.question[None], without[askings[lesson.asking]])[0] for lesson in lessons])


def _shift(replay: Replay, same: np.ndarray, options: LearnOptions) -> tuple[float, Trial]:
    before = replay.worth(bonus=same)
    tried = {shift: replay.verdict(replay.worth(shift=shift, bonus=same), before) for shift in SHIFTS if shift}
    best = max(tried, key=lambda shift: (tried[shift].least(options.lane_caution), -abs(shift)))
    kept = tried[best].least(options.lane_caution) > _NOTHING
    change = f"full text {math.exp(best):.2f} times as much beside the cosine"
    return best if kept else 0.0, Trial(change, tried[best], kept)


def _likeness(
    replay: Replay, memory: QuestionMemory, same: np.ndarray, shift: float, options: LearnOptions
) -> tuple[float, float, Trial]:
    before = replay.worth(shift=shift, bonus=same)
    tried: dict[tuple[float, float], Verdict] = {}
    for floor in FLOORS:
        like = replay.bonuses(memory, [alike(cosine, floor=floor) for cosine in replay.like])
        for weight in WEIGHTS:
            tried[floor, weight] = replay.verdict(replay.worth(shift=shift, bonus=weight * like + same), before)
    best = max(tried, key=lambda pair: (tried[pair].least(options.memory_caution), -pair[1], pair[0]))
    kept = tried[best].least(options.memory_caution) > _NOTHING
    change = f"what answered like questions gains {best[1]:g} from a cosine of {best[0]:g} on"
    return best[0], best[1] if kept else 0.0, Trial(change, tried[best], kept)


def _others(replay: Replay, bonus: np.ndarray, shift: float, options: LearnOptions) -> tuple[float, Trial]:
    before = replay.worth(shift=shift, bonus=bonus)
    tried = {
        lost: replay.verdict(replay.worth(shift=shift, bonus=bonus - lost * replay.elsewhere), before)
        for lost in LOSSES
    }
    best = max(tried, key=lambda lost: (tried[lost].least(options.others_caution), -lost))
    kept = tried[best].least(options.others_caution) > _NOTHING
    return best if kept else 0.0, Trial(f"what answered other questions loses {best:g}", tried[best], kept)
