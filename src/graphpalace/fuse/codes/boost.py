"""Boosts documents that carry wanted classification codes (seed 004, 6.2, method A)."""

from __future__ import annotations

from jaxtyping import Float
from numpy import ndarray


def boost(overlap: Float[ndarray, " documents"], *, alpha: float) -> Float[ndarray, " documents"]:
    """Return the factor on each document's score in a lane, 1 to 1 + alpha.

        s'(d) = s(d) (1 + alpha norm(g(d))),  norm(g) = g / largest g

    Because it is a factor, it cannot outweigh the score, whatever the scale of the score.

    Args:
        overlap: g, the overlap of each document of the fusion with the profile, 0 to 1.
        alpha: Strength of the boost in this lane, 0 to 1.

    Source: seed 004, 6.2.
    """
    best = overlap.max(initial=0.0)
    return 1 + alpha * (overlap / best if best > 0 else overlap)
