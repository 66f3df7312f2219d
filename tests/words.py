"""A small fake beside the embedding models: texts that share words are near each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b

import numpy as np

from graphpalace.domain.vectors import Matrix, unit_rows


class WordEmbedder:
    """Sums a fixed random direction for each word of a text."""

    name = "words"
    dimension = 384

    def load(self) -> None:
        """Do nothing: it is ready."""

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector a text."""
        rows = [sum((_direction(word) for word in re.findall(r"\w+", text.lower())), _direction("")) for text in texts]
        return unit_rows(np.stack(rows).astype(np.float32)) if rows else np.empty((0, self.dimension), np.float32)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return one vector a question, as for any text."""
        return self.embed(texts)


class ShortEmbedder(WordEmbedder):
    """Another model, whose vectors are shorter."""

    name = "short words"
    dimension = 96

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return every fourth number of the longer vector of each text."""
        return unit_rows(super().embed(texts)[:, ::4].copy())


@cache
def _direction(word: str) -> np.ndarray:
    seed = int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "little")
    scale = 0.1 if word in {"", "the", "a", "of", "and", "is", "to", "in"} else 1.0
    return np.random.default_rng(seed).standard_normal(384) * scale
