"""Drawers as rows of a matrix, filters of them, and columns, among them those that only some drawers have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int64

from graphpalace.domain.search.news import NewsOn
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


class NewsTable:
    """The edges from newer to older drawers, in both directions."""

    def __init__(self) -> None:
        self._older: dict[str, Sequence[NewsOn]] = {}
        self._newer: dict[str, set[str]] = defaultdict(set)

    def __bool__(self) -> bool:
        return bool(self._older)

    def put(self, drawer: str, news: Sequence[NewsOn]) -> None:
        """Replace what a drawer is news on."""
        self._take_out(drawer)
        if news:
            self._older[drawer] = news
            for each in news:
                self._newer[each.drawer].add(drawer)

    def remove(self, drawers: Iterable[str]) -> None:
        """Forget some drawers: what they are news on, and that others are news on them."""
        for drawer in drawers:
            self._take_out(drawer)
            for newer in self._newer.pop(drawer, ()):
                left = [each for each in self._older[newer] if each.drawer != drawer]
                if left:
                    self._older[newer] = left
                else:
                    del self._older[newer]

    def _take_out(self, drawer: str) -> None:
        for each in self._older.pop(drawer, ()):
            newer = self._newer[each.drawer]
            newer.discard(drawer)
            if not newer:
                del self._newer[each.drawer]

    @property
    def outdated(self) -> Collection[str]:
        """The drawers on which another one is news."""
        return self._newer.keys()

    def after(self, drawers: Iterable[str]) -> dict[str, list[NewsOn]]:
        """Return what is news on some drawers, what is news on that, and so on: what each newer drawer is news on.

        Example:
            >>> table = NewsTable()
            >>> table.put("b", [NewsOn("a", 0.5)])
            >>> table.put("c", [NewsOn("b", 0.3)])
            >>> sorted(table.after(["a"]))
            ['b', 'c']
        """
        reached = set(drawers)
        found: dict[str, list[NewsOn]] = {}
        last = reached
        while last:
            newer = {one for drawer in last for one in self._newer.get(drawer, ())}
            last = newer - reached
            reached = reached | newer
        for drawer in reached:
            if some := [each for each in self._older.get(drawer, ()) if each.drawer in reached]:
                found[drawer] = some
        return found


@dataclass(frozen=True, slots=True)
class Filter:
    """Restricts a search to some drawers. A condition that is None does not restrict it.

    Attributes:
        wing: Id of a wing.
        rooms: Ids of rooms.
        since_ms, until_ms: Earliest time (inclusive) and latest time (exclusive) at which the drawer was said, or
            stored if that is unknown; milliseconds since 1970.
        drawers: Ids of the drawers that meet the conditions on their closets.
        speaker: Who said it.
        project, conversation: Where it was said.
    """

    wing: str | None = None
    rooms: tuple[str, ...] | None = None
    since_ms: int | None = None
    until_ms: int | None = None
    drawers: frozenset[str] | None = None
    speaker: str | None = None
    project: str | None = None
    conversation: str | None = None

    @property
    def passes_all(self) -> bool:
        """Whether the filter has no condition."""
        return self == Filter()

    @property
    def said(self) -> tuple[str | None, str | None, str | None]:
        """The speaker, the project and the conversation."""
        return self.speaker, self.project, self.conversation


@dataclass(frozen=True, slots=True)
class DrawerRows:
    """Drawers to put into the matrix, as columns of equal length.

    Attributes:
        ids: Ids of the drawers.
        wings, rooms: Ids of the wing and the room of each drawer.
        times_ms: When each drawer was said or stored, in milliseconds since 1970.
        vectors: Embeddings, unit vectors. A drawer with a vector of zeros is in no ranking.
        importances: Importance of each drawer, 0 to 1; None means the neutral 0.5 for all.
        pointer_shares: Share of the words of each drawer that are links, 0 to 1; None means 0 for all.
        news: The older drawers that each drawer is probably news on; None means none.
        windows: Vectors of the windows of each drawer with a long text; None means none.
    """

    ids: Sequence[str]
    wings: Sequence[str]
    rooms: Sequence[str]
    times_ms: Sequence[int]
    vectors: Matrix
    importances: Sequence[float] | None = None
    pointer_shares: Sequence[float] | None = None
    said: tuple[Sequence[str], Sequence[str], Sequence[str]] | None = None
    news: Sequence[Sequence[NewsOn]] | None = None
    windows: Sequence[Matrix | None] | None = None


@dataclass(frozen=True, slots=True)
class DrawerVectors:
    """The embeddings of some drawers, one row of `vectors` for each id."""

    ids: Sequence[str]
    vectors: Matrix

    def cosines(self, query: Vector) -> dict[str, float]:
        """Return the cosine of each drawer to a query, a unit vector."""
        return dict(zip(self.ids, (self.vectors @ query).tolist(), strict=True))

    def close(self, least_cosine: float) -> Callable[[str, str], bool]:
        """Return a test of whether the cosine of two drawers is at least so high. Unknown ids are close to none."""
        row = {drawer: at for at, drawer in enumerate(self.ids)}
        # einsum uses one thread: those of a matrix product would keep the CPU busy for a while afterwards.
        near = (np.einsum("ij,kj->ik", self.vectors, self.vectors) >= least_cosine).tolist()
        return lambda one, other: one in row and other in row and near[row[one]][row[other]]

    def of(self, ids: Iterable[str]) -> Matrix:
        """Return the vectors of the given drawers, in the order of `ids`. Unknown ids are skipped."""
        row = {drawer: at for at, drawer in enumerate(self.ids)}
        return self.vectors[[row[drawer] for drawer in ids if drawer in row]]


class FilterColumns:
    """The wing, the room and the time of each row of a matrix, and who said it where.

    Attributes:
        wings, rooms: Codes of their ids, which `names` translates.
        times_ms: When each drawer was said or stored, in milliseconds since 1970.
    """

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self.wings = np.empty(0, np.int32)
        self.rooms = np.empty(0, np.int32)
        self.times_ms = np.empty(0, np.int64)
        self._said = np.empty((0, 3), np.int32)  # speaker, project and conversation

    def names(self) -> dict[int, str]:
        """Return the id of each code."""
        return {code: name for name, code in self._codes.items()}

    def reserve(self, rows: int) -> None:
        """Make room for so many rows."""
        if rows <= len(self.wings):
            return
        for name in ("wings", "rooms", "times_ms", "_said"):
            old = getattr(self, name)
            column = np.zeros((rows, *old.shape[1:]), old.dtype)
            column[: len(old)] = old
            setattr(self, name, column)

    def put(self, rows: Int64[np.ndarray, " drawers"], drawers: DrawerRows) -> None:
        """Write the columns of some drawers into the given rows, for which there is room."""
        self.wings[rows] = [self._code(wing) for wing in drawers.wings]
        self.rooms[rows] = [self._code(room) for room in drawers.rooms]
        self.times_ms[rows] = drawers.times_ms
        for at, column in enumerate(drawers.said or ()):
            self._said[rows, at] = [self._code(name) for name in column]
        if drawers.said is None:
            self._said[rows] = self._code("")

    def move(self, row: int, *, to: int) -> None:
        """Copy a row to the place of another one."""
        for column in (self.wings, self.rooms, self.times_ms, self._said):
            column[to] = column[row]

    def passing(self, only: Filter, count: int) -> Bool[np.ndarray, " rows"]:
        """Return which of the first `count` rows pass a filter, apart from the drawers that it names."""
        mask = np.ones(count, bool)
        if only.wing is not None:
            mask &= self.wings[:count] == self._codes.get(only.wing, -1)
        if only.rooms is not None:
            mask &= np.isin(self.rooms[:count], [self._codes.get(room, -1) for room in only.rooms])
        if only.since_ms is not None:
            mask &= self.times_ms[:count] >= only.since_ms
        if only.until_ms is not None:
            mask &= self.times_ms[:count] < only.until_ms
        for at, name in enumerate(only.said):
            if name is not None:
                mask &= self._said[:count, at] == self._codes.get(name, -1)
        return mask

    def _code(self, name: str) -> int:
        return self._codes.setdefault(name, len(self._codes))
