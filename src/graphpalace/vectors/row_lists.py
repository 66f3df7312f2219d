"""Neighbours of many vectors among many rows: in all rows, or in lists of near ones if there are very many rows.

The lists are the inverted file of Jégou, Douze and Schmid, "Product Quantization for Nearest Neighbor Search", section
IV, with 8-bit rows in place of product codes. See docs/adr/0038.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float32, Int64

from graphpalace.arrays import first_greatest
from graphpalace.domain.vectors import Matrix, unit_rows
from graphpalace.vectors.nearest_rows import (
    SEVERAL,
    QuantizedVectors,
    RoughRows,
    best_of_each,
    nearest_rows,
    places_in_runs,
)

LISTS_FROM = 200_000  # rows; among fewer, neighbours are exact
LISTS_PAY = 2048  # vectors that are compared with all of so many rows in the time that making lists takes
_LISTS = 1024
_PROBED = 32  # lists in which the neighbours of a vector are looked for
_SAMPLE, _ROUNDS = 32 * _LISTS, 8
_TILE = 8192  # rows that are given to their lists at once
_FEW_TILE = 16_384  # rows whose products with a few vectors take much longer than starting to compute them

Pairs = tuple[Int64[np.ndarray, " pairs"], Int64[np.ndarray, " pairs"]]


class ManyNeighbours:
    """Unit vectors, also as 8-bit integers, among which the neighbours of many vectors are looked for."""

    def __init__(self, dimension: int) -> None:
        self._rough = RoughRows(dimension)
        self._lists: RowLists | None = None
        self._kept: list[RoughRows | RowLists] = [self._rough]
        self._compared = 0  # vectors with all of very many rows

    def reserve(self, capacity: int) -> None:
        """Make room for `capacity` rows, which must be at least the current number."""
        for each in self._kept:
            each.reserve(capacity)

    def put(self, at: slice | np.ndarray, vectors: Matrix) -> None:
        """Store vectors as the rows `at`."""
        for each in self._kept:
            each.put(at, vectors)

    def move(self, row: int, *, to: int) -> None:
        """Overwrite row `to` with `row`."""
        for each in self._kept:
            each.move(row, to=to)

    def cosines(self, part: Matrix, count: int) -> Float32[np.ndarray, "part count"]:
        """Return the approximate cosines of the first `count` rows to each of at least one vector."""
        found = np.empty((len(part), count), np.float32)
        for tile in self._rough.tiles(part, count, size=_FEW_TILE):
            found[:, tile.start : tile.start + len(tile.scores)] = tile.cosines()
        return found

    def nearest(self, part: Matrix, rows: Matrix, *, k: int, threshold: float) -> tuple[np.ndarray, np.ndarray]:
        """Find the rows with the highest cosine to each vector, as `nearest_rows` does.

        With lists, a few of the nearest may be missing. Lists are made once so many vectors were compared with all of
        `LISTS_FROM` rows or more that this took as long as making them.

        Args:
            part: Unit vectors to search for.
            rows: All rows, exactly.
        """
        if len(rows) >= LISTS_FROM:
            if self._lists is None and self._compared >= LISTS_PAY:
                self._lists = RowLists(rows, self._rough)
                self._kept.append(self._lists)
            self._compared += len(part)
        if self._lists is None:
            return nearest_rows(part, rows, self._rough.tiles(part, len(rows)), k=k, threshold=threshold)
        found = self._lists.candidates(part, len(rows), several=max(SEVERAL, 2 * k), threshold=threshold)
        return best_of_each(part, rows, *found, k)


class RowLists:
    """Knows for each row in which list it is: that of the nearest of 1,024 centres."""

    def __init__(self, rows: Matrix, rough: RoughRows) -> None:
        """Find centres by spherical k-means on a sample, and put all rows into lists.

        Args:
            rows: At least 1,024 unit vectors.
            rough: The same rows, and those that are added later.
        """
        self._rough = rough
        rng = np.random.default_rng(0)
        sample = rows[rng.choice(len(rows), min(_SAMPLE, len(rows)), replace=False)]
        centres = sample[:_LISTS].copy()
        for _ in range(_ROUNDS):
            nearest = np.argmax(sample @ centres.T, axis=1)
            sums = np.zeros_like(centres)
            np.add.at(sums, nearest, sample)
            moved = sums.any(axis=1)  # a centre without rows stays
            centres[moved] = unit_rows(sums[moved])
        self._centres = centres
        self._list_of = np.empty(0, np.uint16)
        self.reserve(rough.capacity)
        asked = QuantizedVectors.of(centres)
        for start in range(0, len(rows), _TILE):
            at = slice(start, min(start + _TILE, len(rows)))
            self._list_of[at] = np.argmax(rough.tile(at, asked).scores, axis=1)

    def reserve(self, capacity: int) -> None:
        """Make room for `capacity` rows, which must be at least the current number."""
        grown = np.empty(capacity, np.uint16)
        grown[: len(self._list_of)] = self._list_of
        self._list_of = grown

    def put(self, at: slice | np.ndarray, vectors: Matrix) -> None:
        """Put unit vectors into lists, as the rows `at`."""
        self._list_of[at] = np.argmax(vectors @ self._centres.T, axis=1)

    def move(self, row: int, *, to: int) -> None:
        """Overwrite row `to` with `row`."""
        self._list_of[to] = self._list_of[row]

    def candidates(self, part: Matrix, count: int, *, several: int, threshold: float) -> Pairs:
        """Return pairs of a vector and a row that may be near, among the first `count` rows.

        Args:
            part: Unit vectors.
            several: About how many candidates a vector may have; the best by approximate cosine.
            threshold: Lowest cosine of interest.
        """
        order = np.argsort(self._list_of[:count], kind="stable")
        ends = np.cumsum(np.bincount(self._list_of[:count], minlength=_LISTS))
        probed = np.argpartition(part @ self._centres.T, -_PROBED, axis=1)[:, -_PROBED:].ravel()
        by_list = np.argsort(probed, kind="stable")
        asking = by_list // _PROBED
        bounds = np.searchsorted(probed[by_list], np.arange(_LISTS + 1))
        asked = QuantizedVectors.of(part)
        found: list[tuple[np.ndarray, np.ndarray, Float32[np.ndarray, " pairs"]]] = []
        for number in np.flatnonzero(np.diff(bounds)).tolist():
            rows = order[ends[number - 1] if number else 0 : ends[number]]
            if len(rows):
                of = asking[bounds[number] : bounds[number + 1]]
                tile = self._rough.tile(rows, asked.some(of))
                vector, row = tile.may_reach(threshold)
                cosines = tile.scores[row, vector] * tile.steps[row]
                if len(vector) > several * len(of):
                    kept, columns = first_greatest(tile.cosines(), min(several, len(rows)))
                    vector, row = np.arange(len(of)).repeat(kept.shape[1]), columns.ravel()
                    cosines = kept.ravel()
                found.append((of[vector], rows[row], cosines))
        vectors, rows, cosines = (np.concatenate(parts) for parts in zip(*found, strict=True))
        if len(vectors) > several * len(part):
            best = np.lexsort((-cosines, vectors))
            best = best[places_in_runs(vectors[best]) < several]
            vectors, rows = vectors[best], rows[best]
        return vectors, rows
