"""A: documents with the wanted codes gain a share of their own score (seed 004, 6.2)."""

from __future__ import annotations

from jaxtyping import Float
from numpy import ndarray


def boost(overlap: Float[ndarray, " documents"], *, alpha: float) -> Float[ndarray, " documents"]:
    """Return the factor for each document's score in a lane, 1 to 1 + alpha.

        s'(d) = s(d) (1 + alpha norm(g(d))),  norm(g) = g / largest g

    It multiplies a reciprocal rank score, so it can never swamp it, whatever its scale.

    Args:
        overlap: g of all documents of the fusion, 0 to 1.
        alpha: Of the lane, 0 to 1.
    """
    best = overlap.max(initial=0.0)
    return 1 + alpha * (overlap / best if best > 0 else overlap)
