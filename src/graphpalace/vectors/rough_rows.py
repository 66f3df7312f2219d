"""Approximate cosines by 8-bit quantisation, with a bound on the error, computed in tiles of a few thousand rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Int64, Num

from graphpalace.domain.vectors import Matrix
from graphpalace.lazy_torch import torch

_TILE = 4096  # rows whose products with some hundred vectors fit into the processor's cache
_STEPS = 127
_BEYOND_SCORES = 2.0**30  # more than the product of two rows of 65,000 bytes
_LEAST_STEP = np.float32(1e-9 / _STEPS)  # of vectors of zeros
_FLOAT_ERROR = 1e-5  # upper bound on the rounding error of a cosine over a thousand 32-bit products


def fast_in_int8() -> bool:
    """Return whether this CPU has instructions (VNNI) that multiply bytes several times faster than 32-bit floats."""
    able = torch.cpu.get_capabilities()
    return bool(able.get("avx512_vnni") or able.get("avx_vnni"))


@dataclass(frozen=True, slots=True)
class QuantizedTile:
    """Approximate products of some vectors with consecutive rows.

    The cosine of a pair is its score x the step of its row, with an error of at most the error of its row.

    Attributes:
        start: Index of the first row.
        scores: Products: integers if the rows are quantised, floats otherwise.
        steps: Scale of each row, > 0.
        errors: Largest error of a cosine with each row.
    """

    start: int
    scores: Num[np.ndarray, "part tile"]
    steps: Float32[np.ndarray, " tile"]
    errors: Float32[np.ndarray, " tile"]

    def may_reach(self, cosine: float) -> Int64[np.ndarray, " pairs"]:
        """Return the flat indices into `scores` of all pairs whose true cosine may be at least `cosine`."""
        least = (cosine - self.errors) / self.steps
        if self.scores.dtype == np.int32:  # the least score of a row of zeros is beyond all integers
            least = np.clip(np.ceil(least), -_BEYOND_SCORES, _BEYOND_SCORES).astype(np.int32)
        return np.flatnonzero(self.scores >= least)

    def cosines(self) -> Float32[torch.Tensor, "part tile"]:
        """Return the approximate cosines."""
        return torch.from_numpy(self.scores) * torch.from_numpy(self.steps)


def exact_tiles(part: Matrix, rows: Matrix) -> Iterator[QuantizedTile]:
    """Yield the products of some vectors with all rows, in 32-bit floats."""
    for start in range(0, len(rows), _TILE):
        tile = rows[start : start + _TILE]
        if len(part) == 1:  # one drawer is added: a single thread reads the rows as fast, and torch may not be there
            scores = np.einsum("ij,j->i", tile, part[0])[None]
        else:  # torch's product, because numpy's threads would keep the CPU busy for a while after it
            scores = (torch.from_numpy(part) @ torch.from_numpy(tile).T).numpy()
        yield QuantizedTile(start, scores, np.ones(len(tile), np.float32), np.full(len(tile), _FLOAT_ERROR, np.float32))


class RoughRows:
    """Unit vectors quantised to 8-bit integers, each row with its own scale and its quantisation error.

    Let a and b be unit vectors, and A and B their quantised values. Then a·b = A·B + A·(b - B) + (a - A)·b. By the
    Cauchy-Schwarz inequality, a·b differs from A·B by at most (1 + |a - A|) |b - B| + |a - A|.
    """

    def __init__(self, dimension: int) -> None:
        self._bytes = np.empty((0, dimension), np.int8)
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
        self._bytes[at], self._errors[at] = _rounded(vectors, steps[:, None])
        self._steps[at] = steps

    def move(self, row: int, *, to: int) -> None:
        """Overwrite row `to` with `row`."""
        for column in (self._bytes, self._steps, self._errors):
            column[to] = column[row]

    def tiles(self, part: Matrix, count: int) -> Iterator[QuantizedTile]:
        """Yield the approximate products of at least one vector with the first `count` rows."""
        # A common step for all vectors, so that the threshold for a score depends on its row alone.
        step = np.maximum(np.abs(part).max() / np.float32(_STEPS), _LEAST_STEP)
        rounded, errors = _rounded(part, step)
        vectors, away = torch.from_numpy(rounded), errors.max()
        for start in range(0, count, _TILE):
            here = slice(start, min(start + _TILE, count))
            rows = torch.from_numpy(self._bytes[here])
            scores = torch._int_mm(vectors, rows.T)  # pyright: ignore[reportPrivateImportUsage]
            yield QuantizedTile(start, scores.numpy(), step * self._steps[here], (1 + away) * self._errors[here] + away)


def _rounded(vectors: Matrix, step: np.ndarray) -> tuple[np.ndarray, Float32[np.ndarray, " rows"]]:
    rounded = np.rint(vectors / step)
    return rounded.astype(np.int8), np.linalg.norm(vectors - rounded * step, axis=1)
