"""The `fulltext` lane: words of the question, by Lucene in Neo4j."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphpalace.domain.ranking import Ranking
from graphpalace.domain.search_words import search_words
from graphpalace.operations.lanes import Asked
from graphpalace.store.database import Database, Row
from graphpalace.store.lucene import escaped, neighbours, phrase

_MOST_WORDS = 100_000  # whose best scores are remembered
# Words that give less than this share of what the question's best word gives stand in a good part of all drawers: two
# of them side by side say little, and to look for them is to read long lists.
_COMMON = 0.25


class FulltextLane:
    """Lucene's BM25 in Neo4j: stemmed words of text and title, words as they are written, and those side by side.

    Source of the last: sequential dependence (Metzler and Croft 2005), its ordered pairs.
    """

    name = "fulltext"
    needs_vector = False

    def __init__(self, database: Database, *, phrase_weight: float = 0.4) -> None:
        """Wire it.

        Args:
            phrase_weight: Worth of two neighbouring words of the question that stand side by side in a drawer, beside
                1 for words, >= 0; 0: nothing.
        """
        self._database = database
        self._phrase_weight = phrase_weight
        self._best: dict[str, _BestScores] = {}

    async def rank(self, palace: str, asked: Asked) -> Ranking:
        """Return the drawers that share words with the question; none if it has no words."""
        text = search_words(asked.query)
        words = escaped(text).split()
        if not words:
            return Ranking(self.name, (), ())
        state, best = await self._best_scores(palace, asked, words)
        parts = self._parts(palace, asked, text, best)
        rows = await self._found(palace, asked, parts)
        if rows and rows[0]["state"] != state:  # the palace was written to since words were measured
            self._best.pop(palace, None)
            _, best = await self._best_scores(palace, asked, words)
            again = self._parts(palace, asked, text, best)
            rows = rows if again == parts else await self._found(palace, asked, again)
        if not rows:
            return Ranking(self.name, (), ())
        ranking = Ranking.of(self.name, list(zip(rows[0]["ids"], rows[0]["scores"], strict=True)))
        top = max(ranking.scores, default=0.0)
        # Side by side, and in titles, words may be worth more than that.
        most = top if "sureness" in asked.without else max(top, sum(best.values()))
        return replace(ranking, most=most or 1.0)

    def _parts(self, palace: str, asked: Asked, text: str, best: Mapping[str, float]) -> list[dict[str, str]]:
        """Return what each index is asked; `best` says how much each word can give."""
        words = " ".join(best)
        parts = {f"drawer_stems_{palace}": f"words:({words})" if "titles" in asked.without else words}
        exact = [] if "exact words" in asked.without else [words]
        if self._phrase_weight and "phrases" not in asked.without:
            common = _COMMON * max(best.values())
            exact += [
                phrase(pair, weight=self._phrase_weight)
                for pair in neighbours(text)
                if all(best.get(word) for word in pair) and any(best[word] >= common for word in pair)
            ]
        if exact:
            parts[f"drawer_exact_{palace}"] = " ".join(exact)
        return [{"index": index, "query": query} for index, query in parts.items()]

    async def _found(self, palace: str, asked: Asked, parts: list[dict[str, str]]) -> list[Row]:
        only = asked.only
        if only.passes_all:
            # A drawer that is far down in one index and at the top of another must not be missed.
            return await self._database.read(
                "search/search_fulltext", palace=palace, asked=parts, each=2 * asked.depth, limit=asked.depth
            )
        return await self._database.read(
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

    async def _best_scores(self, palace: str, asked: Asked, words: Sequence[str]) -> tuple[str, dict[str, float]]:
        """Return the most that each word alone gives to any drawer, and in which state of the palace."""
        indexes = _indexes(palace, asked)
        known = self._best.get(palace)
        if known is None or known.words > _MOST_WORDS:
            known = self._best[palace] = _BestScores()
        scores = known.scores.setdefault(indexes, {})
        missing = [word for word in words if word not in scores]
        if missing:
            rows = await self._measured(palace, indexes, missing)
            if rows and rows[0]["state"] != known.state:
                known = self._best[palace] = _BestScores(rows[0]["state"])
                scores = known.scores.setdefault(indexes, {})
                if len(missing) < len(words):  # the others were measured before the palace was written to
                    missing, rows = words, await self._measured(palace, indexes, words)
            scores.update(dict.fromkeys(missing, 0.0) | {row["word"]: row["most"] for row in rows})
        return known.state, {word: scores[word] for word in words}

    async def _measured(self, palace: str, indexes: Sequence[str], words: Sequence[str]) -> list[Row]:
        return await self._database.read(
            "search/best_scores_of_words", palace=palace, indexes=list(indexes), words=list(words)
        )


def _indexes(palace: str, asked: Asked) -> tuple[str, ...]:
    stems, exact = f"drawer_stems_{palace}", f"drawer_exact_{palace}"
    return (stems,) if "exact words" in asked.without else (stems, exact)


@dataclass(slots=True)
class _BestScores:
    """What single words reached in some indexes in a state of the palace; words repeat from question to question."""

    state: str = ""
    scores: dict[tuple[str, ...], dict[str, float]] = field(default_factory=dict)

    @property
    def words(self) -> int:
        return sum(len(scores) for scores in self.scores.values())
