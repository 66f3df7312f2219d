"""Several models as one: their vectors beside each other, each as long as it counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from graphpalace.domain.vectors import Matrix, Vector, unit_rows
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import DownloadFailed, WrongDimension
from graphpalace.settings.sections.embeddings import BUNDLED_MODEL


@dataclass(frozen=True, slots=True)
class JoinedPart:
    """One of the models.

    Attributes:
        weight: How much its cosine counts, above 0; those of all parts add up to 1.
        centre: What is taken from each of its vectors before they are compared, or None. The vectors of a model that
            all point in one direction have high cosines even if the texts have nothing in common; without the mean of
            all texts, these are near 0 (Mu and Viswanath, "All-but-the-Top", 2018).
    """

    embedder: Embedder
    weight: float
    centre: Vector | None = None


class JoinedEmbedder:
    """A model that consists of others.

    A vector is that of each part, of length sqrt(weight), one after the other. So the product of two vectors is the
    weighted mean of the cosines by the parts, and a vector has length one.

    Args:
        name: Name of the model.
        parts: The models, in the order in which their numbers are stored.
        dimension: Expected length of a vector.
    """

    def __init__(self, name: str, parts: Sequence[JoinedPart], *, dimension: int) -> None:
        self.name = name
        self.dimension = dimension
        self._parts = parts

    def load(self) -> None:
        """Load all models now.

        Raises:
            WrongDimension: If their vectors together do not have the expected length.
            DownloadFailed: If the files of one cannot be downloaded.
            EmbeddingFailed: If one cannot be loaded. Each may raise what else its own `load` does.
        """
        together = sum(part.embedder.dimension for part in self._parts)
        if self.dimension != together:
            raise WrongDimension(
                f"embeddings.dimension is {self.dimension}; {self.name} has dimension {together}",
                field="embeddings.dimension",
                expected=together,
            )
        for part in self._parts:
            try:
                part.embedder.load()
            except DownloadFailed as error:
                raise DownloadFailed(
                    f"{error.message} They are of the embedding model {self.name}. Without a network, set "
                    f"embeddings.model to {BUNDLED_MODEL}, which needs no download."
                ) from error

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each text, in order. Blocks; call it in a thread."""
        return self._joined(lambda embedder: embedder.embed(texts))

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each question, in order. Blocks; call it in a thread."""
        return self._joined(lambda embedder: embedder.embed_questions(texts))

    def _joined(self, vectors_by: Callable[[Embedder], Matrix]) -> Matrix:
        self.load()
        found = [(part, vectors_by(part.embedder)) for part in self._parts]
        return np.concatenate(
            [np.float32(sqrt(part.weight)) * _centred(rows, part.centre) for part, rows in found], axis=1
        )


def _centred(rows: Matrix, centre: Vector | None) -> Matrix:
    return rows if centre is None else unit_rows(rows - centre)
