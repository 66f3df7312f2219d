"""Embed the new drawers of an ingest, and link new and changed drawers to their nearest neighbours."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphpalace.domain.drawers.names import embedded_text
from graphpalace.domain.drawers.records import DrawerRecord
from graphpalace.domain.vectors import Matrix
from graphpalace.embedding.embedder import Embedder
from graphpalace.embedding.long_texts import give_vectors
from graphpalace.embedding.measured_models import scale_of
from graphpalace.ingest.link import nearest_before
from graphpalace.operations.drawers.older_drawers import find_older, time_ms
from graphpalace.vectors.drawer_matrix import DrawerMatrix
from graphpalace.vectors.drawer_rows import DrawerRows

LARGEST_BATCH, _SMALLEST_BATCH = 1000, 100
_BATCH_S = 5.0  # after the first batch, a batch holds as many drawers as can be embedded in about this time

_LINK_BLOCK = 512  # drawers that are linked in one step: compared with each other and with all earlier drawers


class DrawerLinker:
    """Embeds and links drawers, batch by batch.

    Attributes:
        batch_drawers: Number of drawers that the next batch should have. It follows the speed of the embedder.
    """

    def __init__(self, embedder: Embedder, *, largest_batch: int, similar_k: int, similar_threshold: float) -> None:
        """Create a linker.

        Args:
            largest_batch: Largest number of drawers in a batch, >= 1.
            similar_k: Largest number of neighbours that a drawer is linked to.
            similar_threshold: Least cosine of two drawers for a link.
        """
        self._embedder = embedder
        self._largest_batch = largest_batch
        self._similar_k = similar_k
        self._similar_threshold = similar_threshold
        self.batch_drawers = min(_SMALLEST_BATCH, largest_batch)

    def add(self, drawers: Sequence[DrawerRecord], matrix: DrawerMatrix, *, wing: str | None = None) -> None:
        """Embed and link those drawers that are not in the matrix yet, and add them to it.

        Args:
            wing: Id of their wing, in which older drawers are looked for that they may be news on, if it is known when
                they were said; None: none are looked for.
        """
        new = [drawer for drawer in drawers if drawer.id not in matrix]
        if not new:
            return
        started = time.monotonic()
        for drawer in new:
            if not drawer.indexed:
                drawer.vector = np.zeros(self._embedder.dimension, np.float32)
        unknown = [drawer for drawer in new if drawer.vector is None]
        if unknown:  # an embedder may load its model on the first call, so it is called only if needed
            give_vectors(self._embedder, unknown, [embedded_text(drawer.name, drawer.text) for drawer in unknown])
        rate = len(new) / max(time.monotonic() - started, 1e-3)
        largest = self._largest_batch
        self.batch_drawers = max(min(_SMALLEST_BATCH, largest), min(round(rate * _BATCH_S), largest))
        vectors = np.stack([drawer.vector for drawer in new if drawer.vector is not None])
        for start in range(0, len(new), _LINK_BLOCK):
            part = new[start : start + _LINK_BLOCK]
            self._link(part, vectors[start : start + _LINK_BLOCK], matrix, wing=wing or "")
            if wing is not None:
                scale = scale_of(self._embedder.name)
                find_older(part, [wing] * len(part), matrix, scale=scale, now=None)

    def _link(self, new: list[DrawerRecord], vectors: Matrix, matrix: DrawerMatrix, *, wing: str) -> None:
        """Link each new drawer to its nearest neighbours among the earlier ones, and add it to the matrix."""
        k, threshold = self._similar_k, self._similar_threshold
        rows, cosines = matrix.neighbours(vectors, k=k, threshold=threshold)
        links = nearest_before(vectors, cosines, k=k, threshold=threshold)
        known = rows.shape[1]
        left = [at for at, near in enumerate(links) for _ in near]
        others = [
            matrix.ids[rows[at, column]] if column < known else new[column - known].id
            for at, near in enumerate(links)
            for column, _ in near
        ]
        times = [time_ms(drawer.occurred_at) for drawer in new]
        matrix.put(DrawerRows([drawer.id for drawer in new], [wing] * len(new), [""] * len(new), times, vectors))
        # The last digits of these cosines depend on the batches. Compute the stored ones again, independently of them.
        exact = np.einsum("ij,ij->i", vectors[left].astype(np.float64), matrix.vectors_of(others).astype(np.float64))
        for drawer in new:
            drawer.similar = []
        for at, other, cosine in zip(left, others, exact.round(6).tolist(), strict=True):
            new[at].similar.append((other, cosine))


@dataclass(frozen=True, slots=True)
class SimilarRule:
    """Which drawers a drawer is linked to.

    Attributes:
        k: Largest number of links of a new drawer.
        threshold: Lowest cosine of a link.
    """

    k: int = 5
    threshold: float = 0.5

    def links(
        self, ids: Sequence[str], vectors: Matrix, matrix: DrawerMatrix, *, itself: str | None = None
    ) -> list[list[tuple[str, float]]]:
        """Return for each new drawer the ids and cosines of its nearest earlier drawers, best first.

        Args:
            ids: Ids of the new drawers, in order of arrival.
            vectors: Their vectors, of length one.
            matrix: The drawers that are stored.
            itself: A drawer of the matrix that is left out, because it is the one that is linked.
        """
        rows, cosines = matrix.neighbours(vectors, k=self.k + (itself is not None))
        known = rows.shape[1]
        if itself is not None:
            own = np.array([[matrix.ids[row] == itself for row in line] for line in rows]).reshape(rows.shape)
            order = np.argsort(own, axis=1, kind="stable")  # the drawer itself comes last, and is cut off
            rows, cosines = np.take_along_axis(rows, order, 1), np.take_along_axis(cosines, order, 1)
            known = min(known - int(own.any()), self.k)
            rows, cosines = rows[:, :known], cosines[:, :known]
        near = nearest_before(vectors, cosines, k=self.k, threshold=self.threshold)
        names = [[*(matrix.ids[row] for row in line), *ids] for line in rows[:, :known]]
        return [[(others[column], cosine) for column, cosine in line] for others, line in zip(names, near, strict=True)]
