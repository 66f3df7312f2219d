"""What answered questions teach about new ones: a map of their embeddings, and memories of similar ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.learning.feedback import AnsweredQuestion, Lesson, NarrativeMemory
from graphpalace.domain.vectors import Matrix, Vector, unit_rows

Square = Float64[np.ndarray, "dimension dimension"]


@dataclass(frozen=True, slots=True)
class NormalEquations:
    """The sums over lessons that a fit needs. The sums of two sets of lessons can be added.

    Attributes:
        questions: Sum of s q q', with the strength s of each lesson and reward.
        targets: Sum of s q t', with the target t of each lesson.
    """

    questions: Square
    targets: Square

    def __add__(self, other: NormalEquations) -> NormalEquations:
        """Return the sums of both sets."""
        return NormalEquations(self.questions + other.questions, self.targets + other.targets)

    def __sub__(self, other: NormalEquations) -> NormalEquations:
        """Return the sums of the first set without the second."""
        return NormalEquations(self.questions - other.questions, self.targets - other.targets)


def sums_of(
    lessons: Sequence[Lesson], vectors: Callable[[Sequence[str]], Matrix], *, dimension: int
) -> NormalEquations:
    """Return the sums of some lessons.

    A lesson's target, for each useful drawer d of a question q, is t = (q + d) / 2 + (d - n): half-way to what helped,
    and away from n, the mean of what was shown and not found useful.

    Args:
        vectors: Returns the embeddings (length one) of the given drawers that still exist.

    Source: the ideal query of Rocchio (1971) as the target of a ridge regression.
    """
    rows: list[Vector] = []
    aims: list[Vector] = []
    weights: list[float] = []
    for lesson in lessons:
        shown = lesson.candidates.ids[: lesson.candidates.shown]
        others = vectors(sorted({*shown, *lesson.useless} - lesson.useful.keys()))
        away = others.mean(axis=0) if len(others) else np.zeros(dimension, np.float32)
        for drawer, reward in lesson.useful.items():
            for helped in vectors([drawer]):
                rows.append(lesson.question)
                aims.append((lesson.question + helped) / 2 + helped - away)
                weights.append(reward * lesson.strength)
    if not rows:
        return NormalEquations(np.zeros((dimension, dimension)), np.zeros((dimension, dimension)))
    asked = np.asarray(rows, np.float64)
    weighted = asked * np.asarray(weights)[:, None]
    return NormalEquations(weighted.T @ asked, weighted.T @ np.asarray(aims, np.float64))


def fitted(sums: NormalEquations, *, prior: float) -> Matrix:
    """Return the map W that minimises  sum of s |q W - t|^2 + prior |W - I|^2.

    Args:
        prior: Weight of leaving questions unchanged, in lessons, > 0.

    Example:
        >>> nothing = NormalEquations(np.zeros((2, 2)), np.zeros((2, 2)))
        >>> fitted(nothing, prior=2.5).tolist()
        [[1.0, 0.0], [0.0, 1.0]]

    Source: ridge regression (Hoerl and Kennard 1970) towards the identity.
    """
    identity = prior * np.eye(len(sums.questions))
    return np.linalg.solve(sums.questions + identity, sums.targets + identity).astype(np.float32)


def mapped(questions: Matrix, by: Matrix) -> Matrix:
    """Return questions moved by a map, at length one."""
    return unit_rows(questions @ by)


LEAST_SHARE = 0.95  # a remembered question is the same if it has at least this share of the words
ENOUGH_BACK = 0.5  # and counts fully if at least this share of its own words is in the new question
ENOUGH_COSINE = 0.5
SAME = 0.99  # from this value of `QuestionMemory.same` on, the question was asked before
_PerLesson = Float64[np.ndarray, " lessons"]
SHARE = 0.3  # weight of an answer with full reward; with the .01 of the seed, a hundred answers would hardly count
_NOTHING = 0.001


def words_of(query: str) -> frozenset[str]:
    """Return the words of a question, in lower case."""
    return frozenset("".join(char if char.isalnum() else " " for char in query.casefold()).split())


class QuestionMemory:
    """Remembers which drawers were useful and which were not, for each question."""

    def __init__(self, lessons: Sequence[Lesson], *, dimension: int) -> None:
        """Store the questions and drawers of the lessons."""
        self.lessons = lessons
        self._questions = np.array([lesson.question for lesson in lessons], np.float32).reshape(-1, dimension)
        words = [words_of(lesson.query) for lesson in lessons]
        having: dict[str, list[int]] = defaultdict(list)
        for at, known in enumerate(words):
            for word in known:
                having[word].append(at)
        self._having = {word: np.array(rows) for word, rows in having.items()}
        count = len(lessons)
        self._rarity = {word: np.log1p((count - len(at) + 0.5) / (len(at) + 0.5)) for word, at in having.items()}
        self._unseen = float(np.log1p((count + 0.5) / 0.5))
        self._weight = np.array([sum(self._rarity[word] for word in known) for known in words])
        self.drawers = list(dict.fromkeys(drawer for lesson in lessons for drawer in (*lesson.useful, *lesson.useless)))
        column = {drawer: at for at, drawer in enumerate(self.drawers)}
        pairs = [
            (at, column[drawer], sign * reward * lesson.strength)
            for at, lesson in enumerate(lessons)
            for sign, rewards in ((1, lesson.useful), (-1, lesson.useless))
            for drawer, reward in rewards.items()
        ]
        rows, columns, values = zip(*pairs, strict=True) if pairs else ((), (), ())
        self._rows, self._columns = np.array(rows, np.int64), np.array(columns, np.int64)
        self._values = np.array(values, np.float64)
        self._useful: dict[str, list[int]] = defaultdict(list)  # pairs by drawer
        for pair, (_, at, value) in enumerate(pairs):
            if value > 0:
                self._useful[self.drawers[at]].append(pair)

    def __len__(self) -> int:
        """Return the number of remembered lessons."""
        return len(self.lessons)

    def cosines(self, question: Vector) -> _PerLesson:
        """Return the cosine of each remembered question to a question, -1 to 1."""
        return (self._questions @ question).astype(np.float64)

    def same(self, query: str, question: Vector) -> _PerLesson:
        """Return, from 0 to 1, how far each remembered question is the same question. The new one may lack some words.

        A remembered question is the same if it has at least 95 % of the words of the new question, weighted by rarity.
        It counts less if the new question has less than half of its words, or the cosine is below .5. Rarity is the
        logarithm of BM25's inverse document frequency over the remembered questions.
        """
        common = np.zeros(len(self))
        total = 0.0
        for word in words_of(query):
            total += self._rarity.get(word, self._unseen)
            if word in self._having:
                common[self._having[word]] += self._rarity[word]
        same = np.zeros(len(self))
        if not total:
            return same
        share = (common / total - LEAST_SHARE) / (1 - LEAST_SHARE)
        near = np.flatnonzero(share > 0)  # only these few embeddings are compared
        back = common[near] / np.maximum(self._weight[near], 1e-9) / ENOUGH_BACK
        cosine = self._questions[near] @ question / ENOUGH_COSINE
        same[near] = np.clip(share[near], 0, 1) * np.clip(back, 0, 1) * np.clip(cosine, 0, 1)
        return same

    def elsewhere(self, question: Vector, same: _PerLesson, drawers: Sequence[str]) -> Float64[np.ndarray, " drawers"]:
        """Return how much each of the given drawers answered other questions, 0 to 1.

        This is the greatest strength x reward x cosine of any lesson about another question.

        Args:
            same: How far the question of each lesson is the same question, 0 to 1 (see `same`).
        """
        answered = np.zeros(len(drawers))
        found = [(at, pair) for at, drawer in enumerate(drawers) for pair in self._useful.get(drawer, ())]
        if found:
            at, pair = np.array(found).T
            lessons = self._rows[pair]
            cosine = np.maximum(self._questions[lessons] @ question, 0.0)
            np.maximum.at(answered, at, self._values[pair] * cosine * (1.0 - same[lessons]))
        return answered

    def bonus(self, of: _PerLesson) -> Float64[np.ndarray, " drawers"]:
        """Return what each of `drawers` gains: the greatest gain from any lesson minus the greatest loss.

        Args:
            of: The weight of each lesson, >= 0.
        """
        used = np.flatnonzero(of[self._rows] > 0) if len(self._rows) else self._rows
        worth = of[self._rows[used]] * self._values[used]
        gains, losses = np.zeros(len(self.drawers)), np.zeros(len(self.drawers))
        np.maximum.at(gains, self._columns[used], worth)
        np.minimum.at(losses, self._columns[used], worth)
        return gains + losses


def alike(cosine: _PerLesson, *, floor: float) -> _PerLesson:
    """Return max(0, cosine - floor) / (1 - floor). Cosines below the floor count as 0 (seed 001).

    >>> alike(np.array([0.3, 0.75]), floor=0.5).tolist()
    [0.0, 0.5]
    """
    return np.maximum(cosine - floor, 0.0) / (1.0 - floor)


def remembering(
    memory: NarrativeMemory | None, question: Vector, *, reward: float, cycle: int, rate: float
) -> NarrativeMemory:
    """Return a drawer's memory after it answered one more question.

    With a = .3 reward and s = strength (1 - rate)^(cycles since), s becomes s + a (1 - s), and the memory becomes the
    mean of itself and the question, weighted by (1 - a) s and a, at length one. So no single question dominates it.

    Args:
        memory: None if the drawer has no memory yet.
        reward: Above 0, at most 1.
        cycle: The cycle of the answer.
        rate: Share of the strength that is lost in a cycle, 0 to 1.

    Source: seed 001, exponential moving average, kept per drawer.
    """
    share = SHARE * reward
    if memory is None:
        return NarrativeMemory(question, share, cycle)
    left = memory.strength * (1.0 - rate) ** max(cycle - memory.cycle, 0)
    if left < _NOTHING:
        return NarrativeMemory(question, share, cycle)
    mixed = unit_rows(((1.0 - share) * left * memory.vector + share * question)[None])[0]
    return NarrativeMemory(mixed, left + share * (1.0 - left), max(cycle, memory.cycle))


def remembered(answers: Iterable[AnsweredQuestion], *, rate: float) -> NarrativeMemory | None:
    """Return the memory after some answers, given oldest first; None if there are none."""
    memory: NarrativeMemory | None = None
    for question, reward, cycle in answers:
        memory = remembering(memory, question, reward=reward, cycle=cycle, rate=rate)
    return memory
