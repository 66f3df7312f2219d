"""Finds the known names in a question, without a recogniser."""

from __future__ import annotations

import re
from itertools import pairwise

from graphpalace.domain.knowledge.entity import normalised_name
from graphpalace.entities.name_index import NameIndex
from graphpalace.entities.words import COMMON

_INITIAL = re.compile(r"(?:[^\W\d_]\.)+")
_CAPITAL_SHARE = 0.7  # a text with more capitalised words is a heading, whose capitals say nothing
_SENTENCE_END = (".", "?", "!", ":")
_MOST_WORDS = 512  # of a question; later words are not looked at
_LONGEST = 8  # words of a name


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
