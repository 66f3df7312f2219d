"""The interface of a lane, which ranks the drawers of a palace for a question, and the `semantic` lane."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from graphpalace.domain.palaces.palaces import PalaceVersion
from graphpalace.domain.search.answer import Ranking
from graphpalace.domain.search.evidence import COSINE_IS_EVIDENCE, EvidenceScale
from graphpalace.domain.search.fusion_plan import Profile
from graphpalace.domain.vectors import Vector
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.vectors.drawer_rows import Filter

ON_REQUEST = frozenset({"code", "expanded"})  # lanes that no other lane starts from, and asked only by name


@dataclass(frozen=True, slots=True)
class WordsRead:
    """What the statement of the full-text lane reads.

    Attributes:
        state: Birth and revision of the palace; None if the question has no words.
        ids, scores: Drawers that share words with the question.
        most: Best score that the words could reach by themselves.
        best: For each word of the question, the best score that it alone gives to any drawer; 0 if it occurs nowhere.
    """

    state: PalaceVersion | None = None
    ids: Sequence[str] = ()
    scores: Sequence[float] = ()
    most: float = 0.0
    best: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LaneQuery:
    """The question that every lane of one search receives.

    Attributes:
        query: The user's words; may be empty.
        vector: Returns the embedding of the question, of length one, when it is ready.
        only: Filter of drawers; it applies before the ranking is cut.
        depth: Largest number of results.
        profile: Wanted codes with weights above 0, by scheme, for the lane `code`.
        without: Parts of the search to leave out (`domain.search.request.PARTS`).
        cosines: What a cosine of the palace's model is worth.
        words, state: Return what was read once for all lanes; None: each lane reads what it needs.
    """

    query: str
    vector: Callable[[], Awaitable[Vector]]
    only: Filter
    depth: int
    profile: Profile = field(default_factory=dict)
    without: frozenset[str] = frozenset()
    words: Callable[[], Awaitable[WordsRead]] | None = None
    state: Callable[[], Awaitable[PalaceVersion]] | None = None
    cosines: EvidenceScale = COSINE_IS_EVIDENCE


class Lane(Protocol):
    """Ranks drawers in its own way."""

    @property
    def name(self) -> str:
        """Name of the lane in rankings, weights and answers."""
        ...

    @property
    def needs_vector(self) -> bool:
        """Whether the lane needs the question's embedding."""
        ...

    async def rank(self, palace: str, asked: LaneQuery) -> Ranking:
        """Return the best drawers, best first, with scores on the lane's own scale."""
        ...


class SemanticLane:
    """Ranks drawers by the exact cosine of their embedding to the question's."""

    name = "semantic"
    needs_vector = True

    def __init__(self, indexes: DrawerIndexes) -> None:
        self._indexes = indexes

    async def rank(self, palace: str, asked: LaneQuery) -> Ranking:
        """Return the drawers nearest to the question."""
        return await self._indexes.nearest(
            palace, await asked.vector(), limit=asked.depth, only=asked.only, state=asked.state
        )
