"""Query feedback: a question moved towards what was found for it."""

from __future__ import annotations

from graphpalace.domain.vectors import Matrix, Vector, unit_rows


def moved_towards(question: Vector, found: Matrix, *, weight: float) -> Vector:
    """Return the question plus `weight` times the mean of what was found, at length one.

    Args:
        question: Embedding, length one.
        found: Embeddings of the best drawers, at least one row, length one each.
        weight: >= 0; 0 leaves the question as it is.

    Source: pseudo-relevance feedback (Rocchio 1971), positive part.
    """
    return unit_rows((question + weight * found.mean(axis=0))[None])[0]
