"""Which drawers mention which names, the names in a question, and the drawers that are found by names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Bool, Float32, Float64, Int32, Int64

from graphpalace.domain.knowledge.entity import normalised_name
from graphpalace.entities.words import COMMON

_INITIAL = re.compile(r"(?:[^\W\d_]\.)+")
_CAPITAL_SHARE = 0.7  # a text with more capitalised words is a heading, whose capitals say nothing
_SENTENCE_END = (".", "?", "!", ":")
_MOST_WORDS = 512  # of a question; later words are not looked at
_LONGEST = 8  # words of a name


@dataclass(frozen=True, eq=False)
class Mentions:
    """The mentions of names in drawers, one for each drawer and name.

    Attributes:
        drawer: Row of the drawer.
        name: Row of the name.
        is_title: Whether the name is the title of the drawer's document.
        success: Success pheromone of the mention, >= 0.
    """

    drawer: Int32[np.ndarray, " mentions"]
    name: Int32[np.ndarray, " mentions"]
    is_title: Bool[np.ndarray, " mentions"]
    success: Float32[np.ndarray, " mentions"]


class NameIndex:
    """The names of a palace and the drawers that mention them.

    The lists and dictionaries may be shared with a later index, which adds to their ends. The arrays never change.

    Attributes:
        drawers: Ids of the drawers that mention a name. Later indexes may add more.
        names: Ids of the names. Later indexes may add more.
        shown: How each name is written.
        mentions: Sorted by name.
        name_start: Where the mentions of each name begin, and the end of the last; int64 [names + 1].
        texts_with: Number of drawers that mention each name without it being their title; int64 [names].
        names_in: Number of names in each drawer; int64 [drawers].
    """

    def __init__(
        self,
        *,
        drawers: list[str],
        names: list[str],
        shown: list[str],
        row_of: Mapping[str, int],
        spellings: Spellings,
        mentions: Mentions,
    ) -> None:
        """Create the index.

        Args:
            row_of: Rows of drawers by id.
            spellings: Rows of names by how they are written.

        Raises:
            ValueError: If the mentions are not sorted by name.
        """
        if np.any(mentions.name[1:] < mentions.name[:-1]):
            raise ValueError("mentions must be sorted by name")
        self.drawers, self.names, self.shown, self.mentions = drawers, names, shown, mentions
        self._row_of, self._spellings = row_of, spellings
        self.name_start = np.zeros(len(names) + 1, np.int64)
        np.cumsum(np.bincount(mentions.name, minlength=len(names)), out=self.name_start[1:])
        self.texts_with = np.bincount(mentions.name[~mentions.is_title], minlength=len(names))
        self.names_in = np.bincount(mentions.drawer, minlength=len(drawers))

    def row_of(self, drawer: str) -> int | None:
        """Return the row of a drawer; None if it never mentioned a name."""
        row = self._row_of.get(drawer)
        return row if row is not None and row < len(self.names_in) else None

    def named(self, spelling: str) -> int | None:
        """Return the row of the name with a normalised spelling; None if there is none."""
        row = self._spellings.meant(spelling)
        return row if row is not None and row < len(self.texts_with) else None

    def longest_from(self, word: str) -> int:
        """Return the number of words, or more, of the longest spelling that begins with a word; 0 if there is none."""
        return self._spellings.longest_from(word)

    def of_drawer(self, row: int) -> Int32[np.ndarray, " names"]:
        """Return the names that a drawer mentions, in ascending order."""
        return self.mentions.name[self.mentions.drawer == row]


class Spellings:
    """Names by their spellings.

    A spelling means the name whose own it is, and not one of which it is an alias. Of several names with the same
    alias, it means the one with the smallest id, in whatever order they came.
    """

    def __init__(self) -> None:
        self._own: dict[str, int] = {}
        self._others: dict[str, dict[str, int]] = {}  # by alias: rows by id
        self._longest: dict[str, int] = {}

    def meant(self, spelling: str) -> int | None:
        """Return the row of the name that a normalised spelling means; None if it means none."""
        row = self._own.get(spelling)
        if row is None and (named := self._others.get(spelling)):
            return named[min(named)]
        return row

    def longest_from(self, word: str) -> int:
        """Return the number of words of the longest spelling there ever was that begins with a word; 0: of none."""
        return self._longest.get(word, 0)

    def add(self, identity: str, row: int, normalised: str, aliases: Iterable[str]) -> None:
        """Add a name that has no spelling yet.

        Args:
            normalised: Its own spelling, which no other name has.
            aliases: Other ways of writing it, not normalised.
        """
        self._own[normalised] = row
        self._note(normalised)
        for alias in aliases:
            if spelling := normalised_name(alias):
                # A new dictionary, as a search may be reading the old one.
                self._others[spelling] = {**self._others.get(spelling, {}), identity: row}
                self._note(spelling)

    def remove(self, identity: str, normalised: str, aliases: Iterable[str]) -> None:
        """Remove the spellings of a name, which are given as they were added."""
        self._own.pop(normalised, None)
        for alias in aliases:
            spelling = normalised_name(alias)
            left = {other: row for other, row in self._others.get(spelling, {}).items() if other != identity}
            if left:
                self._others[spelling] = left
            else:
                self._others.pop(spelling, None)

    def _note(self, spelling: str) -> None:
        first = spelling.partition(" ")[0]
        self._longest[first] = max(self._longest.get(first, 0), spelling.count(" ") + 1)


def question_names(question: str, index: NameIndex) -> set[int]:
    """Return the rows of the known names that a question has.

    A name of several words is recognised however it is written. A name of one word must be written as one: with a
    capital letter that does not come from the beginning of a sentence. Otherwise every *Python function* would name the
    snake, and "who" the organisation.

    A question that is nothing but a name has none here: it looks for what has that name, and not for something else by
    way of it.
    """
    words = question.split()[:_MOST_WORDS]
    capitals = _capitalised(words)
    beginnings = [normalised_name(word) for word in words]
    found = set[int]()
    weighty = {at for at, beginning in enumerate(beginnings) if beginning and beginning not in COMMON}
    for at, (word, beginning) in enumerate(zip(words, beginnings, strict=True)):
        unsure = beginning == "" or _INITIAL.fullmatch(word) or _articled(word)
        longest = _LONGEST if unsure else min(index.longest_from(beginning), _LONGEST)
        for end in range(at + 1, min(at + longest, len(words)) + 1):
            spelling = normalised_name(" ".join(words[at:end]))
            row = index.named(spelling)
            if row is not None and (" " in spelling or any(capitals[at:end])):
                if weighty <= set(range(at, end)):
                    return set()
                found.add(row)
    return found


def _articled(word: str) -> bool:
    return word.casefold() in {"the", "a", "an"}


def _capitalised(words: list[str]) -> list[bool]:
    """Return for each word whether its capital letters say that it is a name."""
    starts = [True] * bool(words) + [
        one.endswith(_SENTENCE_END) and not _INITIAL.fullmatch(one) for one, _ in pairwise(words)
    ]
    plain = [word.strip("\"'([{\u201c\u2018") for word in words]
    if sum(word[:1].isupper() for word in plain) > _CAPITAL_SHARE * len(words) and len(words) > 1:
        return [False] * len(words)
    return [
        (word[:1].isupper() and not begins) or sum(letter.isupper() for letter in word) > 1
        for word, begins in zip(plain, starts, strict=True)
    ]


_ASKED_WEIGHT = 0.3  # of a name that the question has
_STEEPNESS = 6  # how fast the weight of a name falls with the score of the drawer that mentions it
_TITLE = 5  # how much more a name counts for the drawers of the document whose title it is
_MOST_TEXTS = 5  # a name that more drawers mention says nothing
_NAMES_ADDED = 3  # added to the number of a drawer's names, so that a drawer with one name does not win by that
_CLOSENESS_ADDED = 0.05  # added to the cosine, so that a drawer with cosine 0 can still be found


@dataclass(frozen=True, slots=True)
class NameWeights:
    """The names by which drawers are looked for.

    Attributes:
        weight: By row of a name, above 0.
        lead: Row of the drawer that mentions the name; names of the question alone have none.
    """

    weight: Mapping[int, float]
    lead: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Bridged:
    """Drawers that share names with the leads or the question.

    Attributes:
        rows: Rows of drawers.
        strength: How strongly names speak for each drawer, > 0, before its closeness to the question counts.
        name: Row of the name that contributes most to each drawer.
    """

    rows: Int64[np.ndarray, " drawers"]
    strength: Float64[np.ndarray, " drawers"]
    name: Int32[np.ndarray, " drawers"]


def name_weights(index: NameIndex, leads: Mapping[int, float], asked: Iterable[int]) -> NameWeights:
    """Return how much each name counts: a name of a lead by the lead's score, a name of the question a little.

    Only a lead that mentions a name of the question leads on; the others are about something else. A name of such a
    lead has the weight (score / best score)^6. The best of several leads counts. A name that the question has weighs
    0.3, whether a lead has it too or not: it led to the leads and leads back to them.

    Args:
        leads: Scores, above 0, of the best drawers of the search, by row.
        asked: Names of the question.
    """
    weight = dict.fromkeys(sorted(asked), _ASKED_WEIGHT)
    lead: dict[int, int] = {}
    names_of = {row: index.of_drawer(row).tolist() for row in leads}
    about = {row: score for row, score in leads.items() if weight.keys() & set(names_of[row])}
    best = max(about.values(), default=1.0)
    for row, score in sorted(about.items(), key=lambda pair: (-pair[1], pair[0])):
        for name in names_of[row]:
            if name in weight:
                lead.setdefault(name, row)
            else:
                weight[name], lead[name] = (score / best) ** _STEEPNESS, row
    return NameWeights(weight, lead)


def bridged(
    index: NameIndex, names: NameWeights, leads: Iterable[int], *, drawers: int, trail_weight: float = 0.0
) -> Bridged:
    """Return the drawers that mention the names, without the leads.

    The strength of a drawer is the sum over its names of weight ln(1 + N / df), five times as much for the name that is
    the title of its document, divided by sqrt(number of its names + 3). N is the number of drawers and df the number of
    those with the name, where all drawers of which it is the title count as one. Names that more than five other
    drawers mention are left out.

    Args:
        drawers: N, >= 1.
        trail_weight: How much a mention with a success pheromone of 1 or more gains, as a share, >= 0.
    """
    start, mentions = index.name_start, index.mentions
    parts, gains = [], []
    for name, weight in names.weight.items():
        count, texts = int(start[name + 1] - start[name]), int(index.texts_with[name])
        if count and texts <= _MOST_TEXTS:
            df = texts + (count > texts)
            parts.append(np.arange(start[name], start[name + 1]))
            gains.append(np.full(count, weight * np.log1p(drawers / df)))
    if not parts:
        return Bridged(np.empty(0, np.int64), np.empty(0), np.empty(0, np.int32))
    at, gain = np.concatenate(parts), np.concatenate(gains)
    gain = gain * np.where(mentions.is_title[at], _TITLE, 1.0)
    gain = gain * (1.0 + trail_weight * np.minimum(mentions.success[at], 1.0))
    order = np.lexsort((-gain, mentions.drawer[at]))  # by drawer, its strongest name first
    at, gain = at[order], gain[order]
    rows, first = np.unique(mentions.drawer[at], return_index=True)
    strength = np.add.reduceat(gain, first) / np.sqrt(index.names_in[rows] + _NAMES_ADDED)
    others = ~np.isin(rows, list(leads))
    return Bridged(rows[others], strength[others], mentions.name[at[first]][others])


def bridge_scores(strength: Float64[np.ndarray, " drawers"], cosines: Float64[np.ndarray, " drawers"]) -> np.ndarray:
    """Return the score of each drawer: strength times (cosine to the question, at least 0, + 0.05)."""
    return strength * (np.maximum(cosines, 0.0) + _CLOSENESS_ADDED)
