"""Find drawers by words: with the full-text indexes of a palace, or of one wing, so that no other wing counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphpalace.domain.palaces.palaces import PalaceVersion
from graphpalace.store.connection.database import Database
from graphpalace.store.search.drawer_columns import version_of
from graphpalace.vectors.drawer_rows import Filter

STEMS, EXACT = "stems", "exact"  # the kinds of index that each palace has, for each analyzer of its words


@dataclass(frozen=True, slots=True)
class WordPair:
    """Two neighbouring words of a question, and the query that finds them as neighbours. All are escaped."""

    one: str
    other: str
    query: str


@dataclass(frozen=True, slots=True)
class IndexQuestion:
    """The query of one index.

    Attributes:
        kind: `STEMS` or `EXACT`.
        query: Query in Lucene's syntax, with every word escaped; "" searches only for pairs.
        only_text: Whether to leave out titles; the query must then be one clause.
        pairs: Pairs that are added to the query if both words occur in the palace and at least one is not common.
    """

    kind: str
    query: str
    only_text: bool = False
    pairs: Sequence[WordPair] = ()


@dataclass(frozen=True, slots=True)
class WordsQuestion:
    """A search for drawers by words.

    Attributes:
        asked: The query of each index.
        measured_in: Kinds of index in which the best scores of single words are measured, each with its weight.
        unmeasured: Words of the question, escaped, whose best score must be measured.
        best: Known best score of each other word.
        common: A word is common if its best score is less than this share of the best word's. Pairs of two common words
            are not searched.
    """

    asked: Sequence[IndexQuestion]
    measured_in: Mapping[str, float]
    unmeasured: Sequence[str]
    best: Mapping[str, float]
    common: float


@dataclass(frozen=True, slots=True)
class WordsAnswer:
    """The result of a search by words.

    Attributes:
        version: State of the palace.
        measured: Best score of each measured word in any drawer; 0 for words that do not occur.
        ids, scores: The drawers, best first.
    """

    version: PalaceVersion
    measured: Mapping[str, float]
    ids: Sequence[str]
    scores: Sequence[float]


def filter_params(only: Filter) -> dict[str, Any]:
    """Return the parameters by which queries of words filter drawers."""
    return {
        "wing_id": only.wing,
        "room_ids": list(only.rooms) if only.rooms is not None else None,
        "since_ms": only.since_ms,
        "until_ms": only.until_ms,
        "drawers": list(only.drawers) if only.drawers is not None else None,
        "author": only.speaker,
        "project": only.project,
        "conversation": only.conversation,
    }


class FulltextStore:
    """Searches the full-text indexes of palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._stop_words: frozenset[str] | None = None

    async def stop_words(self) -> frozenset[str]:
        """Return the words, of all languages, that the indexes leave out, in small letters. They are read once."""
        if self._stop_words is None:
            (row,) = await self._database.read(None, "search/list_stop_words")
            self._stop_words = frozenset(word.casefold() for word in row["words"])
        return self._stop_words

    async def find(self, palace: str, question: WordsQuestion, *, only: Filter, limit: int) -> WordsAnswer | None:
        """Return the best drawers by the sum of their scores in the indexes; None if the palace does not exist.

        Args:
            only: Filter of drawers.
            limit: Largest number of drawers.
        """
        rows = await self._database.read(
            palace,
            "search/search_fulltext",
            question={
                "measured_in": [{"kind": kind, "weight": weight} for kind, weight in question.measured_in.items()],
                "words": list(question.unmeasured),
                "known": [{"word": word, "most": most} for word, most in question.best.items()],
                "asked": [
                    {
                        "kind": asked.kind,
                        "query": asked.query,
                        "only_text": asked.only_text,
                        "pairs": [{"one": pair.one, "other": pair.other, "query": pair.query} for pair in asked.pairs],
                    }
                    for asked in question.asked
                ],
            },
            common=question.common,
            # More than `limit` from each index, so that a drawer that is high in one and low in another is not missed.
            options={"limit": 2 * limit} if only.passes_all else {},
            limit=limit,
            **filter_params(only),
        )
        if not rows:
            return None
        row = rows[0]
        measured = dict.fromkeys(question.unmeasured, 0.0) | {each["word"]: each["most"] for each in row["measured"]}
        return WordsAnswer(version_of(row), measured, row["ids"], row["scores"])


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word or a pair of neighbouring words that is looked for.

    Attributes:
        kind: Which index, `STEMS` or `EXACT` (`store.search.fulltext`).
        query: In Lucene's syntax, with every word escaped.
        weight: By which its rarity counts for the choice of the drawers, >= 0.
    """

    kind: str
    query: str
    weight: float


@dataclass(frozen=True, slots=True)
class MatchedDrawer:
    """A drawer with the places, in the list of what was asked, of what it has, and the beginning of its text."""

    id: str
    has: frozenset[int]
    text: str


@dataclass(frozen=True, slots=True)
class WingMatches:
    """What a wing has of some words.

    Attributes:
        size: The number of its drawers.
        counts: For each word or pair that was asked, how many drawers of the wing have it.
        found: The drawers with the most, and the rarest, of them.
    """

    version: PalaceVersion
    size: int
    counts: Sequence[int]
    found: Sequence[MatchedDrawer]


class WingWordsStore:
    """Looks up words in one wing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def match(
        self, palace: str, asked: Sequence[AskedWord], *, only_text: bool, only: Filter, most_chars: int, limit: int
    ) -> WingMatches | None:
        """Return what the wing of a filter has of some words; None if the palace or the wing does not exist.

        Args:
            only_text: Whether to leave out titles.
            only: Filter of the drawers that are found; it has a wing. `counts` are of the whole wing.
            most_chars: Length of the texts that are returned.
            limit: Largest number of drawers.
        """
        rows = await self._database.read(
            palace,
            "search/match_words_of_wing",
            asked=[
                {"key": key, "kind": one.kind, "query": one.query, "weight": one.weight}
                for key, one in enumerate(asked)
            ],
            only_text=only_text,
            most_chars=most_chars,
            limit=limit,
            **filter_params(only),
        )
        if not rows:
            return None
        (row,) = rows
        counts: Mapping[int, int] = {each["key"]: each["drawers"] for each in row["counts"]}
        return WingMatches(
            version_of(row),
            row["size"],
            [counts.get(key, 0) for key in range(len(asked))],
            [MatchedDrawer(each["id"], frozenset(each["keys"]), each["text"]) for each in row["found"]],
        )
