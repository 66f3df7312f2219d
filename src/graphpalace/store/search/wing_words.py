"""Find which drawers of a wing have which words, so that nothing depends on the other wings of the palace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphpalace.domain.changes import PalaceVersion
from graphpalace.store.connection.database import Database
from graphpalace.store.search.drawer_vectors import version_of
from graphpalace.store.search.fulltext import filter_params
from graphpalace.vectors.drawer_rows import Filter


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
