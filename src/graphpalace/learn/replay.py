"""Replay: how good past answers would have been with a changed search, and which changes prove themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Bool, Float64

from graphpalace.domain.learning.feedback import LEARNED_LANES, Lesson
from graphpalace.domain.search.evidence import Pooling, shifted
from graphpalace.domain.search.pseudo_feedback import Rocchio
from graphpalace.domain.vectors import Matrix
from graphpalace.learn.questions import QuestionMemory, alike

DEPTH = 10  # hits of an answer that count

_DISCOUNT = 1.0 / np.log2(np.arange(2, DEPTH + 2))
Vectors = Mapping[str, np.ndarray]
_Lists = Float64[np.ndarray, "lessons candidates"]
_Evidence = Float64[np.ndarray, "lanes lessons candidates"]


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """How much a change improves the answers in replay.

    Attributes:
        gain: Mean change of nDCG@10.
        error: Standard error of the gain.
    """

    gain: float
    error: float

    def least(self, caution: float) -> float:
        """Return the gain minus `caution` standard errors."""
        return self.gain - caution * self.error


@dataclass(frozen=True, slots=True)
class Balance:
    """How much the lanes count.

    Attributes:
        shift: Logarithm of the factor by which the full-text lane counts more than the semantic lane.
        factors: By what the weight of each other lane is multiplied; a lane that is not named keeps its weight.
    """

    shift: float = 0.0
    factors: Mapping[str, float] = field(default_factory=dict)


class Replay:
    """The candidates of some lessons, and which of them were useful.

    A replayed answer is scored as a search scores it: by the evidence of all lanes that answered, once for the question
    and once for the question moved towards the best candidates.
    """

    def __init__(
        self,
        lessons: Sequence[Lesson],
        questions: Matrix,
        memory: QuestionMemory,
        vectors: Vectors,
        *,
        pooling: Pooling,
        rocchio: Rocchio,
    ) -> None:
        """Collect the candidates of all lessons.

        Args:
            lessons: At least one, each with a useful drawer.
            questions: The current embeddings of the questions, one row for each lesson.
            memory: The memory of all lessons. What a lesson taught itself is not used for its own question.
            vectors: Embeddings of the candidates, without drawers that no longer exist.
            pooling, rocchio: How a search scores.
        """
        weighed = pooling.weights_of(LEARNED_LANES).any()
        self._pooling = pooling if weighed else replace(pooling, weights={})
        self._rocchio = rocchio
        self._balance = Balance()
        self._strength = np.array([lesson.strength for lesson in lessons])
        column = {drawer: at for at, drawer in enumerate(memory.drawers)}
        askings = np.array([lesson.asking for lesson in memory.lessons])
        self.like, self.same, elsewhere = [], [], []
        for lesson in lessons:
            others = askings != lesson.asking
            same = memory.same(lesson.query, lesson.question)
            self.like.append(np.where(others, memory.cosines(lesson.question), -1.0))
            self.same.append(np.where(others, same, 0.0))
            elsewhere.append(memory.elsewhere(lesson.question, np.where(others, same, 1.0), lesson.candidates.ids))
        self._lists = lists = [lesson.candidates.ids for lesson in lessons]
        self._vectors = vectors
        shape = len(lessons), max(map(len, lists))
        self.there: Bool[np.ndarray, "lessons candidates"] = np.zeros(shape, bool)
        self._shape = shape
        self.other_lanes = sorted({lane for lesson in lessons for lane in lesson.candidates.others})
        self._lanes = (*LEARNED_LANES, *self.other_lanes)
        self._evidence: _Evidence = np.zeros((len(self._lanes), *shape))
        self._answered = np.ones((len(self._lanes), len(lessons)))  # 0: a lane did not answer
        self._near = np.zeros((*shape, shape[1]), np.float32)  # cosines between the candidates of a lesson
        self.useful: _Lists = np.zeros(shape)
        self.elsewhere: _Lists = np.zeros(shape)
        self._memory_column = np.full(shape, len(memory.drawers))
        nothing = np.zeros_like(lessons[0].question)
        for row, (lesson, ids) in enumerate(zip(lessons, lists, strict=True)):
            here = [drawer in vectors for drawer in ids]
            size = len(ids)
            self.there[row, :size] = here
            for lane, name in enumerate(self._lanes[1:], start=1):
                known = lesson.candidates.evidence if lane == 1 else lesson.candidates.others.get(name)
                self._answered[lane, row] = known is not None
                self._evidence[lane, row, :size] = 0.0 if known is None else known
            rows = np.array([vectors.get(one, nothing) for one in ids], np.float32)
            self._near[row, :size, :size] = rows @ rows.T
            self.elsewhere[row, :size] = elsewhere[row]
            self.useful[row, :size] = [lesson.useful.get(drawer, 0.0) for drawer in ids]
            self._memory_column[row, :size] = [column.get(drawer, len(memory.drawers)) for drawer in ids]
        self.cosines = self._cosines(questions)
        best = -np.sort(-self.useful * self.there, axis=1)[:, :DEPTH]
        self._ideal = np.maximum((best * _DISCOUNT[: best.shape[1]]).sum(axis=1), 1e-9)

    def put(self, questions: Matrix) -> Replay:
        """Return the same replay with the questions put in another way, one row for each lesson."""
        other = copy(self)
        other.cosines = self._cosines(questions)
        return other

    def balanced(self, balance: Balance) -> Replay:
        """Return the same replay with lanes that count as given."""
        other = copy(self)
        other._balance = balance
        return other

    def _cosines(self, questions: Matrix) -> _Lists:
        cosines = np.zeros(self._shape)
        for row, ids in enumerate(self._lists):
            vectors = self._vectors
            cosines[row, : len(ids)] = [
                vectors[drawer] @ questions[row] if drawer in vectors else 0.0 for drawer in ids
            ]
        return cosines

    def bonuses(self, memory: QuestionMemory, gives: Sequence[np.ndarray]) -> _Lists:
        """Return what the candidates gain from memory.

        Args:
            gives: The weight of each remembered lesson for each replayed lesson.
        """
        return np.array(
            [np.append(memory.bonus(give), 0.0)[row] for give, row in zip(gives, self._memory_column, strict=True)]
        )

    def worth(self, bonus: np.ndarray | float = 0.0) -> Float64[np.ndarray, " lessons"]:
        """Return nDCG@10 of each lesson. Drawers without a judgement count as useless.

        Args:
            bonus: What is added to the scores of the candidates.
        """
        scores = self._scores(self.cosines) + bonus
        if self._rocchio.drawers:
            scores = self._scores(self._moved(self._best(scores, self._rocchio.drawers))) + bonus
        order = self._best(scores, DEPTH)
        found = np.take_along_axis(self.useful * self.there, order, axis=1)
        return (found * _DISCOUNT[: found.shape[1]]).sum(axis=1) / self._ideal

    def _scores(self, cosines: _Lists) -> _Lists:
        pooling = self._pooling.scaled(self._balance.factors)
        evidence = np.concatenate([pooling.cosines.evidence(cosines)[None], self._evidence[1:]])
        weights = pooling.weights_of(self._lanes)[:, None] * self._answered
        return pooling.scores(pooling.gains(shifted(evidence, self._lanes, self._balance.shift), weights), weights)

    def _best(self, scores: _Lists, count: int) -> np.ndarray:
        return np.argsort(-np.where(self.there, scores, -np.inf), axis=1, kind="stable")[:, :count]

    def _moved(self, best: np.ndarray) -> _Lists:
        """Return the cosines of the candidates to each question after it was moved towards some of them.

        With m the mean of these and w the weight of `Rocchio`, the question q becomes (q + w m) / |q + w m|. All that
        is needed of m are its products with q, with itself and with the candidates.
        """
        chosen = np.zeros(self._shape)
        np.put_along_axis(chosen, best, np.take_along_axis(self.there, best, axis=1), axis=1)
        chosen /= np.maximum(chosen.sum(axis=1, keepdims=True), 1.0)
        to_mean = (self._near @ chosen.astype(np.float32)[..., None])[..., 0]
        weight = self._rocchio.weight
        with_question = (self.cosines * chosen).sum(axis=1, keepdims=True)
        with_itself = (to_mean * chosen).sum(axis=1, keepdims=True)
        length = np.sqrt(1.0 + 2.0 * weight * with_question + weight**2 * with_itself)
        return (self.cosines + weight * to_mean) / np.maximum(length, 1e-9)

    def verdict(self, changed: np.ndarray, before: np.ndarray) -> ReplayResult:
        """Compare two searches lesson by lesson, weighted by the strength of the lessons."""
        weight = self._strength / max(float(self._strength.sum()), 1e-9)
        difference = changed - before
        gain = float(weight @ difference)
        return ReplayResult(gain, float(np.sqrt((weight**2) @ (difference - gain) ** 2)))


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
