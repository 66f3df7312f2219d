"""How cosines and scores of words become evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from jaxtyping import Float

CHANCE = 12.0  # score of BM25 at which the doubt whether words are shared by chance is halved
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


def evidence_of_words(scores: _Array, most: float) -> _Array:
    """Return the evidence of scores of BM25: the share r of the most, to a power that falls with the score s.

        e = r ^ (1 + C / (C + s)),  r = max(s, 0) / most, at most 1,  C = 12

    BM25 adds up how much each shared word tells (in nats, by the model of Robertson and Sparck Jones). Where that is
    little, a passage may have the words by chance, and only one that has nearly all words of the question is sure.
    Where it is much, as for a long question, the share itself is the evidence.

    Args:
        scores: Scores of the lane, >= 0.
        most: The greatest score that the question could reach, > 0.

    Example:
        >>> evidence_of_words(np.array([8.0, 4.0, 2.0]), 8.0).round(3).tolist()
        [1.0, 0.297, 0.076]
    """
    reached = np.maximum(scores, 0.0)
    return np.minimum(reached / most, 1.0) ** (1.0 + CHANCE / (CHANCE + reached))
