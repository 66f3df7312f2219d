"""The languages whose words the full-text indexes can analyse, and where the words of a drawer are kept."""

from __future__ import annotations

from typing import Literal, get_args

# By ISO 639-1 code: the analyzer of Lucene in Neo4j.
Language = Literal[
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "eu", "fi", "fr", "ga", "gl", "hi", "hu", "hy", "id", "it",
    "ja", "ko", "lv", "nl", "no", "pt", "ro", "ru", "sv", "th", "tr", "zh",
]  # fmt: skip
ANALYZERS: dict[str, str] = {
    "ar": "arabic",
    "bg": "bulgarian",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "gl": "galician",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "ja": "cjk",
    "ko": "cjk",
    "lv": "latvian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "th": "thai",
    "tr": "turkish",
    "zh": "cjk",
}
assert set(get_args(Language)) == set(ANALYZERS)


def own_analyzer(language: str | None, *, palace: str) -> str | None:
    """Return the analyzer of a wing whose words need another than the palace's; None if the palace's is right.

    A palace whose analyzer belongs to no language keeps it for every wing, because somebody chose it.

    Args:
        language: ISO 639-1 code of the wing's language; None if it is unknown.
        palace: Analyzer of the palace.

    >>> own_analyzer("de", palace="english")
    'german'
    >>> own_analyzer("en", palace="english"), own_analyzer("de", palace="whitespace")
    (None, None)
    """
    analyzer = ANALYZERS.get(language or "")
    return None if analyzer == palace or palace not in ANALYZERS.values() else analyzer
