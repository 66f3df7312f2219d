"""Which drawers of a palace are probably news on which older ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from graphpalace.domain.search.news import NewsOn


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

    def outdated(self, drawers: Iterable[str]) -> int:
        """Return on how many of some drawers another one is news."""
        return sum(drawer in self._newer for drawer in drawers)

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
