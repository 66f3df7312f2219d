"""Joins words that are divided at the end of a line, and keeps the hyphens of compounds such as well-known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

_DIVIDED = re.compile(r"(\w[\w'\u2019-]*)-\s*\Z")
_FIRST = re.compile(r"\s*(\w[\w'\u2019-]*)")
_WORDS = re.compile(r"\w+(?:-\w+)*")

# Words that make compounds, and are seldom the first or the last syllables of longer words.
_BEGINS = """
well self half ill quasi two three four five six seven eight nine twenty thirty forty fifty sixty seventy eighty ninety
hundred
"""
_ENDS = """
aware based bearing century colored coloured conscious cost dimensional driven efficient eyed faced fashioned footed
free friendly grained handed headed hearted intensive kilometre known legged length level looking making metre minded
oriented powered quality rated ready resistant scale sensitive shaped sided specific speed spoken term third tier winded
winning year
"""
_ENDINGS = "een ers fold ful hood ing ish less ly ment ness ship some teen teenth th ties tieth ty"
_COMPOUND_BEGINS, _COMPOUND_ENDS = frozenset(_BEGINS.split()), frozenset(_ENDS.split())
_SYLLABLES = frozenset(_ENDINGS.split())


class KnownWords:
    """The words of a document that are not divided: a divided word that occurs whole is joined as it occurs."""

    def __init__(self, pages: Iterable[Sequence[str]]) -> None:
        self._words: set[str] = set()
        for lines in pages:
            for line in lines:
                self._words.update(word.lower() for word in _WORDS.findall(_DIVIDED.sub("", line)))

    def keeps_hyphen(self, first: str, last: str) -> bool:
        """Return whether a word that is divided between two lines is a compound, which has a hyphen in any line."""
        left, right = first.lower(), last.lower()
        if f"{left}-{right}" in self._words:
            return True
        if left + right in self._words:
            return False
        # Names, numbers, single letters, and compounds of more than two words are never divided words.
        if not last[0].islower() or not first[-1].isalpha() or len(first) == 1 or "-" in first or "-" in last:
            return True
        begins = left in _COMPOUND_BEGINS and right not in _SYLLABLES
        return begins or (right in _COMPOUND_ENDS and len(left) > 2)


def joined_lines(lines: Sequence[str], known: KnownWords) -> Iterator[str]:
    """Yield lines in which no word is divided: its end moves up to its beginning, also over a blank line.

    >>> list(joined_lines(["a new wind-", "lass and a well-", "known smith"], KnownWords([])))
    ['a new windlass', 'and a well-known', 'smith']
    """
    rest = list(reversed(lines))
    while rest:
        line = rest.pop()
        while divided := _DIVIDED.search(line):
            at = next((place for place in range(len(rest) - 1, -1, -1) if rest[place].strip()), None)
            if at is None or not (found := _FIRST.match(rest[at])):
                break
            first, last = divided[1], found[1]
            if not first[-1].isalnum():
                break
            hyphen = "-" if known.keeps_hyphen(first, last.rstrip("-")) else ""
            following = rest[at]
            # The signs that follow the word, such as a comma, stay with it.
            tail = re.match(r"\S*", following[found.end() :])
            end = found.end() + (tail.end() if tail else 0)
            line = line[: divided.end(1)] + hyphen + following[found.start(1) : end]
            rest[at] = following[end:].lstrip()
            if not rest[at]:
                del rest[at]
        yield line
