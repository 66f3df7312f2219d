"""Products of rows of length one, a few thousand rows at a time, rough but with a bound on how rough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float32, Int64, Num

from graphpalace.domain.vectors import Matrix

_TILE = 4096  # rows whose products with some hundred others stay in a processor's cache
_STEPS = 127
_FLOAT_ERROR = 1e-5  # more than a cosine of a thousand 32-bit products is wrong


def fast_in_int8() -> bool:
    """Return whether this CPU multiplies bytes several times faster than 32-bit floats."""
    able = torch.cpu.get_capabilities()
    return bool(able.get("avx512_vnni") or able.get("avx_vnni"))


@dataclass(frozen=True, slots=True)
class QuantizedTile:
    """Some vectors by the rows from `start` on: a cosine is the score times the row's step, give or take its error."""

    start: int
    scores: Num[np.ndarray, "part tile"]
    steps: Float32[np.ndarray, " tile"]
    errors: Float32[np.ndarray, " tile"]

    def may_reach(self, cosine: float) -> Int64[np.ndarray, " pairs"]:
        """Return the flat places of all pairs whose cosine may be as much."""
        least = (cosine - self.errors) / self.steps
        whole = self.scores.dtype == np.int32
        return np.flatnonzero(self.scores >= (np.ceil(least).astype(np.int32) if whole else least))

    def cosines(self) -> Float32[torch.Tensor, "part tile"]:
        """Return the cosines as the scores tell them."""
        return torch.from_numpy(self.scores) * torch.from_numpy(self.steps)


def exact_tiles(part: Matrix, rows: Matrix) -> Iterator[QuantizedTile]:
    """Yield the products of some vectors with all rows."""
    for start in range(0, len(rows), _TILE):
        tile = rows[start : start + _TILE]
        # torch's product, because numpy's threads would look busily for more to do for a while after it
        scores = (torch.from_numpy(part) @ torch.from_numpy(tile).T).numpy()
        yield QuantizedTile(start, scores, np.ones(len(tile), np.float32), np.full(len(tile), _FLOAT_ERROR, np.float32))


class RoughRows:
    """Rows in a byte a component, each with its own step, and how far each then lies from what it stands for.

    With a, b of length one and A, B what their bytes say, a·b = A·B + A·(b - B) + (a - A)·b, so that a cosine differs
    from the product of the bytes by at most (1 + |a - A|)|b - B| + |a - A| (Cauchy and Schwarz).
    """

    def __init__(self, dimension: int) -> None:
        self._bytes = np.empty((0, dimension), np.int8)
        self._steps = self._errors = np.empty(0, np.float32)

    def reserve(self, capacity: int) -> None:
        """Make room for `capacity` rows, no fewer than there are."""
        for name in ("_bytes", "_steps", "_errors"):
            column = getattr(self, name)
            grown = np.empty((capacity, *column.shape[1:]), column.dtype)
            grown[: len(column)] = column
            setattr(self, name, grown)

    def put(self, at: slice | np.ndarray, vectors: Matrix) -> None:
        """Keep vectors in these rows."""
        steps = np.abs(vectors).max(axis=1, initial=1e-9) / np.float32(_STEPS)
        self._bytes[at], self._errors[at] = _rounded(vectors, steps[:, None])
        self._steps[at] = steps

    def move(self, row: int, *, to: int) -> None:
        """Copy a row over another."""
        for column in (self._bytes, self._steps, self._errors):
            column[to] = column[row]

    def tiles(self, part: Matrix, count: int) -> Iterator[QuantizedTile]:
        """Yield the products of some vectors, one or more, with the first `count` rows."""
        # One step for all of them, so that what a score is compared with depends on its row alone.
        step = np.abs(part).max() / np.float32(_STEPS)
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
