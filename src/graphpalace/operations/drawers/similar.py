"""Find the drawers that new or changed drawers are linked to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphpalace.domain.vectors import Matrix
from graphpalace.ingest.link import nearest_before
from graphpalace.vectors.drawer_matrix import DrawerMatrix


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
