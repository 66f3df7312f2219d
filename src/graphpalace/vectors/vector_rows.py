"""The vectors of many rows: in memory, on a device, or in a file if they would take too much memory."""

from __future__ import annotations

import errno
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float32, Int64

from graphpalace.arrays import Array, first_greatest, like, namespace_on, to_numpy
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.errors import NotEnoughDisk
from graphpalace.vectors.device import as_rows, fast_in_bytes, floats, product, products
from graphpalace.vectors.nearest_rows import SEVERAL, exact_tiles, nearest_rows
from graphpalace.vectors.row_lists import ManyNeighbours

_QUICK_PRODUCT = 5_000_000  # multiply-adds: fewer are done before another thread could take over
_PART = 16_384  # rows that are read from a file at once
_GATHERED = 3  # times as long takes gathering a row as reading it in place


@dataclass(frozen=True, slots=True)
class VectorMemory:
    """How much memory the vectors of a palace may take.

    Attributes:
        most_bytes: Vectors that take more than this are kept in a file without a name, which ends with the process.
        folder: Where this file is.
    """

    most_bytes: int
    folder: Path

    def empty(self, rows: int, dimension: int) -> Matrix | None:
        """Return a matrix in a file; None if it may be in memory.

        Raises:
            NotEnoughDisk: If the disk has no room for it.
        """
        size = 4 * rows * dimension
        if size <= self.most_bytes:
            return None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder) as file:
                if hasattr(
                    os, "posix_fallocate"
                ):  # writing to a file with holes ends the process when the disk is full
                    os.posix_fallocate(file.fileno(), 0, size)
                return np.asarray(np.memmap(file, np.float32, "w+", shape=(rows, dimension)))
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            raise NotEnoughDisk(
                f"The disk of {self.folder} is full, and the vectors of the palace need {size >> 20} MiB there. Free "
                "disk space, or raise memory_mb under [embeddings].",
                path=str(self.folder),
            ) from error


class VectorRows:
    """Unit vectors by row number, on a device.

    Rows are 32-bit floats of NumPy on a CPU, and 16-bit floats of PyTorch on other devices. If they are in a file, a
    copy as 8-bit integers is in memory, where the processor multiplies these fast: a search reads it, and of the file
    only the best rows.
    """

    def __init__(
        self, dimension: int, *, device: str = "cpu", many_neighbours: bool = False, memory: VectorMemory | None = None
    ) -> None:
        """Create no rows.

        Args:
            dimension: Length of the vectors.
            device: `cpu`, or the name of another device that PyTorch can use.
            many_neighbours: Keep the copy as 8-bit integers in any case, for `neighbours` (ADR 38).
            memory: Beyond which size the rows are kept in a file (ADR 39); None: never.
        """
        self.dimension = dimension
        self._device = device
        self._on_cpu = device == "cpu"
        self._memory = memory if self._on_cpu else None
        self._in_file = False
        self._rough: ManyNeighbours | None = None
        self._array = self._empty(0)
        if many_neighbours:
            self._keep_rough(0)

    @property
    def bytes(self) -> int:
        """Size in memory, or in the file, with the place for rows that come next."""
        return self._array.nbytes

    def quick(self, count: int) -> bool:
        """Return whether the products of `count` rows take less time than handing them to another thread."""
        return count * self.dimension <= _QUICK_PRODUCT

    def put(self, at: slice | Int64[np.ndarray, " rows"], vectors: Matrix) -> None:
        """Store vectors as the rows `at`, for which there must be room."""
        self._array[at if isinstance(at, slice) else like(at, self._array)] = as_rows(vectors, self._array)
        if self._rough is not None:
            self._rough.put(at, vectors)

    def move(self, row: int, *, to: int) -> None:
        """Overwrite row `to` with `row`."""
        self._array[to] = self._array[row]
        if self._rough is not None:
            self._rough.move(row, to=to)

    def reserve(self, count: int) -> int:
        """Make room for `count` rows, and return for how many there is room now.

        It grows by at least half, so that repeated adding takes linear time.
        """
        capacity = len(self._array)
        if count <= capacity:
            return capacity
        grown = max(count, capacity + capacity // 2)
        array = self._empty(grown)
        array[:capacity] = self._array
        self._array = array
        if self._rough is not None:
            self._rough.reserve(grown)
        elif self._in_file:
            self._keep_rough(capacity)
        return grown

    def some(self, rows: Int64[np.ndarray, " rows"]) -> Matrix:
        """Return the vectors of some rows."""
        return floats(self._array[like(rows, self._array)])

    def cosines(self, count: int, query: Vector) -> Float32[np.ndarray, " count"]:
        """Return the cosine of each of the first `count` rows to a unit vector."""
        return product(self._array[:count], query, quick=self.quick(count))

    def best_cosines(
        self, count: int, queries: Matrix, *, rows: Int64[np.ndarray, " rows"] | None, limit: int
    ) -> list[Float32[np.ndarray, " rows"]]:
        """Return the cosines of rows to each query, exact for the highest ones; others may be -inf.

        Args:
            rows: Of the first `count` rows; None: all of these.
            limit: How many of the highest cosines of each query are wanted.
        """
        if self._rough is not None and self._in_file:
            rough = self._rough.cosines(queries, count)
            return [
                self._exact(each if rows is None else each[rows], rows, query, limit)
                for each, query in zip(rough, queries, strict=True)
            ]
        if rows is not None and len(rows) * _GATHERED < count:
            here = self._array[like(rows, self._array)]
            return [product(here, query, quick=self.quick(count)) for query in queries]
        if len(queries) == 1 or (self._on_cpu and self.quick(count)):
            exact = [self.cosines(count, query) for query in queries]
        else:
            exact = list(products(self._array[:count], queries))
        return [each if rows is None else each[rows] for each in exact]

    def products(self, count: int, queries: Matrix, *, rows: Int64[np.ndarray, " rows"]) -> np.ndarray:
        """Return the exact cosines, queries x rows, of some of the first `count` rows."""
        here = self._array[:count]
        return products(here[like(rows, here)] if len(rows) < count else here, queries)

    def neighbours(self, count: int, part: Matrix, *, k: int, threshold: float) -> tuple[np.ndarray, np.ndarray]:
        """Return rows and cosines of the k nearest of the first `count` rows to each vector, highest first."""
        here = self._array[:count]
        if self._rough is not None:
            return self._rough.nearest(part, here, k=k, threshold=threshold)
        if self._on_cpu:
            return nearest_rows(part, here, exact_tiles(part, here), k=k, threshold=threshold)
        cosines, columns = first_greatest(as_rows(part, here) @ here.T, k)
        return to_numpy(columns), floats(cosines)

    def _exact(self, cosines: np.ndarray, rows: np.ndarray | None, query: Vector, limit: int) -> np.ndarray:
        several = max(SEVERAL, 2 * limit)
        best = np.argpartition(cosines, -several)[-several:] if several < len(cosines) else np.arange(len(cosines))
        best.sort()  # a file is read in order
        exact = np.full(len(cosines), -np.inf, np.float32)
        exact[best] = np.vecdot(self._array[best if rows is None else rows[best]], query)
        return exact

    def _empty(self, rows: int) -> Array:
        if self._memory is not None and (in_file := self._memory.empty(rows, self.dimension)) is not None:
            self._in_file = True
            return in_file
        xp = namespace_on(self._device)
        return xp.empty((rows, self.dimension), dtype=xp.float32 if self._on_cpu else xp.float16, device=self._device)

    def _keep_rough(self, count: int) -> None:
        if not (self._on_cpu and fast_in_bytes()):
            return
        self._rough = ManyNeighbours(self.dimension)
        self._rough.reserve(len(self._array))
        for start in range(0, count, _PART):
            at = slice(start, min(start + _PART, count))
            self._rough.put(at, self._array[at])
