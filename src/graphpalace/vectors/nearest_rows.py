"""Nearest-neighbour search in two passes: approximate products select candidates, exact cosines rank them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from jaxtyping import Float32, Int64

from graphpalace.arrays import first_greatest
from graphpalace.domain.vectors import Matrix
from graphpalace.vectors.rough_rows import QuantizedTile

_SEVERAL = 32  # least number of candidates per vector once candidates are limited, many more than are asked for


def nearest_rows(
    part: Matrix, rows: Matrix, tiles: Iterable[QuantizedTile], *, k: int, threshold: float
) -> tuple[Int64[np.ndarray, "part k"], Float32[np.ndarray, "part k"]]:
    """Find the k rows with the highest cosine to each vector.

    All pairs whose cosine may reach the threshold are computed exactly. Once there are too many of these, only the best
    candidates of each vector by approximate cosine are computed exactly in the remaining tiles.

    Args:
        part: Unit vectors to search for.
        rows: Unit vectors to search in; the tiles cover all of them.
        tiles: Approximate products of `part` with `rows`.
        k: At most the number of rows.
        threshold: Lowest cosine of interest. Results below it may be missing; then their cosine is -inf.

    Returns:
        Row numbers and exact cosines, highest first, ties by row number.
    """
    several = max(_SEVERAL, 2 * k)
    pairs: list[tuple[np.ndarray, np.ndarray]] = []
    left = several * len(part)
    crowd = _Crowd(len(part), several)
    for tile in tiles:
        if left > 0:
            near = tile.may_reach(threshold)
            left -= len(near[0])
            if left > 0:
                pairs.append(near)
                continue
        crowd.add(tile)
    pairs.append(crowd.pairs())
    return _best_of_each(
        part, rows, np.concatenate([at for at, _ in pairs]), np.concatenate([of for _, of in pairs]), k
    )


class _Crowd:
    """The best candidates of each vector by approximate cosine, over the tiles added so far."""

    def __init__(self, vectors: int, several: int) -> None:
        self._several = several
        self._scores = np.empty((vectors, 0), np.float32)
        self._rows = np.empty((vectors, 0), np.int64)

    def add(self, tile: QuantizedTile) -> None:
        cosines = tile.cosines()
        scores = np.concatenate([self._scores, cosines], axis=1)
        numbers = np.broadcast_to(np.arange(cosines.shape[1]) + tile.start, cosines.shape)
        rows = np.concatenate([self._rows, numbers], axis=1)
        self._scores, kept = first_greatest(scores, min(self._several, scores.shape[1]))
        self._rows = np.take_along_axis(rows, kept, axis=1)

    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the candidates as pairs: indices of vectors and indices of rows."""
        return np.arange(len(self._rows)).repeat(self._rows.shape[1]), self._rows.ravel()


def _best_of_each(part: Matrix, rows: Matrix, at: np.ndarray, of: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and exact cosines of the k nearest of each vector among the given pairs of vector and row."""
    cosines = np.einsum("ij,ij->i", rows[of], part[at])
    order = np.lexsort((of, -cosines, at))
    at, of, cosines = at[order], of[order], cosines[order]
    place = np.arange(len(at)) - np.searchsorted(at, at)
    chosen = place < k
    best = np.zeros((len(part), k), np.int64), np.full((len(part), k), -np.inf, np.float32)
    best[0][at[chosen], place[chosen]] = of[chosen]
    best[1][at[chosen], place[chosen]] = cosines[chosen]
    return best
