"""Which drawers mention which names, what each spelling means, and which of the names a question has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Bool, Float32, Int32

from graphpalace.domain.knowledge.entity import normalised_name
from graphpalace.entities.words import COMMON

_INITIAL = re.compile(r"(?:[^\W\d_]\.)+")
_CAPITAL_SHARE = 0.7  # a text with more capitalised words is a heading, whose capitals say nothing
_SENTENCE_END = (".", "?", "!", ":")
_MOST_WORDS = 512  # of a question; later words are not looked at
_LONGEST = 8  # words of a name


@dataclass(frozen=True, eq=False)
class Mentions:
    """The mentions of names in drawers, one for each drawer and name.

    Attributes:
        drawer: Row of the drawer.
        name: Row of the name.
        is_title: Whether the name is the title of the drawer's document.
        success: Success pheromone of the mention, >= 0.
    """

    drawer: Int32[np.ndarray, " mentions"]
    name: Int32[np.ndarray, " mentions"]
    is_title: Bool[np.ndarray, " mentions"]
    success: Float32[np.ndarray, " mentions"]


class NameIndex:
    """The names of a palace and the drawers that mention them.

    The lists and dictionaries may be shared with a later index, which adds to their ends. The arrays never change.

    Attributes:
        drawers: Ids of the drawers that mention a name. Later indexes may add more.
        names: Ids of the names. Later indexes may add more.
        shown: How each name is written.
        mentions: Sorted by name.
        name_start: Where the mentions of each name begin, and the end of the last; int64 [names + 1].
        texts_with: Number of drawers that mention each name without it being their title; int64 [names].
        names_in: Number of names in each drawer; int64 [drawers].
    """

    def __init__(
        self,
        *,
        drawers: list[str],
        names: list[str],
        shown: list[str],
        row_of: Mapping[str, int],
        spellings: Spellings,
        mentions: Mentions,
    ) -> None:
        """Create the index.

        Args:
            row_of: Rows of drawers by id.
            spellings: Rows of names by how they are written.

        Raises:
            ValueError: If the mentions are not sorted by name.
        """
        if np.any(mentions.name[1:] < mentions.name[:-1]):
            raise ValueError("mentions must be sorted by name")
        self.drawers, self.names, self.shown, self.mentions = drawers, names, shown, mentions
        self._row_of, self._spellings = row_of, spellings
        self.name_start = np.zeros(len(names) + 1, np.int64)
        np.cumsum(np.bincount(mentions.name, minlength=len(names)), out=self.name_start[1:])
        self.texts_with = np.bincount(mentions.name[~mentions.is_title], minlength=len(names))
        self.names_in = np.bincount(mentions.drawer, minlength=len(drawers))

    def row_of(self, drawer: str) -> int | None:
        """Return the row of a drawer; None if it never mentioned a name."""
        row = self._row_of.get(drawer)
        return row if row is not None and row < len(self.names_in) else None

    def named(self, spelling: str) -> int | None:
        """Return the row of the name with a normalised spelling; None if there is none."""
        row = self._spellings.meant(spelling)
        return row if row is not None and row < len(self.texts_with) else None

    def longest_from(self, word: str) -> int:
        """Return the number of words, or more, of the longest spelling that begins with a word; 0 if there is none."""
        return self._spellings.longest_from(word)

    def of_drawer(self, row: int) -> Int32[np.ndarray, " names"]:
        """Return the names that a drawer mentions, in ascending order."""
        return self.mentions.name[self.mentions.drawer == row]


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


def question_names(question: str, index: NameIndex) -> set[int]:
    """Return the rows of the known names that a question has.

    A name of several words is recognised however it is written. A name of one word must be written as one: with a
    capital letter that does not come from the beginning of a sentence. Otherwise every *Python function* would name the
    snake, and "who" the organisation.

    A question that is nothing but a name has none here: it looks for what has that name, and not for something else by
    way of it.
    """
    words = question.split()[:_MOST_WORDS]
    capitals = _capitalised(words)
    beginnings = [normalised_name(word) for word in words]
    found = set[int]()
    weighty = {at for at, beginning in enumerate(beginnings) if beginning and beginning not in COMMON}
    for at, (word, beginning) in enumerate(zip(words, beginnings, strict=True)):
        unsure = beginning == "" or _INITIAL.fullmatch(word) or _articled(word)
        longest = _LONGEST if unsure else min(index.longest_from(beginning), _LONGEST)
        for end in range(at + 1, min(at + longest, len(words)) + 1):
            spelling = normalised_name(" ".join(words[at:end]))
            row = index.named(spelling)
            if row is not None and (" " in spelling or any(capitals[at:end])):
                if weighty <= set(range(at, end)):
                    return set()
                found.add(row)
    return found


def _articled(word: str) -> bool:
    return word.casefold() in {"the", "a", "an"}


def _capitalised(words: list[str]) -> list[bool]:
    """Return for each word whether its capital letters say that it is a name."""
    starts = [True] * bool(words) + [
        one.endswith(_SENTENCE_END) and not _INITIAL.fullmatch(one) for one, _ in pairwise(words)
    ]
    plain = [word.strip("\"'([{\u201c\u2018") for word in words]
    if sum(word[:1].isupper() for word in plain) > _CAPITAL_SHARE * len(words) and len(words) > 1:
        return [False] * len(words)
    return [
        (word[:1].isupper() and not begins) or sum(letter.isupper() for letter in word) > 1
        for word, begins in zip(plain, starts, strict=True)
    ]
