"""How a cosine becomes evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from jaxtyping import Float

_Array = Float[np.ndarray, "..."]
_Cosines = TypeVar("_Cosines", float, _Array)


@dataclass(frozen=True, slots=True)
class EvidenceScale:
    """What the cosines of one embedding model mean.

    Models differ: a text that has nothing to do with a question has a cosine near 0 by all-MiniLM-L6-v2, and one from
    .4 to .6 by bge-small-en-v1.5. Without a scale of its own, everything would fit by bge.

    Attributes:
        none: Cosine at which a text does not fit a question at all, -1 to 1.
        full: Cosine at which a text fits as well as any can, above `none`.
    """

    none: float = 0.0
    full: float = 1.0

    def placed(self, cosines: _Cosines) -> _Cosines:
        """Return the place of each cosine between `none`, 0, and `full`, 1; it may be beyond them.

        >>> EvidenceScale(0.25, 0.75).placed(0.625)
        0.75
        """
        return (cosines - self.none) / (self.full - self.none)

    def evidence(self, cosines: _Array) -> _Array:
        """Return the evidence of each cosine, 0 to 1."""
        return np.clip(self.placed(cosines), 0.0, 1.0)


COSINE_IS_EVIDENCE = EvidenceScale()
