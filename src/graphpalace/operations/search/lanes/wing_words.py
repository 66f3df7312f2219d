"""Words of one wing, ranked by what that wing alone has of them.

Lucene's scores count how rare a word is in the whole palace, so they would tell the holder of a key for a wing which
words the others have. Here Lucene only tells which drawers of the wing have a word; the scores are computed from them.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from statistics import fmean

from graphpalace.errors import NotFound
from graphpalace.operations.search.lanes.lane import LaneQuery, WordsRead
from graphpalace.store.connection.database import Database
from graphpalace.store.search.fulltext import EXACT, STEMS, AskedWord, WingMatches, WingWordsStore
from graphpalace.store.search.lucene import QueryWord, bare

_MOST_WORDS = 64  # of a question; each is looked up by itself
_MOST_CHARS = 10_000  # of a text, in which a word's occurrences are counted
_K1, _B = 1.2, 0.75  # of BM25, as Lucene has them
_TOKEN = re.compile(r"[^\W_]+")
_WHOLE, _ENDING = 4, 2  # a longer word than four letters may have another ending than its last two


@dataclass(frozen=True, slots=True)
class WingQuestion:
    """The words of a question.

    Attributes:
        words: The words, each once.
        pairs: Neighbouring words.
        exact_weight, pair_weight: Weight of a word as it is written, and of a pair; the stem of a word has 1.
        only_text: Whether titles do not count.
    """

    words: Sequence[QueryWord]
    pairs: Sequence[tuple[QueryWord, QueryWord]]
    exact_weight: float
    pair_weight: float
    only_text: bool

    @property
    def weights(self) -> dict[str, float]:
        """Weight of each word, > 0."""
        return {word.word: word.weight for word in self.words}

    def asked(self) -> list[AskedPart]:
        """Return what is looked up: stems, then words as they are written, then pairs of the words."""
        words = self.words[:_MOST_WORDS]
        stems = [AskedPart((word.word,), word.whole, STEMS, word.weight) for word in words]
        exact = [AskedPart((word.word,), word.whole, EXACT, word.weight * self.exact_weight) for word in words]
        there = {word.word for word in words}
        pairs = [
            AskedPart((one.word, other.word), f'"{one.phrase} {other.phrase}"', EXACT, self.pair_weight)
            for one, other in self.pairs
            if {one.word, other.word} <= there
        ]
        return [*stems, *(exact if self.exact_weight else ()), *(pairs if self.pair_weight else ())]


@dataclass(frozen=True, slots=True)
class AskedPart:
    """A word, or a pair of neighbouring words, with its query, the kind of index, and its weight."""

    words: Sequence[str]
    query: str
    kind: str
    weight: float


async def read_wing(database: Database, palace: str, question: WingQuestion, lane: LaneQuery) -> WordsRead:
    """Return the drawers of the wing that share words with a question. `most` is left to the caller.

    Raises:
        NotFound: If the palace or the wing does not exist.
    """
    asked = question.asked()
    stored = [AskedWord(one.kind, one.query, one.weight) for one in asked]
    # Twice as many as are needed, because how often a drawer has a word is counted only afterwards.
    found = await WingWordsStore(database).match(
        palace, stored, only_text=question.only_text, only=lane.only, most_chars=_MOST_CHARS, limit=2 * lane.depth
    )
    if found is None:
        raise NotFound(f"there is no palace {palace!r}, or its wing was deleted just now", palace=palace)
    scored, best = await asyncio.to_thread(wing_scores, asked, found)
    ordered = sorted(scored.items(), key=lambda one: (-one[1], one[0]))[: lane.depth]
    best = {word: best.get(word, 0.0) for word in question.weights}
    return WordsRead(found.version, [one for one, _ in ordered], [score for _, score in ordered], 0.0, best)


def wing_scores(asked: Sequence[AskedPart], found: WingMatches) -> tuple[dict[str, float], dict[str, float]]:
    """Return the score of each drawer by BM25 in the wing, and the best score that each word alone gives to any.

    A word that no drawer with a text at hand has gets the score of one occurrence in a text of the usual length.
    """
    rarity = [log(1 + (found.size - count + 0.5) / (count + 0.5)) for count in found.counts]
    # Words as they are written follow their stems, and pairs consist of words as they are written.
    alone = {one.words[0]: value for one, value in zip(asked, rarity, strict=True) if len(one.words) == 1}
    texts = [_TOKEN.findall(drawer.text.casefold()) for drawer in found.found]
    usual = fmean(map(len, texts)) if texts else 1.0
    worth = [
        one.weight * (value if len(one.words) == 1 else sum(alone[word] for word in one.words))
        for one, value in zip(asked, rarity, strict=True)
    ]
    best = defaultdict[str, float](float)
    for one, value, count in zip(asked, worth, found.counts, strict=True):
        if len(one.words) == 1 and count:
            best[one.words[0]] += value / (1 + _K1)
    scores: dict[str, float] = {}
    for drawer, tokens in zip(found.found, texts, strict=True):
        often, total = Counter(tokens), 0.0
        length = _K1 * (1 - _B + _B * len(tokens) / (usual or 1.0))
        of_word = defaultdict[str, float](float)
        for key in sorted(drawer.has):
            one = asked[key]
            times = 1 if len(one.words) > 1 else max(1, _times(often, one.words[0], whole=one.kind == EXACT))
            score = worth[key] * times / (times + length)
            total += score
            if len(one.words) == 1:
                of_word[one.words[0]] += score
        scores[drawer.id] = total
        for word, score in of_word.items():
            best[word] = max(best[word], score)
    return scores, best


def _times(often: Counter[str], word: str, *, whole: bool) -> int:
    """Return how often a text has a word; 0 if that cannot be told, as the index may know other forms of it."""
    plain = bare(word)
    if whole or len(plain) <= _WHOLE:
        return often[plain]
    stem = plain[: max(_WHOLE, len(plain) - _ENDING)]
    return sum(times for token, times in often.items() if token.startswith(stem))
