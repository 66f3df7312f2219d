"""The embeddings of all drawers of a palace in memory, for exact nearest-neighbour search by cosine with filters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
from jaxtyping import Bool, Float32, Int64

from graphpalace.domain.search.ranking import Ranking
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.lazy_torch import torch
from graphpalace.vectors.drawer_rows import DrawerRows, DrawerVectors, Filter
from graphpalace.vectors.nearest_rows import nearest_rows
from graphpalace.vectors.news_table import NewsTable
from graphpalace.vectors.rough_rows import RoughRows, exact_tiles, fast_in_int8
from graphpalace.vectors.window_rows import WindowRows

_QUICK_PRODUCT = 5_000_000  # multiply-adds: fewer are done before another thread could take over
LEAST_POINTER_SHARE = 0.5  # a drawer of which fewer words are links does not count as one that points elsewhere
_TILE = 64  # vectors that are compared with all drawers at once
_FEW_THREADS = 4  # with more threads than this, torch reads memory faster than a single thread of numpy


def fast_in_bfloat16(device: str) -> bool:
    """Return whether this hardware multiplies bfloat16 faster than 32-bit floats."""
    if device.startswith("cuda"):
        return torch.cuda.is_bf16_supported(including_emulation=False)
    return device == "cpu" and bool(torch.cpu.get_capabilities().get("avx512_bf16", False))


class DrawerMatrix:
    """A growable matrix of drawer embeddings (unit vectors) on a device, with the columns that filters need.

    Not thread-safe for writing: the caller must hold a lock. When a drawer is removed, the last row takes its place, so
    the matrix stays dense. Rows are 32-bit floats on a CPU and 16-bit floats on other devices. On a CPU, a small matrix
    is searched by numpy alone, so that torch need not be imported.
    """

    def __init__(self, dimension: int, *, device: str = "cpu", many_neighbours: bool = False) -> None:
        """Create an empty matrix.

        Args:
            dimension: Dimension of the embeddings.
            device: Name of a PyTorch device.
            many_neighbours: Keep a second copy of the rows as 8-bit integers, which makes `neighbours` faster. It has
                no effect unless the device is a CPU with fast 8-bit products.
        """
        self.dimension = dimension
        self.device = device
        self._on_cpu = device == "cpu"
        self._vectors: Any = self._empty(0)  # an array of numpy on a CPU, else a tensor
        rough = many_neighbours and self._on_cpu and fast_in_int8()
        self._rough = RoughRows(dimension) if rough else None
        self._ids: list[str] = []
        self._row: dict[str, int] = {}
        self._codes: dict[str, int] = {}
        self._wings = np.empty(0, np.int32)
        self._rooms = np.empty(0, np.int32)
        self._times = np.empty(0, np.int64)
        self._said = np.empty((0, 3), np.int32)  # speaker, project and conversation
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
    def quick(self) -> bool:
        """Whether `nearest` is so fast that handing it to another thread would take longer."""
        return len(self) * self.dimension <= _QUICK_PRODUCT

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
        return {drawer: int(self._times[self._row[drawer]]) for drawer in ids if drawer in self._row}

    def vectors_of(self, ids: Collection[str]) -> Matrix:
        """Return the vectors of the given drawers, in the order of `ids`. Unknown ids are skipped."""
        rows = np.array([self._row[drawer] for drawer in ids if drawer in self._row], np.int64)
        if self._on_cpu:
            return self._vectors[rows]
        return self._vectors[torch.from_numpy(rows).to(self.device)].float().cpu().numpy()

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

    def put(self, drawers: DrawerRows) -> None:
        """Add drawers. Drawers that exist already are replaced."""
        before = len(self._ids)
        rows = np.empty(len(drawers.ids), np.int64)
        for position, drawer in enumerate(drawers.ids):
            row = self._row.setdefault(drawer, len(self._ids))
            if row == len(self._ids):
                self._ids.append(drawer)
            rows[position] = row
        self._reserve(len(self._ids))
        appended = len(self._ids) - before == len(rows)
        at = slice(before, len(self._ids)) if appended else rows
        if self._on_cpu:
            self._vectors[at] = drawers.vectors
        else:
            vectors = torch.from_numpy(np.ascontiguousarray(drawers.vectors))
            on_device = at if appended else torch.from_numpy(rows).to(self.device)
            self._vectors[on_device] = vectors.to(self.device, self._vectors.dtype)
        if self._rough is not None:
            self._rough.put(at, drawers.vectors)
        self._wings[rows] = [self._code(wing) for wing in drawers.wings]
        self._rooms[rows] = [self._code(room) for room in drawers.rooms]
        self._times[rows] = drawers.times_ms
        for at, column in enumerate(drawers.said or ()):
            self._said[rows, at] = [self._code(name) for name in column]
        if drawers.said is None:
            self._said[rows] = self._code("")
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
                self._vectors[row] = self._vectors[last]
                if self._rough is not None:
                    self._rough.move(last, to=row)
                for column in (self._wings, self._rooms, self._times, self._said):
                    column[row] = column[last]

    def cosines(self, query: Vector) -> Float32[np.ndarray, " drawers"]:
        """Return the cosine of every drawer to the query, a unit vector, in row order."""
        return self._product(self._vectors[: len(self)], query)

    def nearest(self, query: Vector, *, limit: int, only: Filter | None = None) -> Ranking:
        """Return the drawers with the highest cosine to the query among those that pass the filter.

        A long text has the cosine of its nearest window.

        Args:
            query: Unit vector.
            limit: Largest number of drawers to return.
            only: None lets all drawers pass.
        """
        rows, cosines = self._cosines_of(query, only)
        return self._best(self._with_windows(cosines, rows, query), rows, limit)

    def _cosines_of(
        self, query: Vector, only: Filter | None
    ) -> tuple[Int64[np.ndarray, " drawers"] | None, Float32[np.ndarray, " drawers"]]:
        """Return the rows that pass a filter, or None for all, and their cosines."""
        count = len(self)
        if only is None or only.passes_all:
            return None, self._product(self._vectors[:count], query)
        rows = np.flatnonzero(self._mask(only))
        # Gathering a row costs about three times as much as reading it in place.
        if len(rows) * 3 < count:
            here = rows if self._on_cpu else torch.from_numpy(rows).to(self.device)
            return rows, self._product(self._vectors[here], query)
        return rows, self._product(self._vectors[:count], query)[rows]

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
        if len(queries) == 1:
            return [self.nearest(queries[0], limit=limit)]
        if self._on_cpu and self.quick:
            return [self.nearest(query, limit=limit) for query in queries]
        here = self._tensor()
        targets = torch.from_numpy(np.ascontiguousarray(queries)).to(here.device, here.dtype)
        # The long side comes first: for two queries and 100,000 drawers this takes 6 ms, the other order 37 ms.
        scores = (here @ targets.T).T.contiguous().float().cpu().numpy()
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
        """Find the k nearest drawers of each of many vectors.

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
            rows[part], cosines[part] = self._neighbours(vectors[part], k, threshold)
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
        if len(vectors) * len(self) * self.dimension <= _QUICK_PRODUCT:
            asked = [
                self._cosines_of(vector, Filter(wing=wing, until_ms=before))
                for vector, before in zip(vectors, before_ms, strict=True)
            ]
            found = [self._best(cosines, some, limit) for some, cosines in asked]
            return [list(zip(one.ids, one.scores, strict=True)) for one in found]
        rows = np.flatnonzero(self._mask(Filter(wing=wing)))
        here = self._tensor()
        if len(rows) < len(self):
            here = here[torch.from_numpy(rows).to(here.device)]
        nearest: list[list[tuple[str, float]]] = []
        for start in range(0, len(vectors), _TILE):
            part = torch.from_numpy(np.ascontiguousarray(vectors[start : start + _TILE])).to(here.device, here.dtype)
            scores = (here @ part.T).T.contiguous().float().cpu().numpy()
            before = np.asarray(before_ms[start : start + _TILE])
            scores[self._times[rows][None, :] >= before[:, None]] = -np.inf
            for best in (self._best(each, rows, limit) for each in scores):
                nearest.append(list(zip(best.ids, best.scores, strict=True)))
        return nearest

    def _neighbours(self, part: Matrix, k: int, threshold: float) -> tuple[np.ndarray, np.ndarray]:
        here, count = self._vectors[: len(self)], len(self)
        if self._on_cpu:
            tiles = self._rough.tiles(part, count) if self._rough else exact_tiles(part, here)
            return nearest_rows(part, here, tiles, k=k, threshold=threshold)
        best = torch.topk(torch.from_numpy(part).to(self.device, here.dtype) @ here.T, k)
        return best.indices.cpu().numpy(), best.values.float().cpu().numpy()

    def room_means(self) -> dict[str, tuple[str, int, Vector]]:
        """Return the wing, the number of drawers and the mean vector (length one) of each room, by the room's id.

        Rooms without drawers are left out. The means do not depend on the order of rows.
        """
        count = len(self)
        if not count:
            return {}
        names = {code: name for name, code in self._codes.items()}
        codes, rows = np.unique(self._rooms[:count], return_inverse=True)
        # Sums in 64 bits and rounding make the means independent of the order of rows.
        sums = torch.zeros((len(codes), self.dimension), dtype=torch.float64)
        for start in range(0, count, 8192):
            part = self._tensor()[start : start + 8192].cpu().double()
            sums.index_add_(0, torch.from_numpy(rows[start : start + len(part)]), part)
        means = torch.nn.functional.normalize(sums).numpy().round(6).astype(np.float32)
        wings = np.empty(len(codes), np.int32)
        wings[rows] = self._wings[:count]
        sizes = np.bincount(rows)
        return {names[int(code)]: (names[int(wings[at])], int(sizes[at]), means[at]) for at, code in enumerate(codes)}

    def _empty(self, rows: int) -> Any:
        if self._on_cpu:
            return np.empty((rows, self.dimension), np.float32)
        return torch.empty((rows, self.dimension), dtype=torch.float16, device=self.device)

    def _tensor(self) -> torch.Tensor:
        """Return the rows as a tensor, without copying them."""
        here = self._vectors[: len(self)]
        return torch.from_numpy(here) if self._on_cpu else here

    def _product(self, vectors: Any, query: Vector) -> Float32[np.ndarray, " rows"]:
        """Return the cosine of each row to the target.

        numpy is preferred on CPUs with few threads, because MKL, which torch uses, is slow at this on AMD processors:
        for 100,000 rows of 384 numbers, two threads of torch took 18 ms and one of numpy 7.6 ms.
        """
        if self._on_cpu and (self.quick or torch.get_num_threads() <= _FEW_THREADS):
            return np.einsum("ij,j->i", vectors, np.asarray(query, np.float32))
        rows = torch.from_numpy(vectors) if self._on_cpu else vectors
        return torch.mv(rows, torch.from_numpy(query).to(rows.device, rows.dtype)).float().cpu().numpy()

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
        mask = np.ones(count, bool)
        mask[[self._row[drawer] for drawer in self._unranked]] = False
        if only.wing is not None:
            mask &= self._wings[:count] == self._codes.get(only.wing, -1)
        if only.rooms is not None:
            mask &= np.isin(self._rooms[:count], [self._codes.get(room, -1) for room in only.rooms])
        if only.since_ms is not None:
            mask &= self._times[:count] >= only.since_ms
        if only.until_ms is not None:
            mask &= self._times[:count] < only.until_ms
        for at, name in enumerate(only.said):
            if name is not None:
                mask &= self._said[:count, at] == self._codes.get(name, -1)
        if only.drawers is not None:
            meets = np.zeros(count, bool)
            meets[[row for drawer in only.drawers if (row := self._row.get(drawer)) is not None]] = True
            mask &= meets
        return mask

    def _code(self, name: str) -> int:
        return self._codes.setdefault(name, len(self._codes))

    def _reserve(self, count: int) -> None:
        """Make room for `count` rows, growing by at least half so that repeated adding takes linear time."""
        capacity = len(self._vectors)
        if count <= capacity:
            return
        grown = max(count, capacity + capacity // 2)
        vectors = self._empty(grown)
        vectors[:capacity] = self._vectors
        self._vectors = vectors
        if self._rough is not None:
            self._rough.reserve(grown)
        for name in ("_wings", "_rooms", "_times", "_said"):
            column = np.zeros((grown, *getattr(self, name).shape[1:]), getattr(self, name).dtype)
            column[:capacity] = getattr(self, name)
            setattr(self, name, column)
