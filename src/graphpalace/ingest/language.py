"""Guess the language of texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

from graphpalace.domain.languages import ANALYZERS

_TEXTS, _CHARS = 50, 1200  # read of many long texts
_LEAST_LETTERS = 60  # of a text that has a vote
_LEAST_TOGETHER = 120  # letters of all texts that have a vote
_CERTAIN = 0.99  # least probability of a language


def language_of(texts: Sequence[str]) -> str | None:
    """Return the ISO 639-1 code of the language of most texts; None if there is too little text, or no such language.

    Each text that is long enough has a vote, and a text whose language is not certain, such as code, votes for none.
    The first use loads the model of py3langid, which takes a second.
    """
    step = max(1, len(texts) // _TEXTS)
    read = [text[:_CHARS] for text in texts[::step][:_TEXTS]]
    letters = [sum(map(str.isalpha, text)) for text in read]
    long = [text for text, count in zip(read, letters, strict=True) if count >= _LEAST_LETTERS]
    if sum(count for count in letters if count >= _LEAST_LETTERS) < _LEAST_TOGETHER:
        return None
    votes = Counter(_certain(text) for text in long)
    language, most = votes.most_common(1)[0]
    return language if 2 * most > len(long) else None


def _certain(text: str) -> str | None:
    language, probability = _identifier().classify(text)
    return str(language) if probability >= _CERTAIN else None


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # reads its model

    found = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    found.set_languages(sorted(ANALYZERS))
    return found
