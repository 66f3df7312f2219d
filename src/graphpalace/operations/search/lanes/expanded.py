"""The `expanded` lane: finds drawers by the words of the question and those of the best drawers for it (RM3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphpalace.domain.search.pseudo_feedback import RelevanceModel
from graphpalace.domain.search.ranking import Ranking
from graphpalace.domain.search.search_words import search_words
from graphpalace.operations.search.lanes.fulltext import MOST_COUNTED, FulltextLane
from graphpalace.operations.search.lanes.lane import LaneQuery
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.search.fulltext import STEMS, FulltextStore, IndexQuestion, WordsAnswer, WordsQuestion
from graphpalace.store.search.lucene import query_words, weighted
from graphpalace.vectors.drawer_rows import Filter

# A word whose best score is below this share of the best word's is common, and is not added to a question.
_COMMON = 0.25


class ExpandedLane:
    """Ranks drawers by BM25 over the question's words and the words that the best drawers for it have most."""

    name = "expanded"
    needs_vector = False

    def __init__(self, database: Database, fulltext: FulltextLane, model: RelevanceModel) -> None:
        """Create the lane.

        Args:
            fulltext: Finds the drawers whose words are added.
        """
        self._texts = FulltextStore(database)
        self._drawers = DrawerStore(database)
        self._fulltext = fulltext
        self._model = model

    async def rank(self, palace: str, asked: LaneQuery) -> Ranking:
        """Return the drawers that share words with the question or with the best drawers for it.

        Nothing is found for a question that shares no word with any drawer.

        Raises:
            NotFound: If the palace does not exist.
        """
        first = await (self._fulltext.read(palace, asked) if asked.words is None else asked.words())
        question = {word.query.casefold(): word.weight for word in query_words(asked.query)}
        best = list(first.ids[: self._model.drawers])
        if not best:
            return Ranking(self.name, (), ())
        score_of = dict(zip(best, first.scores, strict=False))
        texts = {drawer.id: drawer.text for drawer in await self._drawers.read(palace, best)}
        there = [drawer for drawer in best if drawer in texts]
        spelled = [search_words(texts[one]) for one in there]  # as the index has them
        offered = self._model.candidates(spelled, [score_of[one] for one in there])
        measured = await self._measured(palace, [*question, *offered])
        least = _COMMON * max(measured.values(), default=0.0)
        rare = {word: share for word, share in offered.items() if measured[word] > least}
        words = self._model.expanded(question, rare)
        found = await self._find(palace, asked, weighted(words.items()))
        if found is None:  # the palace was dropped just now; the full-text lane tells
            return Ranking(self.name, (), ())
        reached = sorted((weight * measured[word] for word, weight in words.items()), reverse=True)
        most = max(max(found.scores, default=0.0), sum(reached[:MOST_COUNTED]))
        return Ranking.of(self.name, list(zip(found.ids, found.scores, strict=True)), most=most or 1.0)

    async def _measured(self, palace: str, words: Sequence[str]) -> Mapping[str, float]:
        """Return the best score of each word in any drawer; 0 for words that the index does not have."""
        question = WordsQuestion([], {STEMS: 1.0}, list(dict.fromkeys(words)), {}, _COMMON)
        found = await self._texts.find(palace, question, only=Filter(), limit=1)
        return dict.fromkeys(words, 0.0) | dict(found.measured if found else {})

    async def _find(self, palace: str, asked: LaneQuery, query: str) -> WordsAnswer | None:
        question = WordsQuestion([IndexQuestion(STEMS, query)], {}, [], {}, _COMMON)
        return await self._texts.find(palace, question, only=asked.only, limit=asked.depth)
