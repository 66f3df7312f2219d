"""Numbers in words and figures, such as "a couple of", "twenty-one" or "10"."""

from __future__ import annotations

# fmt: off
_SMALL = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
          "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
# fmt: on
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NUMBERS = {word: number for number, word in enumerate(_SMALL, 1)}
_NUMBERS |= {word: 10 * number for number, word in enumerate(_TENS, 2)}

NUMBER: str = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(_SMALL[:9])}))?|{'|'.join(reversed(_SMALL))}|\d{{1,3}})"
COUNT: str = rf"(?:(?:a\s+)?couple(?:\s+of)?|{NUMBER}|an?)"


def count(text: str) -> int:
    """Return the number that a match of `COUNT` means.

    >>> count("twenty-one"), count("a couple of"), count("an"), count("12")
    (21, 2, 1, 12)
    """
    words = text.lower().replace("-", " ").split()
    if "couple" in words:
        return 2
    if words[-1] in ("a", "an"):
        return 1
    return sum(int(word) if word.isdecimal() else _NUMBERS[word] for word in words)
