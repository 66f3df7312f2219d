"""Which name each spelling means, kept up to date name by name."""

from __future__ import annotations

from collections.abc import Iterable

from graphpalace.domain.knowledge.entity import normalised_name


class Spellings:
    """Names by their spellings.

    A spelling means the name whose own it is, and not one of which it is an alias. Of several names with the same
    alias, it means the one with the smallest id, in whatever order they came.
    """

    def __init__(self) -> None:
        self._own: dict[str, int] = {}
        self._others: dict[str, dict[str, int]] = {}  # by alias: rows by id
        self._longest: dict[str, int] = {}

    def meant(self, spelling: str) -> int | None:
        """Return the row of the name that a normalised spelling means; None if it means none."""
        row = self._own.get(spelling)
        if row is None and (named := self._others.get(spelling)):
            return named[min(named)]
        return row

    def longest_from(self, word: str) -> int:
        """Return the number of words of the longest spelling there ever was that begins with a word; 0: of none."""
        return self._longest.get(word, 0)

    def add(self, identity: str, row: int, normalised: str, aliases: Iterable[str]) -> None:
        """Add a name that has no spelling yet.

        Args:
            normalised: Its own spelling, which no other name has.
            aliases: Other ways of writing it, not normalised.
        """
        self._own[normalised] = row
        self._note(normalised)
        for alias in aliases:
            if spelling := normalised_name(alias):
                # A new dictionary, as a search may be reading the old one.
                self._others[spelling] = {**self._others.get(spelling, {}), identity: row}
                self._note(spelling)

    def remove(self, identity: str, normalised: str, aliases: Iterable[str]) -> None:
        """Remove the spellings of a name, which are given as they were added."""
        self._own.pop(normalised, None)
        for alias in aliases:
            spelling = normalised_name(alias)
            left = {other: row for other, row in self._others.get(spelling, {}).items() if other != identity}
            if left:
                self._others[spelling] = left
            else:
                self._others.pop(spelling, None)

    def _note(self, spelling: str) -> None:
        first = spelling.partition(" ")[0]
        self._longest[first] = max(self._longest.get(first, 0), spelling.count(" ") + 1)
