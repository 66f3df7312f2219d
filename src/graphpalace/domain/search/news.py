"""News: what is said of a drawer that is probably news on an older one, and questions about the past."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from graphpalace.domain.field import Field

LEAST_NEWS = 0.2  # what is less probable is not kept
MOST_NEWS = 3  # older drawers that one drawer is news on
LIKELY_NEWS = 0.5  # from here on, who adds a drawer is asked whether it supersedes the older one

_PAST = re.compile(
    r"\bbefore\W*$|\bbefore the (?:change|move|switch)|\b(?:used to|previous(?:ly)?|former(?:ly)?|original(?:ly)?|"
    r"initially|at first|earlier|(?:the|our|my) old|old(?:er|est)|back then|in the past|in those days|früher\w*|vorher|"
    r"ursprünglich\w*|zuerst|ehemals|damals)\b",
    re.IGNORECASE,
)

_PRESENT = re.compile(
    r"\b(?:still|now(?:adays)?|currently|at present|at the moment|these days|today|any ?more|any longer|"
    r"noch|jetzt|heute|heutzutage|aktuell\w*|derzeit|inzwischen|mittlerweile)\b",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[^\W_]+")
_SPACED = 0x2E80  # from this character on, scripts put no space between words


@dataclass(frozen=True, slots=True)
class NewsOn:
    """An older drawer of the same wing that a drawer is probably news on."""

    drawer: Annotated[str, Field(description="id of the older drawer")]
    probability: Annotated[float, Field(description="that it is, 0 to 1; 1: somebody said so")]


@dataclass(frozen=True, slots=True)
class LikelyNews:
    """An older drawer that one that was just added is likely to be news on."""

    drawer: Annotated[str, Field(description="id of the older drawer")]
    probability: Annotated[float, Field(description="that it is, 0 to 1")]
    text: Annotated[str, Field(description="how the older text begins")]


@dataclass(frozen=True, slots=True)
class NewsOnHit:
    """An older drawer that a hit is probably news on, and what the hit has of its score."""

    drawer: Annotated[str, Field(description="id of the older drawer")]
    probability: Annotated[float, Field(description="that it is, 0 to 1; 1: somebody said so")]
    change: Annotated[float, Field(description="what the score has of the older one's, at least 0")]


@dataclass(frozen=True, slots=True)
class Newer:
    """That a newer drawer is probably news on a hit."""

    drawer: Annotated[str, Field(description="id of the newer drawer")]
    probability: Annotated[float, Field(description="that it is, 0 to 1; 1: somebody said so")]
    change: Annotated[float, Field(description="what it takes from the score, at most 0")]


def asks_about_past(question: str) -> bool:
    """Return whether the words of a question ask for what was before, so that news must not count.

    Example:
        >>> asks_about_past("Where did the backups go before?"), asks_about_past("Where do the backups go?")
        (True, False)
    """
    return _PAST.search(question) is not None


def asks_for_older(question: str, older: str, newer: str) -> bool:
    """Return whether a question asks for the older of two texts by what stands in it and not in the newer one.

    That is the whole question, word for word, or a number or code in it. Exact things win, unless the question says
    that it is about the present.

    Args:
        question, older, newer: Texts; capitals, punctuation and white space are ignored.

    Example:
        >>> asks_for_older("incident 17", "Incident 17: a full disk", "Incident 18: a full disk")
        True
        >>> asks_for_older("Is the fee still 17 euros?", "The fee is 17 euros", "The fee is 18 euros")
        False
    """
    if _PRESENT.search(question):
        return False
    words, of_older, of_newer = (_TOKEN.findall(text.casefold()) for text in (question, older, newer))
    codes = {word for word in words if any(map(str.isdecimal, word))}
    return bool(codes & set(of_older) - set(of_newer)) or (_has(of_older, words) and not _has(of_newer, words))


def _has(text: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether a text has words one after another."""
    if words and ord(words[0][0]) >= _SPACED:
        return "".join(words) in "".join(text)
    return bool(words) and f" {' '.join(words)} " in f" {' '.join(text)} "
