"""Mentions of names in drawers, as the database stores them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MentionColumns:
    """Mentions as columns of equal length.

    Attributes:
        drawers, names: Ids.
        is_title: Whether the name is the title of the drawer's document.
        success: Success pheromone at the cycle of `cycles`, >= 0.
        cycles: -1 if there is no pheromone.
    """

    drawers: Sequence[str] = ()
    names: Sequence[str] = ()
    is_title: Sequence[bool] = ()
    success: Sequence[float] = ()
    cycles: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class SpellingColumns:
    """Names as columns of equal length.

    Attributes:
        shown: How each is written.
        normalised: The same as `normalised_name` returns it.
        aliases: Other ways of writing it.
    """

    ids: Sequence[str] = ()
    shown: Sequence[str] = ()
    normalised: Sequence[str] = ()
    aliases: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, slots=True)
class MentionChanges:
    """What changed since a revision of a palace.

    Attributes:
        born: When the palace was created, which distinguishes it from a later palace of the same name.
        revision, cycle: Of the palace now.
        entries: Number of entries of the change feed; fewer than the revisions passed if some were deleted.
        removed: Ids of drawers that were deleted.
        named: Ids of drawers whose mentions, or their pheromones, changed.
    """

    born: str
    revision: int
    cycle: int
    entries: int
    removed: frozenset[str]
    named: frozenset[str]
