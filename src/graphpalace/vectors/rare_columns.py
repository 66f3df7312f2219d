"""What only some drawers of a palace have: windows of long texts, and older drawers on which they are news."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

import numpy as np

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
