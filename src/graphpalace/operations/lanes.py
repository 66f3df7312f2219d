"""Lanes of a search: small interchangeable parts, each of which ranks the drawers of a palace for a question."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from graphpalace.domain.fusion_plan import Profile
from graphpalace.domain.ranking import Ranking
from graphpalace.domain.search_words import search_words
from graphpalace.domain.vectors import Vector
from graphpalace.operations.drawer_indexes import DrawerIndexes
from graphpalace.score.drawer_matrix import Filter
from graphpalace.store.database import Database
from graphpalace.store.lucene import escaped

_MOST_WORDS = 100_000  # whose best scores are remembered


@dataclass(frozen=True, slots=True)
class Asked:
    """What every lane of one search gets.

    Attributes:
        query: The user's words; may be empty.
        vector: Gives the embedding of the question, which may still be under way; length one.
        only: Which drawers may be found; it applies before the ranking is cut.
        depth: Most results.
        profile: Wanted codes with weights above 0, by scheme; for the lane of codes.
        without: Parts of the search that are left out (`question.PARTS`).
    """

    query: str
    vector: Callable[[], Awaitable[Vector]]
    only: Filter
    depth: int
    profile: Profile = field(default_factory=dict)
    without: frozenset[str] = frozenset()


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

    async def rank(self, palace: str, asked: Asked) -> Ranking:
        """Return the lane's best drawers, with scores of its own scale, best first."""
        ...


class FulltextLane:
    """Lucene's BM25 in Neo4j: stemmed words of text and title, plus words as they are written."""

    name = "fulltext"
    needs_vector = False

    def __init__(self, database: Database) -> None:
        self._database = database
        self._best: dict[str, _BestScores] = {}

    async def rank(self, palace: str, asked: Asked) -> Ranking:
        """Return the drawers that share words with the question; none if it has no words."""
        words = escaped(search_words(asked.query))
        if not words:
            return Ranking(self.name, (), ())
        stems = f"words:({words})" if "titles" in asked.without else words
        parts = [{"index": f"drawer_stems_{palace}", "query": stems}]
        if "exact words" not in asked.without:
            parts.append({"index": f"drawer_exact_{palace}", "query": words})
        only = asked.only
        if only.passes_all:
            # A drawer that is far down in one index and at the top of another must not be missed.
            found = self._database.read(
                "search/search_fulltext", palace=palace, asked=parts, each=2 * asked.depth, limit=asked.depth
            )
        else:
            found = self._database.read(
                "search/search_fulltext_filtered",
                palace=palace,
                asked=parts,
                limit=asked.depth,
                wing_id=only.wing,
                room_ids=list(only.rooms) if only.rooms is not None else None,
                since_ms=only.since_ms,
                until_ms=only.until_ms,
                drawers=list(only.drawers) if only.drawers is not None else None,
            )
        indexes = [part["index"] for part in parts]
        known = self._best.get(palace) or _BestScores()
        rows, most = await asyncio.gather(found, self._most(palace, known, indexes, words.split()))
        if not rows:
            return Ranking(self.name, (), ())
        row = rows[0]
        if row["state"] != known.state or known.words > _MOST_WORDS:  # the palace was written to since
            known = self._best[palace] = _BestScores(row["state"])
            most = await self._most(palace, known, indexes, words.split())
        ranking = Ranking.of(self.name, list(zip(row["ids"], row["scores"], strict=True)), most=most or 1.0)
        if "sureness" in asked.without:
            return replace(ranking, most=max(ranking.scores, default=1.0))
        return ranking

    async def _most(self, palace: str, known: _BestScores, indexes: list[str], words: list[str]) -> float:
        """Return the most that a drawer could reach that answers each word as well as any drawer does."""
        scores = known.scores.setdefault(tuple(indexes), {})
        if missing := [word for word in words if word not in scores]:
            rows = await self._database.read(
                "search/best_scores_of_words", palace=palace, indexes=indexes, words=missing
            )
            scores.update(dict.fromkeys(missing, 0.0) | {row["word"]: row["most"] for row in rows})
        return sum(scores[word] for word in words)


@dataclass(slots=True)
class _BestScores:
    """What single words reached in some indexes in a state of the palace; words repeat from question to question."""

    state: str = ""
    scores: dict[tuple[str, ...], dict[str, float]] = field(default_factory=dict)

    @property
    def words(self) -> int:
        return sum(len(scores) for scores in self.scores.values())


class SemanticLane:
    """Exact cosine of the question's embedding to every drawer's."""

    name = "semantic"
    needs_vector = True

    def __init__(self, indexes: DrawerIndexes) -> None:
        self._indexes = indexes

    async def rank(self, palace: str, asked: Asked) -> Ranking:
        """Return the drawers nearest to the question."""
        return await self._indexes.nearest(palace, await asked.vector(), limit=asked.depth, only=asked.only)
