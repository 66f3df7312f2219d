"""Drawers as rows of a matrix, filters of them, and the columns that filters need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int64

from graphpalace.domain.search.news import NewsOn
from graphpalace.domain.vectors import Matrix, Vector


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
        """Make room for so many rows; there must be fewer."""
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
