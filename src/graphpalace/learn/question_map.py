"""A linear map of question embeddings that moves the questions of a wing closer to the drawers that answer them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.learning.feedback import Lesson
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
