"""The `fulltext` lane: words of the question, by Lucene in Neo4j."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graphpalace.domain.ranking import Ranking
from graphpalace.domain.search_words import search_words
from graphpalace.errors import NotFound
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
        """Return the drawers that share words with the question; none if it has no words.

        Raises:
            NotFound: If the palace is not there.
        """
        try:
            return await self._rank(palace, asked)
        finally:
            asked.tell(None)  # if nothing was asked of the palace, nobody needs to wait for it

    async def _rank(self, palace: str, asked: Asked) -> Ranking:
        text = search_words(asked.query)
        words = escaped(text).split()
        if not words:
            return Ranking(self.name, (), ())
        row, best = await self._found(palace, asked, self._parts(palace, asked, text, words), words)
        if not row["ids"]:
            return Ranking(self.name, (), ())
        ranking = Ranking.of(self.name, list(zip(row["ids"], row["scores"], strict=True)))
        top = max(ranking.scores, default=0.0)
        # Side by side, and in titles, words may be worth more than that.
        most = top if "sureness" in asked.without else max(top, sum(best.values()))
        return replace(ranking, most=most or 1.0)

    def _parts(self, palace: str, asked: Asked, text: str, words: Sequence[str]) -> list[Row]:
        """Return what each index is asked, and the pairs of words that may be asked for beside that."""
        plain = " ".join(words)
        parts: list[Row] = [
            {
                "index": f"drawer_stems_{palace}",
                "query": f"words:({plain})" if "titles" in asked.without else plain,
                "pairs": [],
            }
        ]
        pairs = [
            {"one": one, "other": other, "query": phrase((one, other), weight=self._phrase_weight)}
            for one, other in (neighbours(text) if self._phrase_weight and "phrases" not in asked.without else ())
        ]
        exact = "" if "exact words" in asked.without else plain
        if exact or pairs:
            parts.append({"index": f"drawer_exact_{palace}", "query": exact, "pairs": pairs})
        return parts

    async def _found(
        self, palace: str, asked: Asked, parts: list[Row], words: Sequence[str]
    ) -> tuple[Row, dict[str, float]]:
        """Return what was found, and the most that each word alone gives to any drawer."""
        indexes = _indexes(palace, asked)
        known = self._best.get(palace)
        if known is None or known.words > _MOST_WORDS:
            known = _BestScores()
        while True:
            scores = known.scores.setdefault(indexes, {})
            missing = [word for word in words if word not in scores]
            known_words = [{"word": word, "most": scores[word]} for word in words if word in scores]
            row = await self._asked(palace, asked, parts, indexes, missing, known_words)
            measured = dict.fromkeys(missing, 0.0) | {each["word"]: each["most"] for each in row["measured"]}
            state = (row["born"], row["revision"])
            if known.state == state:
                scores.update(measured)
                return row, {word: scores[word] for word in words}
            if len(missing) == len(words):
                self._best[palace] = _BestScores(state, {indexes: measured})
                return row, measured
            known = _BestScores()  # the palace was written to since some of them were measured

    async def _asked(
        self,
        palace: str,
        asked: Asked,
        parts: list[Row],
        indexes: Sequence[str],
        missing: Sequence[str],
        known: list[Row],
    ) -> Row:
        only = asked.only
        rows = await self._database.read(
            "search/search_fulltext",
            palace=palace,
            measured_in=list(indexes),
            words=list(missing),
            known=known,
            common=_COMMON,
            asked=parts,
            # A drawer that is far down in one index and at the top of another must not be missed.
            options={"limit": 2 * asked.depth} if only.passes_all else {},
            limit=asked.depth,
            wing_id=only.wing,
            room_ids=list(only.rooms) if only.rooms is not None else None,
            since_ms=only.since_ms,
            until_ms=only.until_ms,
            drawers=list(only.drawers) if only.drawers is not None else None,
        )
        if not rows:
            raise NotFound(f"there is no palace {palace!r}", palace=palace)
        asked.tell(rows[0])
        return rows[0]


def _indexes(palace: str, asked: Asked) -> tuple[str, ...]:
    stems, exact = f"drawer_stems_{palace}", f"drawer_exact_{palace}"
    return (stems,) if "exact words" in asked.without else (stems, exact)


@dataclass(slots=True)
class _BestScores:
    """What single words reached in some indexes in a state of the palace; words repeat from question to question."""

    state: tuple[str, int] | None = None
    scores: dict[tuple[str, ...], dict[str, float]] = field(default_factory=dict)

    @property
    def words(self) -> int:
        return sum(len(scores) for scores in self.scores.values())
