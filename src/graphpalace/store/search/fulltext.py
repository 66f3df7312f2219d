"""Drawers by their words, from the text indexes of a palace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphpalace.domain.changes import PalaceStanding
from graphpalace.store.connection.database import Database
from graphpalace.store.search.drawer_vectors import standing_of
from graphpalace.vectors.drawer_matrix import Filter

STEMS, EXACT = "drawer_stems", "drawer_exact"  # the indexes that each palace has


@dataclass(frozen=True, slots=True)
class WordPair:
    """Two neighbouring words of a question, and what to ask an index for them side by side; all escaped."""

    one: str
    other: str
    query: str


@dataclass(frozen=True, slots=True)
class IndexQuestion:
    """What one index is asked.

    Attributes:
        index: `STEMS` or `EXACT`.
        query: In Lucene's syntax, with every word escaped; "": nothing.
        pairs: Asked for beside it where they say something.
    """

    index: str
    query: str
    pairs: Sequence[WordPair] = ()


@dataclass(frozen=True, slots=True)
class WordsQuestion:
    """A question for drawers by their words.

    Attributes:
        asked: Of each index.
        measured_in: The indexes in which single words are measured.
        unmeasured: Words of the question, escaped, whose best score is to be measured.
        best: The best score of each other word.
        common: Words whose best score is less than this share of the best word's are common: two of them side by side
            are not asked for.
    """

    asked: Sequence[IndexQuestion]
    measured_in: Sequence[str]
    unmeasured: Sequence[str]
    best: Mapping[str, float]
    common: float


@dataclass(frozen=True, slots=True)
class WordsAnswer:
    """What was found by words.

    Attributes:
        measured: The most that each of the measured words gives to a drawer; 0 for words that are nowhere.
        ids, scores: Of the drawers, best first.
    """

    standing: PalaceStanding
    measured: Mapping[str, float]
    ids: Sequence[str]
    scores: Sequence[float]


class FulltextStore:
    """Asks the text indexes of palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, palace: str, question: WordsQuestion, *, only: Filter, limit: int) -> WordsAnswer | None:
        """Return the best drawers by the sum of the indexes' scores; None if there is no such palace.

        Args:
            only: Which drawers may be found.
            limit: Most drawers.
        """
        rows = await self._database.read(
            palace,
            "search/search_fulltext",
            measured_in=[f"{index}_{palace}" for index in question.measured_in],
            words=list(question.unmeasured),
            known=[{"word": word, "most": most} for word, most in question.best.items()],
            common=question.common,
            asked=[
                {
                    "index": f"{asked.index}_{palace}",
                    "query": asked.query,
                    "pairs": [{"one": pair.one, "other": pair.other, "query": pair.query} for pair in asked.pairs],
                }
                for asked in question.asked
            ],
            # A drawer that is far down in one index and at the top of another must not be missed.
            options={"limit": 2 * limit} if only.passes_all else {},
            limit=limit,
            wing_id=only.wing,
            room_ids=list(only.rooms) if only.rooms is not None else None,
            since_ms=only.since_ms,
            until_ms=only.until_ms,
            drawers=list(only.drawers) if only.drawers is not None else None,
        )
        if not rows:
            return None
        row = rows[0]
        measured = dict.fromkeys(question.unmeasured, 0.0) | {each["word"]: each["most"] for each in row["measured"]}
        return WordsAnswer(standing_of(row), measured, row["ids"], row["scores"])
