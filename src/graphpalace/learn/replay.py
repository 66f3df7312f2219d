"""Lessons asked again: what would their answers have been worth if the search had been another?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float64

from graphpalace.domain.lesson import LEARNED_LANES, Lesson
from graphpalace.domain.pooling import pooled
from graphpalace.domain.vectors import Matrix
from graphpalace.learn.question_memory import QuestionMemory

DEPTH = 10  # how much of an answer is judged

_DISCOUNT = 1.0 / np.log2(np.arange(2, DEPTH + 2))
Vectors = Mapping[str, np.ndarray]
_Lists = Float64[np.ndarray, "lessons candidates"]


@dataclass(frozen=True, slots=True)
class Pooling:
    """How the search makes one score of two lanes."""

    temperature: float = 0.5
    weights: Mapping[str, float] | None = None

    def scores(self, cosines: np.ndarray, text: np.ndarray, *, shift: float = 0.0) -> np.ndarray:
        """Return fused scores of drawers.

        Args:
            cosines: To the question.
            text: Evidence of the full-text lane, 0 to 1.
            shift: Logarithm of how much more the text counts than the cosine.
        """
        evidence = np.stack([np.clip(cosines, 0, 1) * np.exp(-shift / 2), text * np.exp(shift / 2)])
        weights = np.array([(self.weights or {}).get(lane, 1.0) for lane in LEARNED_LANES])
        return pooled(evidence, weights if weights.any() else np.ones(2), temperature=self.temperature)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a change is worth by replay.

    Attributes:
        gain: Mean change of nDCG@10.
        error: Standard error of that.
    """

    gain: float
    error: float

    def least(self, caution: float) -> float:
        """Return the gain less some standard errors."""
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
        """Lay the candidates of all lessons side by side.

        Args:
            lessons: At least one, each with something useful.
            questions: As they are asked now, one row per lesson.
            memory: Of all lessons; what it knows from the same asking is not used.
            vectors: Embeddings of the candidates; those that are gone are left out.
        """
        self._pooling = pooling
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
        lists = [lesson.candidates.ids for lesson in lessons]
        shape = len(lessons), max(map(len, lists))
        self.there: Bool[np.ndarray, "lessons candidates"] = np.zeros(shape, bool)
        self.cosines: _Lists = np.zeros(shape)
        self.text: _Lists = np.zeros(shape)
        self.useful: _Lists = np.zeros(shape)
        self.elsewhere: _Lists = np.zeros(shape)
        self._memory_column = np.full(shape, len(memory.drawers))
        for row, (lesson, ids) in enumerate(zip(lessons, lists, strict=True)):
            here = [drawer in vectors for drawer in ids]
            size = len(ids)
            self.there[row, :size] = here
            self.cosines[row, :size] = [
                vectors[drawer] @ questions[row] if drawer in vectors else 0.0 for drawer in ids
            ]
            self.text[row, :size] = lesson.candidates.evidence
            self.elsewhere[row, :size] = elsewhere[row]
            self.useful[row, :size] = [lesson.useful.get(drawer, 0.0) for drawer in ids]
            self._memory_column[row, :size] = [column.get(drawer, len(memory.drawers)) for drawer in ids]
        best = -np.sort(-self.useful * self.there, axis=1)[:, :DEPTH]
        self._ideal = np.maximum((best * _DISCOUNT[: best.shape[1]]).sum(axis=1), 1e-9)

    def bonuses(self, memory: QuestionMemory, gives: Sequence[np.ndarray]) -> _Lists:
        """Return what the candidates gain from memory.

        Args:
            gives: What each remembered lesson has to give to each lesson.
        """
        return np.array(
            [np.append(memory.bonus(give), 0.0)[row] for give, row in zip(gives, self._memory_column, strict=True)]
        )

    def worth(self, *, shift: float = 0.0, bonus: np.ndarray | float = 0.0) -> Float64[np.ndarray, " lessons"]:
        """Return nDCG@10 of each lesson by what is known to be useful; what nobody judged counts as useless."""
        scores = self._pooling.scores(self.cosines, self.text, shift=shift) + bonus
        order = np.argsort(-np.where(self.there, scores, -np.inf), axis=1, kind="stable")[:, :DEPTH]
        found = np.take_along_axis(self.useful * self.there, order, axis=1)
        return (found * _DISCOUNT[: found.shape[1]]).sum(axis=1) / self._ideal

    def verdict(self, changed: np.ndarray, before: np.ndarray) -> Verdict:
        """Compare two searches, lesson by lesson, the strong ones counting for more."""
        weight = self._strength / max(float(self._strength.sum()), 1e-9)
        difference = changed - before
        gain = float(weight @ difference)
        return Verdict(gain, float(np.sqrt((weight**2) @ (difference - gain) ** 2)))
