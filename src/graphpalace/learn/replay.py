"""Replay: how good would the answers to past questions have been with a changed search?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Bool, Float64

from graphpalace.domain.learning.feedback import LEARNED_LANES, Lesson
from graphpalace.domain.search.evidence import Pooling, shifted
from graphpalace.domain.search.pseudo_feedback import Rocchio
from graphpalace.domain.vectors import Matrix
from graphpalace.learn.question_memory import QuestionMemory

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
