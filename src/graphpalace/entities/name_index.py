"""Which drawers mention which names, as arrays, so that a search needs no query for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float32, Int32

from graphpalace.entities.spellings import Spellings


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
