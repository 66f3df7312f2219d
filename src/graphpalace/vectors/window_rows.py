"""The vectors of the windows of long texts, of which the one nearest to a question counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphpalace.domain.vectors import Matrix, Vector


class WindowRows:
    """The windows of the drawers of a palace that have long texts."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._of: dict[str, Matrix] = {}
        self._all: tuple[list[str], Matrix, np.ndarray] | None = None  # the drawers, all rows, where each begins

    def __bool__(self) -> bool:
        return bool(self._of)

    def put(self, drawer: str, windows: Matrix | None) -> None:
        """Replace the windows of a drawer; None: it has none."""
        if windows is not None or drawer in self._of:
            self._all = None
            if windows is None:
                del self._of[drawer]
            else:
                self._of[drawer] = windows

    def best(self, question: Vector) -> dict[str, float]:
        """Return the highest cosine of a window of each drawer to a question, a unit vector."""
        if not self._of:
            return {}
        if self._all is None:
            drawers = list(self._of)
            starts = np.cumsum([0, *(len(self._of[drawer]) for drawer in drawers[:-1])])
            self._all = drawers, np.concatenate([self._of[drawer] for drawer in drawers]), starts
        drawers, rows, starts = self._all
        cosines = np.einsum("ij,j->i", rows, np.asarray(question, np.float32))
        return dict(zip(drawers, np.maximum.reduceat(cosines, starts).tolist(), strict=True))

    def replace_nearer(self, vectors: Matrix, drawers: Sequence[str], question: Vector) -> None:
        """Put the nearest window of each drawer in the place of its vector, in `vectors`, if it is nearer.

        Args:
            vectors: One row for each of the drawers, which is changed.
            question: Unit vector.
        """
        for at, drawer in enumerate(drawers if self._of else ()):
            if (windows := self._of.get(drawer)) is not None:
                best = windows[int((windows @ question).argmax())]
                if best @ question > vectors[at] @ question:
                    vectors[at] = best
