"""Nearest-neighbour search in two passes: 8-bit cosines select candidates, exact cosines rank them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Int8, Int64, Num

from graphpalace.arrays import first_greatest
from graphpalace.domain.vectors import Matrix
from graphpalace.vectors.device import ZERO, byte_products

_TILE = 2048  # rows whose products with some hundred vectors fit into the processor's cache
_STEPS = 127
_BEYOND_SCORES = 2.0**30  # more than the product of two rows of 65,000 bytes
_LEAST_STEP = np.float32(1e-9 / _STEPS)  # of vectors of zeros
_FLOAT_ERROR = 1e-5  # upper bound on the rounding error of a cosine over a thousand 32-bit products


@dataclass(frozen=True, slots=True)
class QuantizedTile:
    """Approximate products of consecutive rows with some vectors.

    The cosine of a pair is its score x the step of its row, with an error of at most the error of its row.

    Attributes:
        start: Index of the first row.
        scores: Products: integers if the rows are quantised, floats otherwise.
        steps: Scale of each row, > 0.
        errors: Largest error of a cosine with each row.
    """

    start: int
    scores: Num[np.ndarray, "tile part"]
    steps: Float32[np.ndarray, " tile"]
    errors: Float32[np.ndarray, " tile"]

    def may_reach(self, cosine: float) -> tuple[Int64[np.ndarray, " pairs"], Int64[np.ndarray, " pairs"]]:
        """Return the vectors and the rows of all pairs whose true cosine may be at least `cosine`."""
        least = (cosine - self.errors) / self.steps
        if self.scores.dtype == np.int32:  # the least score of a row of zeros is beyond all integers
            least = np.clip(np.ceil(least), -_BEYOND_SCORES, _BEYOND_SCORES).astype(np.int32)
        row, vector = np.divmod(np.flatnonzero(self.scores >= least[:, None]), self.scores.shape[1])
        return vector, row + self.start

    def cosines(self) -> Float32[np.ndarray, "part tile"]:
        """Return the approximate cosines of each vector."""
        return np.ascontiguousarray((self.scores.astype(np.float32) * self.steps[:, None]).T)


def exact_tiles(part: Matrix, rows: Matrix) -> Iterator[QuantizedTile]:
    """Yield the products of some vectors with all rows, in 32-bit floats."""
    for start in range(0, len(rows), _TILE):
        tile = rows[start : start + _TILE]
        one, error = np.ones(len(tile), np.float32), np.full(len(tile), _FLOAT_ERROR, np.float32)
        yield QuantizedTile(start, tile @ part.T, one, error)


class RoughRows:
    """Unit vectors quantised to 8-bit integers, each row with its own scale and its quantisation error.

    Let a and b be unit vectors, and A and B their quantised values. Then a·b = A·B + A·(b - B) + (a - A)·b. By the
    Cauchy-Schwarz inequality, a·b differs from A·B by at most (1 + |a - A|) |b - B| + |a - A|.
    """

    def __init__(self, dimension: int) -> None:
        self._bytes = np.empty((0, dimension), np.uint8)
        self._steps = self._errors = np.empty(0, np.float32)

    @property
    def capacity(self) -> int:
        """How many rows there is room for."""
        return len(self._bytes)

    def reserve(self, capacity: int) -> None:
        """Make room for `capacity` rows, which must be at least the current number."""
        for name in ("_bytes", "_steps", "_errors"):
            column = getattr(self, name)
            grown = np.empty((capacity, *column.shape[1:]), column.dtype)
            grown[: len(column)] = column
            setattr(self, name, grown)

    def put(self, at: slice | np.ndarray, vectors: Matrix) -> None:
        """Quantise vectors and store them in the rows `at`."""
        steps = np.maximum(np.abs(vectors).max(axis=1) / np.float32(_STEPS), _LEAST_STEP)
        rounded, self._errors[at] = _rounded(vectors, steps[:, None])
        self._bytes[at], self._steps[at] = rounded + ZERO, steps

    def move(self, row: int, *, to: int) -> None:
        """Overwrite row `to` with `row`."""
        for column in (self._bytes, self._steps, self._errors):
            column[to] = column[row]

    def tile(self, rows: slice | np.ndarray, asked: QuantizedVectors) -> QuantizedTile:
        """Return the approximate products of some rows with at least one vector."""
        errors = (1 + asked.error) * self._errors[rows] + asked.error
        scores = byte_products(self._bytes[rows], asked.vectors)
        start = rows.start if isinstance(rows, slice) else 0
        return QuantizedTile(start, scores, asked.step * self._steps[rows], errors)

    def tiles(self, part: Matrix, count: int, *, size: int = _TILE) -> Iterator[QuantizedTile]:
        """Yield the approximate products of at least one vector with the first `count` rows, `size` at a time."""
        asked = QuantizedVectors.of(part)
        for start in range(0, count, size):
            yield self.tile(slice(start, min(start + size, count)), asked)


@dataclass(frozen=True, slots=True)
class QuantizedVectors:
    """Vectors to search for, quantised with a common step, so that the threshold for a score depends on its row alone.

    Attributes:
        error: The largest of their quantisation errors.
    """

    vectors: Int8[np.ndarray, "part dim"]
    step: np.float32
    error: np.float32

    @classmethod
    def of(cls, part: Matrix) -> QuantizedVectors:
        """Quantise at least one unit vector."""
        step = np.maximum(np.abs(part).max() / np.float32(_STEPS), _LEAST_STEP)
        rounded, errors = _rounded(part, step)
        return cls(rounded.astype(np.int8), step, errors.max())

    def some(self, at: np.ndarray) -> QuantizedVectors:
        """Return some of them."""
        return QuantizedVectors(self.vectors[at], self.step, self.error)


def _rounded(vectors: Matrix, step: np.ndarray) -> tuple[np.ndarray, Float32[np.ndarray, " rows"]]:
    rounded = np.rint(vectors / step)
    return rounded, np.linalg.norm(vectors - rounded * step, axis=1)


SEVERAL = 32  # least number of candidates per vector once candidates are limited, many more than are asked for


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
    several = max(SEVERAL, 2 * k)
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
    return best_of_each(part, rows, np.concatenate([at for at, _ in pairs]), np.concatenate([of for _, of in pairs]), k)


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


def places_in_runs(numbers: Int64[np.ndarray, " pairs"]) -> Int64[np.ndarray, " pairs"]:
    """Return for each of some sorted numbers how many equal ones stand before it."""
    return np.arange(len(numbers)) - np.searchsorted(numbers, numbers)


def best_of_each(part: Matrix, rows: Matrix, at: np.ndarray, of: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and exact cosines of the k nearest of each vector among the given pairs of vector and row."""
    cosines = np.einsum("ij,ij->i", rows[of], part[at])
    order = np.lexsort((of, -cosines, at))
    at, of, cosines = at[order], of[order], cosines[order]
    place = places_in_runs(at)
    chosen = place < k
    best = np.zeros((len(part), k), np.int64), np.full((len(part), k), -np.inf, np.float32)
    best[0][at[chosen], place[chosen]] = of[chosen]
    best[1][at[chosen], place[chosen]] = cosines[chosen]
    return best
