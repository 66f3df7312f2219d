"""Guess the language of texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

from graphpalace.domain.palaces.languages import ANALYZERS

_TEXTS, _CHARS = 50, 1200  # read of many long texts
_LEAST_LETTERS = 60  # of a text that has a vote, and of all short ones together
_LEAST_TOGETHER = 120  # letters of all texts that have a vote
_CERTAIN = 0.99  # least probability of a language
# Scripts that only one of the languages is written in: a few letters are enough. Japanese has kana beside its Han.
_KANA, _HAN = "[\u3040-\u30ff]", "[\u4e00-\u9fff]"
_SCRIPTS = {
    "ko": "[\uac00-\ud7a3]",
    "ja": f"{_KANA}|{_HAN}",
    "zh": _HAN,
    "th": "[\u0e01-\u0e2e]",
    "el": "[\u0370-\u03ff]",
    "hy": "[\u0531-\u0587]",
}
_LEAST_OF_SCRIPT = 6  # letters


def language_of(texts: Sequence[str]) -> str | None:
    """Return the ISO 639-1 code of the language of most texts; None if there is too little text, or no such language.

    A script that only one language has decides. Else each text that is long enough has a vote, and a text whose
    language is not certain, such as code, votes for none. Short texts are judged together: their language is the one of
    all of them as one text, if most of them look like it by themselves.
    The first use loads the model of py3langid, which takes a second.
    """
    step = max(1, len(texts) // _TEXTS)
    read = [text[:_CHARS] for text in texts[::step][:_TEXTS]]
    if (language := _by_script("\n".join(read))) is not None:
        return language
    letters = [sum(map(str.isalpha, text)) for text in read]
    long = [text for text, count in zip(read, letters, strict=True) if count >= _LEAST_LETTERS]
    if sum(count for count in letters if count >= _LEAST_LETTERS) >= _LEAST_TOGETHER:
        votes = Counter(_certain(text) for text in long)
        language, most = votes.most_common(1)[0]
        return language if 2 * most > len(long) else None
    return _together(list(dict.fromkeys(read)))


def _by_script(text: str) -> str | None:
    letters = sum(map(str.isalpha, text))
    for language, script in _SCRIPTS.items():
        found = len(re.findall(script, text))
        if found >= _LEAST_OF_SCRIPT and 2 * found > letters and (language != "ja" or re.search(_KANA, text)):
            return language
    return None


def _together(texts: Sequence[str]) -> str | None:
    """Return the language of short texts that differ."""
    together = "\n".join(texts)[:_CHARS]
    if sum(map(str.isalpha, together)) < _LEAST_LETTERS:
        return None
    language = _certain(together)
    alike = sum(_identifier().classify(text)[0] == language for text in texts)
    return language if 2 * alike > len(texts) else None


def _certain(text: str) -> str | None:
    language, probability = _identifier().classify(text)
    return str(language) if probability >= _CERTAIN else None


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # reads its model

    found = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    found.set_languages(sorted(ANALYZERS))
    return found
