"""How probably a text is news on older ones: says what has changed since, so that it holds in their place.

No language model is asked. A logistic regression of six features decides, which `scripts/fit_news.py` fits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float64

from graphpalace.ingest.news_coefficients import INTERCEPT, WEIGHTS

NEAREST = 10  # older drawers of a wing that a text is compared with
MOST_CHARS = 4000  # of a text that are compared
_MOST_LEARNED = 2.0
LEAST_CHARS = 60  # a shorter text counts as one of this length; those that the model was fitted to are mostly longer

_WORD = re.compile(r"[^\W_](?:[\w./:-]*[^\W_])?")
# Words that say nothing of what a text is about.
_EMPTY = re.compile(
    r"an?|and|are|as|at|be|been|but|by|for|from|had|has|have|he|hers?|his|i|if|in|into|is|its?|my|no|not|of|on|or|our|she|"
    r"so|than|that|the|their|them|then|there|these|they|this|to|was|we|were|what|when|which|who|will|with|your?"
)
_CHANGE = re.compile(
    r"\b(again|already|any ?more|back|became|becomes?|chang(?:ed?|es)|dropped|finally|from now on|gone|instead|longer|"
    r"mov(?:ed?|es)|new|now|once more|only|replac(?:ed?|es)|since|stopped|switch(?:ed)?|took over|turned|used to|went|"
    r"ab sofort|inzwischen|jetzt|künftig|mehr|neue[nrsm]?|neuerdings|nun|seit|statt|stattdessen|wieder)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class OlderText:
    """An older text of the same wing.

    Attributes:
        fit: Cosine to the newer text, on the scale of its model: 0 for texts that have nothing to do with each other.
    """

    text: str
    fit: float


def news_features(text: str, older: Sequence[OlderText]) -> Float64[np.ndarray, "older 6"]:
    """Return what tells whether a text is news on each of its nearest older ones.

    These are, in the order of `WEIGHTS`: how near the older one is; the share of the words that both have, weighed by
    how few of the older texts have them; whether the newer one has a word of change, such as "instead"; the
    logarithm of the older one's rank by nearness; that of how much longer the newer one is; and that of how long it is.
    A line that is near another one mostly replaces it, and a long note mostly adds to it.

    Args:
        older: The nearest first.
    """
    return _compared(text, older)[0]


def _compared(
    text: str, older: Sequence[OlderText]
) -> tuple[Float64[np.ndarray, "older 6"], Bool[np.ndarray, " older"]]:
    """Return the features, and whether the text has a word that each older one lacks."""
    text = text[:MOST_CHARS]
    words = _words(text)
    of_older = [_words(one.text[:MOST_CHARS]) for one in older]
    having = Counter(word for one in of_older for word in one)
    rarity = {word: np.log1p((len(older) + 1) / (having[word] + 1)) for word in words.union(*of_older)}

    def weight(some: frozenset[str]) -> float:
        return float(sum(rarity[word] for word in sorted(some)))

    changes = float(_CHANGE.search(text) is not None)
    rows = [
        (
            one.fit,
            weight(words & theirs) / max(min(weight(words), weight(theirs)), 1e-9),
            changes,
            np.log(rank),
            np.log(max(len(text), 1) / max(min(len(one.text), MOST_CHARS), 1)),
            np.log(max(len(text), LEAST_CHARS)),
        )
        for rank, (one, theirs) in enumerate(zip(older, of_older, strict=True), start=1)
    ]
    says_more = np.array([bool(words - theirs) for theirs in of_older], bool)
    return np.array(rows, np.float64).reshape(len(older), len(WEIGHTS)), says_more


def learned_log_odds(surprise: float, doubt: float) -> float:
    """Return what a palace has learned to add to the log-odds of news, from what people said of what it supposed.

    It is one step of Newton from 0 towards the bias that explains best what was said, which is normal around 0 with a
    variance of one beforehand: sum of (said - p) / (1 + sum of p (1 - p)), at most 2 in size.

    Args:
        surprise: The sum of said - p, where said is 1 for what was superseded and 0 for what was refused.
        doubt: The sum of p (1 - p).

    Example:
        >>> learned_log_odds(-0.6, 0.24)  # one that was supposed with .6 was refused
        -0.4838709677419355
    """
    return float(np.clip(surprise / (1.0 + doubt), -_MOST_LEARNED, _MOST_LEARNED))


def news_probabilities(text: str, older: Sequence[OlderText], *, learned: float = 0.0) -> list[float]:
    """Return how probably a text is news on each of its nearest older ones, 0 to 1.

    A text that has only words of the older one says nothing new: 0.

    Args:
        older: The nearest first, at most `NEAREST`.
        learned: What is added to the log-odds, see `learned_log_odds`.
    """
    features, says_more = _compared(text, older)
    log_odds = features @ np.array(list(WEIGHTS.values())) + INTERCEPT + learned
    return (says_more / (1.0 + np.exp(-log_odds))).tolist()


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(text.casefold()) if not _EMPTY.fullmatch(word))
