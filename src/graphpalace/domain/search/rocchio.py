"""Pseudo-relevance feedback: a question moved towards what was found for it."""

from __future__ import annotations

from dataclasses import dataclass

from graphpalace.domain.vectors import Matrix, Vector, unit_rows


@dataclass(frozen=True, slots=True)
class Rocchio:
    """Moves a question towards the best drawers.

    Attributes:
        drawers: How many of them, >= 0; 0 leaves the question where it is.
        weight: How far, >= 0.

    Source: pseudo-relevance feedback (Rocchio 1971), positive part.
    """

    drawers: int
    weight: float

    def moved(self, question: Vector, found: Matrix) -> Vector:
        """Return the question plus `weight` times the mean of what was found, at length one.

        Args:
            question: Embedding, length one.
            found: Embeddings of the best drawers, length one each; without any the question stays where it is.
        """
        if not len(found):
            return question
        return unit_rows((question + self.weight * found.mean(axis=0))[None])[0]
