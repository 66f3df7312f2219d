"""Replay: how good would the answers to past questions have been with a changed search?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float64

from graphpalace.domain.learning.lesson import LEARNED_LANES, Lesson
from graphpalace.domain.search.pooling import Pooling
from graphpalace.domain.vectors import Matrix
from graphpalace.learn.question_memory import QuestionMemory

DEPTH = 10  # hits of an answer that count

_DISCOUNT = 1.0 / np.log2(np.arange(2, DEPTH + 2))
Vectors = Mapping[str, np.ndarray]
_Lists = Float64[np.ndarray, "lessons candidates"]


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


class Replay:
    """The candidates of some lessons, and which of them were useful."""

    def __init__(
        self,
        lessons: Sequence[Lesson],
        questions: Matrix,
        memory: QuestionMemory,
        vectors: Vectors,
        *,
        pooling: Pooling,
    ) -> None:
        """Collect the candidates of all lessons.

        Args:
            lessons: At least one, each with a useful drawer.
            questions: The current embeddings of the questions, one row for each lesson.
            memory: The memory of all lessons. What a lesson taught itself is not used for its own question.
            vectors: Embeddings of the candidates, without drawers that no longer exist.
        """
        weighed = pooling.weights_of(LEARNED_LANES).any()
        self._pooling = pooling if weighed else Pooling(pooling.temperature)
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
        self.text: _Lists = np.zeros(shape)
        self.useful: _Lists = np.zeros(shape)
        self.elsewhere: _Lists = np.zeros(shape)
        self._memory_column = np.full(shape, len(memory.drawers))
        for row, (lesson, ids) in enumerate(zip(lessons, lists, strict=True)):
            here = [drawer in vectors for drawer in ids]
            size = len(ids)
            self.there[row, :size] = here
            self.text[row, :size] = lesson.candidates.evidence
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

    def worth(self, *, shift: float = 0.0, bonus: np.ndarray | float = 0.0) -> Float64[np.ndarray, " lessons"]:
        """Return nDCG@10 of each lesson. Drawers without a judgement count as useless."""
        evidence = np.stack([np.clip(self.cosines, 0, 1), self.text])
        scores = self._pooling.pooled(evidence, LEARNED_LANES, shift=shift) + bonus
        order = np.argsort(-np.where(self.there, scores, -np.inf), axis=1, kind="stable")[:, :DEPTH]
        found = np.take_along_axis(self.useful * self.there, order, axis=1)
        return (found * _DISCOUNT[: found.shape[1]]).sum(axis=1) / self._ideal

    def verdict(self, changed: np.ndarray, before: np.ndarray) -> ReplayResult:
        """Compare two searches lesson by lesson, weighted by the strength of the lessons."""
        weight = self._strength / max(float(self._strength.sum()), 1e-9)
        difference = changed - before
        gain = float(weight @ difference)
        return ReplayResult(gain, float(np.sqrt((weight**2) @ (difference - gain) ** 2)))
