"""Approximate cosines by 8-bit quantisation, with a bound on the error, computed in tiles of two thousand rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Int64, Num

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

    def tiles(self, part: Matrix, count: int) -> Iterator[QuantizedTile]:
        """Yield the approximate products of at least one vector with the first `count` rows."""
        # A common step for all vectors, so that the threshold for a score depends on its row alone.
        step = np.maximum(np.abs(part).max() / np.float32(_STEPS), _LEAST_STEP)
        rounded, errors = _rounded(part, step)
        vectors, away = rounded.astype(np.int8), errors.max()
        for start in range(0, count, _TILE):
            here = slice(start, min(start + _TILE, count))
            scores = byte_products(self._bytes[here], vectors)
            yield QuantizedTile(start, scores, step * self._steps[here], (1 + away) * self._errors[here] + away)


def _rounded(vectors: Matrix, step: np.ndarray) -> tuple[np.ndarray, Float32[np.ndarray, " rows"]]:
    rounded = np.rint(vectors / step)
    return rounded, np.linalg.norm(vectors - rounded * step, axis=1)
