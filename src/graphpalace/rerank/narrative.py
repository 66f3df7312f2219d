"""Narrative memory: a drawer scores higher for questions like those it answered (seed 001, "Narrative Memory")."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.vectors import Matrix, Vector

_Column = Float64[np.ndarray, " drawers"]


def narrative_bonus(question: Vector, memories: Matrix, strengths: _Column, *, floor: float) -> _Column:
    """Return strength x max(0, cos(question, memory) - floor) of each drawer, 0 to 1.

    Each drawer has its own memory, so an answer of one drawer does not help others. A strength of 0 gives no bonus.

    Args:
        question: Length one.
        memories: Mean directions of the questions that each drawer answered; any length, zeros for none.
        strengths: Values outside 0 to 1 are limited to it.
        floor: Least cosine that counts, 0 to 1.

    Example:
        >>> east = np.array([1, 0], np.float32)
        >>> narrative_bonus(east, east[None], np.array([0.5]), floor=0.5).tolist()
        [0.25]

    Source: seed 001, "Narrative Memory".
    """
    lengths = np.linalg.norm(memories, axis=1).astype(np.float64)
    cosines = (memories @ question) / np.where(lengths > 0, lengths, 1.0)
    above = np.clip(cosines, 0.0, 1.0) - floor
    return np.clip(strengths, 0.0, 1.0) * np.where(lengths > 0, np.maximum(above, 0.0), 0.0)
