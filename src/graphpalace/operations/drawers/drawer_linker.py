"""Embed new drawers, and link new and changed ones to their neighbours and to older ones that they may replace."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

import numpy as np

from graphpalace.domain.drawers.drawer_text import embedded_text
from graphpalace.domain.drawers.records import DrawerRecord
from graphpalace.domain.search.evidence import EvidenceScale
from graphpalace.domain.vectors import Matrix
from graphpalace.embedding.embedder import Embedder, give_vectors
from graphpalace.embedding.measured_models import scale_of
from graphpalace.ingest.link import nearest_before
from graphpalace.ingest.news import NEAREST
from graphpalace.vectors.drawer_matrix import DrawerMatrix
from graphpalace.vectors.drawer_rows import DrawerRows

NO_TIME = 2**62  # of a drawer whose time is not known, so that it is older than none


def find_older(
    records: Sequence[DrawerRecord],
    wings: Sequence[str],
    matrix: DrawerMatrix,
    *,
    scale: EvidenceScale,
    now: datetime | None,
) -> None:
    """Give new drawers the nearest older drawers of their wings, among those of a matrix and each other.

    Args:
        records: Drawers with vectors.
        wings: Id of the wing of each of them.
        matrix: May have some of them.
        scale: That of the model.
        now: When those are said whose time is not known, which are not older than each other; None: what has no time
            is news on nothing.
    """
    said = [record.occurred_at or now for record in records]
    by_wing: dict[str, list[int]] = defaultdict(list)
    for at, (record, wing) in enumerate(zip(records, wings, strict=True)):
        if said[at] is not None and record.indexed and record.vector is not None:
            by_wing[wing].append(at)
    for wing, places in by_wing.items():
        own = [records[at] for at in places]
        vectors = np.stack([record.vector for record in own if record.vector is not None])
        times = [time_ms(said[at]) for at in places]
        matrices = [matrix]
        if len(own) > 1 and own[0].id not in matrix:
            beside = DrawerMatrix(matrix.dimension)
            beside.put(DrawerRows([one.id for one in own], [wing] * len(own), [""] * len(own), times, vectors))
            matrices.append(beside)
        for record, older in zip(own, older_of_each(matrices, vectors, wing, times, scale=scale), strict=True):
            record.older = older


def older_of_each(
    matrices: Sequence[DrawerMatrix],
    vectors: Matrix,
    wing: str,
    before_ms: Sequence[int],
    *,
    scale: EvidenceScale,
    itself: str = "",
) -> list[list[tuple[str, float]]]:
    """Return for each vector the nearest older drawers of a wing in some matrices, with their cosines on a scale.

    Args:
        vectors: Unit vectors.
        before_ms: When each was said, as `time_ms` has it.
        itself: Id of a drawer that is left out.
    """
    found = [matrix.nearest_older(vectors, wing=wing, before_ms=before_ms, limit=NEAREST + 1) for matrix in matrices]

    def best(near: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
        ordered = sorted((one for one in near if one[0] != itself), key=lambda one: (-one[1], one[0]))
        return [(drawer, round(float(scale.placed(cosine)), 6)) for drawer, cosine in ordered[:NEAREST]]

    return [best(chain.from_iterable(some)) for some in zip(*found, strict=True)]


def time_ms(moment: datetime | None) -> int:
    """Return a time in milliseconds since 1970, as a matrix has it; `NO_TIME` if it is not known."""
    return NO_TIME if moment is None else int(moment.timestamp() * 1000)


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
        """As `embed`, and then `link`."""
        self.embed(drawers, matrix)
        self.link(drawers, matrix, wing=wing)

    def embed(self, drawers: Sequence[DrawerRecord], matrix: DrawerMatrix) -> None:
        """Give vectors to those drawers that have none and are not in the matrix yet. Several threads may call it."""
        new = [drawer for drawer in drawers if drawer.id not in matrix]
        if not new:
            return
        started = time.monotonic()
        self._give_vectors(new)
        rate = len(new) / max(time.monotonic() - started, 1e-3)
        largest = self._largest_batch
        self.batch_drawers = max(min(_SMALLEST_BATCH, largest), min(round(rate * _BATCH_S), largest))

    def link(self, drawers: Sequence[DrawerRecord], matrix: DrawerMatrix, *, wing: str | None = None) -> None:
        """Link those drawers that are not in the matrix yet, and add them to it. `embed` gave them vectors.

        Args:
            wing: Id of their wing, in which older drawers are looked for that they may be news on, if it is known when
                they were said; None: none are looked for.
        """
        new = [drawer for drawer in drawers if drawer.id not in matrix]
        if not new:
            return
        self._give_vectors(new)  # to those that have left the matrix since the others got theirs
        vectors = np.stack([drawer.vector for drawer in new if drawer.vector is not None])
        for start in range(0, len(new), _LINK_BLOCK):
            part = new[start : start + _LINK_BLOCK]
            self._link(part, vectors[start : start + _LINK_BLOCK], matrix, wing=wing or "")
            if wing is not None:
                scale = scale_of(self._embedder.name)
                find_older(part, [wing] * len(part), matrix, scale=scale, now=None)

    def _give_vectors(self, new: Sequence[DrawerRecord]) -> None:
        for drawer in new:
            if not drawer.indexed:
                drawer.vector = np.zeros(self._embedder.dimension, np.float32)
        unknown = [drawer for drawer in new if drawer.vector is None]
        if unknown:  # an embedder may load its model on the first call, so it is called only if needed
            give_vectors(self._embedder, unknown, [embedded_text(drawer.name, drawer.text) for drawer in unknown])

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
