"""How the questions of a wing have to be put so that its drawers answer them: a linear map of question embeddings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.lesson import Lesson
from graphpalace.domain.vectors import Matrix, Vector, unit_rows

Square = Float64[np.ndarray, "dimension dimension"]


@dataclass(frozen=True, slots=True)
class Sums:
    """What a fit needs to know of lessons; those of two sets add up.

    Attributes:
        questions: Sum of s q q', with the strength s of each lesson and reward.
        targets: Sum of s q t', with the target t of each.
    """

    questions: Square
    targets: Square

    def __add__(self, other: Sums) -> Sums:
        """Return the sums of both sets."""
        return Sums(self.questions + other.questions, self.targets + other.targets)

    def __sub__(self, other: Sums) -> Sums:
        """Return the sums of the first set without the second."""
        return Sums(self.questions - other.questions, self.targets - other.targets)


def sums_of(lessons: Sequence[Lesson], vectors: Callable[[Sequence[str]], Matrix], *, dimension: int) -> Sums:
    """Return the sums of some lessons.

    A lesson's target, for each useful drawer d of a question q, is t = (q + d) / 2 + (d - n): half-way to what helped,
    and away from n, the mean of what was shown and not found useful.

    Args:
        vectors: Gives the embeddings (length one) of those of some drawers that are still there.

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
        return Sums(np.zeros((dimension, dimension)), np.zeros((dimension, dimension)))
    asked = np.asarray(rows, np.float64)
    weighted = asked * np.asarray(weights)[:, None]
    return Sums(weighted.T @ asked, weighted.T @ np.asarray(aims, np.float64))


def fitted(sums: Sums, *, prior: float) -> Matrix:
    """Return the map W that minimises  sum of s |q W - t|^2 + prior |W - I|^2.

    Args:
        prior: Worth how many lessons it is that a question is best left as it is, > 0.

    Example:
        >>> nothing = Sums(np.zeros((2, 2)), np.zeros((2, 2)))
        >>> fitted(nothing, prior=2.5).tolist()
        [[1.0, 0.0], [0.0, 1.0]]

    Source: ridge regression (Hoerl and Kennard 1970) towards the identity.
    """
    identity = prior * np.eye(len(sums.questions))
    return np.linalg.solve(sums.questions + identity, sums.targets + identity).astype(np.float32)


def mapped(questions: Matrix, by: Matrix) -> Matrix:
    """Return questions as a map puts them, at length one."""
    return unit_rows(questions @ by)
