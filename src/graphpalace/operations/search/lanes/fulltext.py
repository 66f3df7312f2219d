"""The `fulltext` and `expanded` lanes: find drawers by words, with Lucene in Neo4j (BM25, RM3)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from graphpalace.domain.search.answer import Ranking
from graphpalace.domain.search.pseudo_feedback import RelevanceModel
from graphpalace.domain.search.request import OTHER_WINGS
from graphpalace.domain.search.search_words import search_words
from graphpalace.entities.words import COMMON
from graphpalace.errors import NotFound
from graphpalace.operations.search.lanes.lane import LaneQuery, WordsRead
from graphpalace.operations.search.lanes.wing_words import WingQuestion, read_wing
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.search.fulltext import (
    EXACT,
    STEMS,
    FulltextStore,
    IndexQuestion,
    WordPair,
    WordsAnswer,
    WordsQuestion,
)
from graphpalace.store.search.lucene import QueryWord, bare, neighbours, phrase, query_words, trimmed, weighted
from graphpalace.vectors.drawer_rows import Filter

_MOST_WORDS = 100_000  # words whose best scores are cached, for each palace
# A word whose best score is below this share of that of the question's best word is common. A pair of common words says
# little about a drawer, and searching for it reads long posting lists.
_COMMON = 0.25
# How many words of a question a drawer can be expected to have. No drawer has all words of a long question.
MOST_COUNTED = 10
_PART = re.compile(r"[^\W_]+")
_LEAST_EXACT = 3  # signs; a lone "8" or "2a" may be anywhere
_EXACT = re.compile(r"\d|[^\W_]_+[^\W_]|[a-z][A-Z]")
_NOT = ("n't", "n\u2019t")


class FulltextLane:
    """Ranks drawers by BM25 over stemmed words of text and title, exact words, and pairs of neighbouring words.

    Source of the pairs: the ordered pairs of the sequential dependence model (Metzler and Croft 2005).
    """

    name = "fulltext"
    needs_vector = False

    def __init__(self, database: Database, *, exact_weight: float = 0.8, phrase_weight: float = 0.4) -> None:
        """Create the lane.

        Args:
            exact_weight: Weight of a word as it is written, >= 0. Its stem has weight 1.
            phrase_weight: Weight of two neighbouring words of the question that are also neighbours in a drawer, >= 0.
                A single word has weight 1. With 0, pairs are not searched.
        """
        self._database = database
        self._texts = FulltextStore(database)
        self._exact_weight = exact_weight
        self._phrase_weight = phrase_weight
        self._best: dict[str, _BestScores] = {}

    async def rank(self, palace: str, asked: LaneQuery) -> Ranking:
        """Return the drawers that share words with the question; none if it has no words.

        Raises:
            NotFound: If the palace does not exist.
        """
        read = await (self.read(palace, asked) if asked.words is None else asked.words())
        ranking = Ranking.of(self.name, list(zip(read.ids, read.scores, strict=True)))
        top = max(ranking.scores, default=0.0)
        # Pairs and titles can raise a score above `read.most`, which is the best that the words alone could reach.
        most = top if "sureness" in asked.without else max(top, read.most)
        return replace(ranking, most=most or 1.0)

    async def read(self, palace: str, asked: LaneQuery) -> WordsRead:
        """Read the drawers that share words with the question and, in the same statement, the palace's revision.

        Raises:
            NotFound: If the palace does not exist.
        """
        words = query_words(asked.query)
        if not words:
            return WordsRead()
        silent = await self._texts.stop_words() | COMMON
        if OTHER_WINGS in asked.without:
            question = self._of_wing(asked, words, silent)
            read = await read_wing(self._database, palace, question, asked)
            return replace(read, most=reachable(question.weights, read.best, silent=silent))
        found, scores = await self._found(palace, asked, self._parts(asked, words), [word.query for word in words])
        best = {word.word: scores[word.query] for word in words}
        most = reachable({word.word: word.weight for word in words}, best, silent=silent)
        return WordsRead(found.version, found.ids, found.scores, most, best)

    def forget(self, palace: str) -> None:
        """Free the words of questions that are cached with their best scores."""
        self._best.pop(palace, None)

    def _of_wing(self, asked: LaneQuery, words: Sequence[QueryWord], silent: Set[str]) -> WingQuestion:
        """Return the question for one wing. Words that say nothing are left out unless there are no others."""
        return WingQuestion(
            [word for word in words if _says_something(word.word, silent)] or words,
            neighbours(asked.query) if "phrases" not in asked.without else (),
            self._exact_weight if self._exact(asked) else 0.0,
            self._phrase_weight,
            "titles" in asked.without,
        )

    def _parts(self, asked: LaneQuery, words: Sequence[QueryWord]) -> list[IndexQuestion]:
        """Return the query for each index, with the pairs of words that may be added to it."""
        plain = weighted((word.query, word.weight) for word in words)
        only_text = "titles" in asked.without
        parts = [IndexQuestion(STEMS, f"({plain})" if only_text else plain, only_text=only_text)]
        pairs = [
            WordPair(one.query, other.query, phrase((one, other), weight=self._phrase_weight))
            for one, other in (
                neighbours(asked.query) if self._phrase_weight and "phrases" not in asked.without else ()
            )
        ]
        exact = f"({plain})^{self._exact_weight:g}" if self._exact(asked) else ""
        if exact or pairs:
            parts.append(IndexQuestion(EXACT, exact, pairs=pairs))
        return parts

    def _exact(self, asked: LaneQuery) -> bool:
        return self._exact_weight > 0 and "exact words" not in asked.without

    async def _found(
        self, palace: str, asked: LaneQuery, parts: list[IndexQuestion], words: Sequence[str]
    ) -> tuple[WordsAnswer, dict[str, float]]:
        """Return what was found, and the best score that each word alone gives to any drawer.

        Args:
            words: The query of each word.
        """
        indexes = {STEMS: 1.0} | ({EXACT: self._exact_weight} if self._exact(asked) else {})
        known = self._best.get(palace)
        if known is None or known.words > _MOST_WORDS:
            known = _BestScores()
        while True:
            scores = known.scores.setdefault(tuple(indexes), {})
            missing = [word for word in words if word not in scores]
            best = {word: scores[word] for word in words if word in scores}
            question = WordsQuestion(parts, indexes, missing, best, _COMMON)
            found = await self._texts.find(palace, question, only=asked.only, limit=asked.depth)
            if found is None:
                raise NotFound(f"there is no palace {palace!r}", palace=palace)
            state = (found.version.born, found.version.revision)
            if known.state == state:
                scores.update(found.measured)
                return found, {word: scores[word] for word in words}
            if len(missing) == len(words):
                measured = dict(found.measured)
                self._best[palace] = _BestScores(state, {tuple(indexes): measured})
                return found, measured
            known = _BestScores()  # the cached scores are outdated, because the palace was written to


def reachable(weights: Mapping[str, float], best: Mapping[str, float], *, silent: Set[str] = frozenset()) -> float:
    """Return the score that a drawer with all words of a question could have, but with the best ten words at most.

    A word that occurs nowhere counts as much as the rarest that does. So a drawer with one word of eight is not sure of
    itself only because a small palace has none of the other seven. But if a code, a number or an identifier of the
    question occurs, it is what the question is about, and nothing else is missed: "we get ORA-01652 again".

    Args:
        weights: Weight of each word in the question, > 0.
        best: The best score that each word alone gives to any drawer; 0 if it occurs nowhere.
        silent: Words that say nothing, in small letters: nothing is missed if they occur nowhere.

    Example:
        >>> words = ("Where", "tulips", "grow")
        >>> reachable(dict.fromkeys(words, 1.0), dict(zip(words, (0.0, 0.0, 1.5))), silent={"where"})
        3.0
        >>> reachable({"again": 1.0, "ORA01652": 1.0}, {"again": 0.0, "ORA01652": 3.9})
        3.9
    """
    exact = any(score and _is_exact(word) for word, score in best.items())
    rarest = 0.0 if exact else max(best.values(), default=0.0)
    scores = [
        weight * (best[word] or (rarest if _says_something(word, silent) else 0.0)) for word, weight in weights.items()
    ]
    return sum(sorted(scores, reverse=True)[:MOST_COUNTED])


def _says_something(word: str, silent: Set[str]) -> bool:
    """Return whether a word has a part that is not silent. "where's", "don't" and "l'" have none."""
    plain = bare(word)
    parts = (part for part in _PART.findall(plain) if len(part) > 1 or not part.isascii() or part.isdigit())
    return not plain.endswith(_NOT) and any(part not in silent for part in parts)


def _is_exact(word: str) -> bool:
    """Return whether a word is a code, a number of some digits or an identifier, and no word of a language."""
    plain = trimmed(word)
    return len(plain) >= _LEAST_EXACT and bool(_EXACT.search(plain))


@dataclass(slots=True)
class _BestScores:
    """Cache of the best score of single words, by indexes, in one state of the palace."""

    state: tuple[str, int] | None = None
    scores: dict[tuple[str, ...], dict[str, float]] = field(default_factory=dict)

    @property
    def words(self) -> int:
        return sum(len(scores) for scores in self.scores.values())


# A word whose best score is below this share of the best word's is common, and is not added to a question.


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
