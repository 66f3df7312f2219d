"""Which drawers mention which names, as arrays, so that a search needs no query for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float32, Int32, Int64


@dataclass(frozen=True, eq=False)
class Mentions:
    """The mentions of names in drawers, one for each drawer and name, in any order.

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

    def of(self, chosen: np.ndarray) -> Mentions:
        """Return some of the mentions, chosen by a mask or by their positions."""
        return Mentions(self.drawer[chosen], self.name[chosen], self.is_title[chosen], self.success[chosen])


@dataclass(frozen=True, eq=False)
class NameIndex:
    """The names of a palace and the drawers that mention them.

    Attributes:
        drawers: Ids of the drawers that mention a name.
        names: Ids of the names.
        spellings: Rows of names by each normalised way of writing them.
        shown: How each name is written.
        mentions: Sorted by name.
    """

    drawers: list[str]
    names: list[str]
    shown: list[str]
    spellings: Mapping[str, int]
    mentions: Mentions

    def __post_init__(self) -> None:
        if not np.all(np.diff(self.mentions.name) >= 0):
            raise ValueError("mentions must be sorted by name")

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Rows of drawers by id."""
        return {drawer: row for row, drawer in enumerate(self.drawers)}

    @cached_property
    def longest_from(self) -> dict[str, int]:
        """Number of words of the longest spelling that begins with each first word."""
        longest: dict[str, int] = {}
        for spelling in self.spellings:
            first = spelling.partition(" ")[0]
            longest[first] = max(longest.get(first, 0), spelling.count(" ") + 1)
        return longest

    @cached_property
    def name_start(self) -> Int64[np.ndarray, " names_and_one"]:
        """Where the mentions of each name begin."""
        return np.searchsorted(self.mentions.name, np.arange(len(self.names) + 1))

    @cached_property
    def texts_with(self) -> Int64[np.ndarray, " names"]:
        """Number of drawers that mention each name without it being their title."""
        return np.bincount(self.mentions.name[~self.mentions.is_title], minlength=len(self.names))

    @cached_property
    def names_in(self) -> Int64[np.ndarray, " drawers"]:
        """Number of names in each drawer."""
        return np.bincount(self.mentions.drawer, minlength=len(self.drawers))

    @cached_property
    def _by_drawer(self) -> tuple[np.ndarray, np.ndarray]:
        order = np.argsort(self.mentions.drawer, kind="stable")
        return order, np.searchsorted(self.mentions.drawer[order], np.arange(len(self.drawers) + 1))

    def of_drawer(self, row: int) -> Int32[np.ndarray, " names"]:
        """Return the names that a drawer mentions."""
        order, start = self._by_drawer
        return self.mentions.name[order[start[row] : start[row + 1]]]
