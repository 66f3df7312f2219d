"""How sure lanes are of a drawer, as one number."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

_Evidence = Float[np.ndarray, "lanes ..."]
_Scores = Float[np.ndarray, "..."]


def pooled(evidence: _Evidence, weights: Float[np.ndarray, " lanes"], *, temperature: float) -> _Scores:
    """Return T ln( sum of w exp(e / T) / sum of w ) over the lanes.

    Args:
        evidence: e, >= 0.
        weights: w, >= 0, not all 0.
        temperature: T, >= 0.01.

    Example:
        >>> pooled(np.array([[0.8], [0.0]]), np.array([1.0, 1.0]), temperature=0.5).round(3).tolist()
        [0.545]

    Source: `fuse.evidence`.
    """
    gained = np.tensordot(weights, np.expm1(evidence / temperature), axes=1)
    return temperature * np.log1p(gained / weights.sum())
