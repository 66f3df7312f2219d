"""Lanes of a search: small interchangeable parts, each of which ranks the drawers of a palace for a question."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from graphpalace.domain.changes import PalaceStanding
from graphpalace.domain.search.fusion_plan import Profile
from graphpalace.domain.search.ranking import Ranking
from graphpalace.domain.vectors import Vector
from graphpalace.vectors.drawer_matrix import Filter


@dataclass(frozen=True, slots=True)
class WordsRead:
    """What one statement says of a palace.

    Attributes:
        state: Where the palace stands; None if the question has no words.
        ids, scores: Drawers that share words with the question.
        most: The greatest score that the words could reach by themselves.
    """

    state: PalaceStanding | None = None
    ids: Sequence[str] = ()
    scores: Sequence[float] = ()
    most: float = 0.0


@dataclass(frozen=True, slots=True)
class LaneQuery:
    """What every lane of one search gets.

    Attributes:
        query: The user's words; may be empty.
        vector: Gives the embedding of the question, which may still be under way; length one.
        only: Which drawers may be found; it applies before the ranking is cut.
        depth: Most results.
        profile: Wanted codes with weights above 0, by scheme; for the lane of codes.
        without: Parts of the search that are left out (`domain.search.request.PARTS`).
        words, state: Give what is read of the palace once, before the lanes, for those that need it; None: a lane
            reads what it needs.
    """

    query: str
    vector: Callable[[], Awaitable[Vector]]
    only: Filter
    depth: int
    profile: Profile = field(default_factory=dict)
    without: frozenset[str] = frozenset()
    words: Callable[[], Awaitable[WordsRead]] | None = None
    state: Callable[[], Awaitable[PalaceStanding]] | None = None


class Lane(Protocol):
    """Ranks drawers in its own way."""

    @property
    def name(self) -> str:
        """What rankings, weights and answers call it."""
        ...

    @property
    def needs_vector(self) -> bool:
        """Whether it waits for the question's embedding."""
        ...

    async def rank(self, palace: str, asked: LaneQuery) -> Ranking:
        """Return the lane's best drawers, with scores of its own scale, best first."""
        ...
