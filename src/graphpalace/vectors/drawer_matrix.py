"""The embeddings of all drawers of a palace in memory, for exact nearest-neighbour search by cosine with filters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
from jaxtyping import Bool, Float32, Int64

from graphpalace.domain.search.answer import Ranking
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.vectors.drawer_rows import DrawerRows, DrawerVectors, Filter, FilterColumns, NewsTable, WindowRows
from graphpalace.vectors.vector_rows import VectorMemory, VectorRows

LEAST_POINTER_SHARE = 0.5  # a drawer of which fewer words are links does not count as one that points elsewhere
_TILE = 64  # vectors that are compared with all drawers at once


class DrawerMatrix:
    """A growable matrix of drawer embeddings (unit vectors) on a device, with the columns that filters need.

    Not thread-safe for writing: the caller must hold a lock. When a drawer is removed, the last row takes its place, so
    the matrix stays dense.
    """

    def __init__(
        self, dimension: int, *, device: str = "cpu", many_neighbours: bool = False, memory: VectorMemory | None = None
    ) -> None:
        """Create an empty matrix.

        Args:
            dimension: Dimension of the embeddings.
            device: `cpu`, or the name of another device that PyTorch can use.
            many_neighbours: Keep a second copy of the rows as 8-bit integers, which makes `neighbours` faster, and
                from 200,000 rows on look for neighbours in lists of near rows (ADR 38). It has no effect unless the
                device is a CPU with fast 8-bit products.
            memory: Beyond which size the vectors are kept in a file (ADR 39); None: never.
        """
        self.dimension = dimension
        self._vectors = VectorRows(dimension, device=device, many_neighbours=many_neighbours, memory=memory)
        self._ids: list[str] = []
        self._row: dict[str, int] = {}
        self._columns = FilterColumns()
        self._importances: dict[str, float] = {}  # only those other than 0.5
        self._pointer_shares: dict[str, float] = {}  # only those from LEAST_POINTER_SHARE on
        self._unranked: set[str] = set()
        self.news = NewsTable()
        self._windows = WindowRows(dimension)

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, drawer: object) -> bool:
        return drawer in self._row

    @property
    def vector_bytes(self) -> int:
        """Size of the vectors, with the place for those that come next."""
        return self._vectors.bytes

    @property
    def quick(self) -> bool:
        """Whether `nearest` is so fast that handing it to another thread would take longer."""
        return self._vectors.quick(len(self))

    @property
    def ids(self) -> list[str]:
        """Ids of the drawers in row order."""
        return self._ids

    @property
    def weighs(self) -> bool:
        """Whether any drawer has an importance other than 0.5."""
        return bool(self._importances)

    def importances(self, ids: Iterable[str]) -> dict[str, float]:
        """Return the importances of the given drawers, without those of 0.5."""
        return {drawer: self._importances[drawer] for drawer in ids if drawer in self._importances}

    @property
    def points(self) -> bool:
        """Whether any drawer mostly points elsewhere."""
        return bool(self._pointer_shares)

    def pointer_shares(self, ids: Iterable[str]) -> dict[str, float]:
        """Return the shares of links of those of some drawers that mostly point elsewhere."""
        return {drawer: self._pointer_shares[drawer] for drawer in ids if drawer in self._pointer_shares}

    def times_ms(self, ids: Iterable[str]) -> dict[str, int]:
        """Return when drawers were said, or else stored, in milliseconds since 1970. Unknown ids are skipped."""
        return {drawer: int(self._columns.times_ms[self._row[drawer]]) for drawer in ids if drawer in self._row}

    def vectors_of(self, ids: Collection[str]) -> Matrix:
        """Return the vectors of the given drawers, in the order of `ids`. Unknown ids are skipped."""
        rows = np.array([self._row[drawer] for drawer in ids if drawer in self._row], np.int64)
        return self._vectors.some(rows)

    def some(self, ids: Iterable[str], *, asked: Vector | None = None) -> DrawerVectors:
        """Return the given drawers with their vectors. Unknown ids are skipped.

        Args:
            asked: Unit vector of a question, for which a long text has the vector of its nearest window.
        """
        here = [drawer for drawer in ids if drawer in self._row]
        vectors = self.vectors_of(here)
        if asked is not None:
            self._windows.replace_nearer(vectors, here, asked)
        return DrawerVectors(here, vectors)

    def reserve(self, count: int) -> None:
        """Make room for `count` drawers."""
        self._columns.reserve(self._vectors.reserve(count))

    def put(self, drawers: DrawerRows) -> None:
        """Add drawers. Drawers that exist already are replaced."""
        before = len(self._ids)
        rows = np.empty(len(drawers.ids), np.int64)
        for position, drawer in enumerate(drawers.ids):
            row = self._row.setdefault(drawer, len(self._ids))
            if row == len(self._ids):
                self._ids.append(drawer)
            rows[position] = row
        self.reserve(len(self._ids))
        appended = len(self._ids) - before == len(rows)
        at = slice(before, len(self._ids)) if appended else rows
        self._vectors.put(at, drawers.vectors)
        self._columns.put(rows, drawers)
        self._forget_columns(drawers.ids)
        self._unranked.update(drawers.ids[at] for at in np.flatnonzero(~drawers.vectors.any(axis=1)).tolist())
        if drawers.pointer_shares is not None:
            shares = zip(drawers.ids, drawers.pointer_shares, strict=True)
            self._pointer_shares.update((drawer, share) for drawer, share in shares if share >= LEAST_POINTER_SHARE)
        for drawer, news in zip(drawers.ids, drawers.news or [()] * len(drawers.ids), strict=True):
            self.news.put(drawer, news)
        for drawer, windows in zip(drawers.ids, drawers.windows or [None] * len(drawers.ids), strict=True):
            self._windows.put(drawer, windows)
        if drawers.importances is not None:
            told = zip(drawers.ids, drawers.importances, strict=True)
            self._importances.update((drawer, value) for drawer, value in told if value != 0.5)

    def remove(self, ids: Collection[str]) -> None:
        """Remove drawers. Unknown ids are skipped."""
        for drawer in ids:
            row = self._row.pop(drawer, None)
            if row is None:
                continue
            self._forget_columns([drawer])
            self.news.remove([drawer])
            self._windows.put(drawer, None)
            last = len(self._ids) - 1
            moved = self._ids.pop()
            if row != last:
                self._ids[row] = moved
                self._row[moved] = row
                self._vectors.move(last, to=row)
                self._columns.move(last, to=row)

    def cosines(self, query: Vector) -> Float32[np.ndarray, " drawers"]:
        """Return the cosine of every drawer to the query, a unit vector, in row order."""
        return self._vectors.cosines(len(self), query)

    def nearest(self, query: Vector, *, limit: int, only: Filter | None = None) -> Ranking:
        """Return the drawers with the highest cosine to the query among those that pass the filter.

        A long text has the cosine of its nearest window.

        Args:
            query: Unit vector.
            limit: Largest number of drawers to return.
            only: None lets all drawers pass.
        """
        rows, cosines = self._cosines_of(query, only, limit)
        return self._best(self._with_windows(cosines, rows, query), rows, limit)

    def _cosines_of(
        self, query: Vector, only: Filter | None, limit: int
    ) -> tuple[Int64[np.ndarray, " drawers"] | None, Float32[np.ndarray, " drawers"]]:
        """Return the rows that pass a filter, or None for all, and their cosines."""
        rows = None if only is None or only.passes_all else np.flatnonzero(self._mask(only))
        (cosines,) = self._vectors.best_cosines(len(self), query[None], rows=rows, limit=limit)
        return rows, cosines

    def _with_windows(
        self, cosines: Float32[np.ndarray, " drawers"], rows: Int64[np.ndarray, " drawers"] | None, query: Vector
    ) -> Float32[np.ndarray, " drawers"]:
        """Give long texts the cosines of their nearest windows, in place."""
        for drawer, cosine in self._windows.best(query).items():
            at = row = self._row[drawer]
            if rows is not None:
                at = int(np.searchsorted(rows, row))
                if at == len(rows) or rows[at] != row:
                    continue
            cosines[at] = max(cosines[at], cosine)
        return cosines

    def nearest_of_each(self, queries: Matrix, *, limit: int) -> list[Ranking]:
        """Return the result of `nearest` without a filter for several queries, reading the matrix only once."""
        scores = self._vectors.best_cosines(len(self), queries, rows=None, limit=limit)
        return [
            self._best(self._with_windows(each, None, query), None, limit)
            for each, query in zip(scores, queries, strict=True)
        ]

    def passing(self, ids: Sequence[str], only: Filter) -> Bool[np.ndarray, " ids"]:
        """Return which of the given drawers are in the matrix and pass the filter."""
        mask = self._mask(only)
        return np.fromiter((row is not None and mask[row] for row in map(self._row.get, ids)), bool, len(ids))

    def neighbours(
        self, vectors: Matrix, *, k: int, threshold: float = -1.0, block: int = 512
    ) -> tuple[np.ndarray, np.ndarray]:
        """Find the k nearest drawers of each of many vectors. With lists, a few of these may be missing.

        Args:
            vectors: Unit vectors.
            threshold: Lowest cosine of interest. Results below it may be missing; then their cosine is -inf.
            block: How many vectors to process at a time.

        Returns:
            Row numbers and cosines, vectors x k, highest cosine first. k is reduced if the matrix has fewer drawers.
        """
        count = len(self)
        k = min(k, count)
        rows = np.empty((len(vectors), k), np.int64)
        cosines = np.empty((len(vectors), k), np.float32)
        for start in range(0, len(vectors) if k else 0, block):
            part = slice(start, start + block)
            rows[part], cosines[part] = self._vectors.neighbours(count, vectors[part], k=k, threshold=threshold)
        return rows, cosines

    def nearest_older(
        self, vectors: Matrix, *, wing: str, before_ms: Sequence[int], limit: int
    ) -> list[list[tuple[str, float]]]:
        """Return for each vector the drawers of a wing with the highest cosines among those said before, best first.

        Args:
            vectors: Unit vectors.
            wing: Id of the wing.
            before_ms: For each vector a time in milliseconds since 1970, exclusive.
        """
        if self._vectors.quick(len(vectors) * len(self)):
            asked = [
                self._cosines_of(vector, Filter(wing=wing, until_ms=before), limit)
                for vector, before in zip(vectors, before_ms, strict=True)
            ]
            found = [self._best(cosines, some, limit) for some, cosines in asked]
            return [list(zip(one.ids, one.scores, strict=True)) for one in found]
        rows = np.flatnonzero(self._mask(Filter(wing=wing)))
        nearest: list[list[tuple[str, float]]] = []
        for start in range(0, len(vectors), _TILE):
            scores = self._vectors.products(len(self), vectors[start : start + _TILE], rows=rows)
            before = np.asarray(before_ms[start : start + _TILE])
            scores[self._columns.times_ms[rows][None, :] >= before[:, None]] = -np.inf
            for best in (self._best(each, rows, limit) for each in scores):
                nearest.append(list(zip(best.ids, best.scores, strict=True)))
        return nearest

    def room_means(self) -> dict[str, tuple[str, int, Vector]]:
        """Return the wing, the number of drawers and the mean vector (length one) of each room, by the room's id.

        Rooms without drawers are left out. The means do not depend on the order of rows.
        """
        count = len(self)
        if not count:
            return {}
        names = self._columns.names()
        codes, rows = np.unique(self._columns.rooms[:count], return_inverse=True)
        # Sums in 64 bits and rounding make the means independent of the order of rows.
        order, sizes = np.argsort(rows, kind="stable"), np.bincount(rows)
        parts = np.split(order, np.cumsum(sizes)[:-1])
        sums = np.stack([self._vectors.some(part).sum(axis=0, dtype=np.float64) for part in parts])
        means = (sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)).round(6).astype(np.float32)
        wings = np.empty(len(codes), np.int32)
        wings[rows] = self._columns.wings[:count]
        return {names[int(code)]: (names[int(wings[at])], int(sizes[at]), means[at]) for at, code in enumerate(codes)}

    def _forget_columns(self, ids: Collection[str]) -> None:
        for drawer in self._importances.keys() & set(ids):
            del self._importances[drawer]
        for drawer in self._pointer_shares.keys() & set(ids):
            del self._pointer_shares[drawer]
        self._unranked.difference_update(ids)

    def _best(self, scores: Float32[np.ndarray, " rows"], rows: np.ndarray | None, limit: int) -> Ranking:
        if self._unranked and rows is None:  # a filter has left them out already
            scores[[self._row[drawer] for drawer in self._unranked]] = -np.inf
        found = len(scores)
        best = np.argpartition(scores, found - limit)[found - limit :] if limit < found else np.arange(found)
        best = best[np.lexsort((best, -scores[best]))]
        best = best[scores[best] > -np.inf]
        chosen = best if rows is None else rows[best]
        pairs = zip(chosen.tolist(), scores[best].tolist(), strict=True)
        return Ranking.of("semantic", [(self._ids[row], score) for row, score in pairs])

    def _mask(self, only: Filter) -> np.ndarray:
        count = len(self)
        mask = self._columns.passing(only, count)
        mask[[self._row[drawer] for drawer in self._unranked]] = False
        if only.drawers is not None:
            meets = np.zeros(count, bool)
            meets[[row for drawer in only.drawers if (row := self._row.get(drawer)) is not None]] = True
            mask &= meets
        return mask
