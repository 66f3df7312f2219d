"""Choose the recogniser that fits the language of each text."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.entities.language import guessed_language
from graphpalace.entities.mention import Mention, ReadableText, Recogniser
from graphpalace.entities.rules.code import is_code


class AutoRecogniser:
    """Uses the statistical model for English prose, and rules for other languages and for source code."""

    def __init__(self, english: Recogniser, rules: Recogniser) -> None:
        self._english = english
        self._rules = rules

    @property
    def version(self) -> str:
        """Changes when one of the two does."""
        return f"auto({self._english.version},{self._rules.version})"

    def names(self, texts: Sequence[ReadableText]) -> list[list[Mention]]:
        """Return the mentions in each text."""
        english = [not is_code(text.media_type) and guessed_language(text.text) == "en" for text in texts]
        found: list[list[Mention]] = [[] for _ in texts]
        for recogniser, wanted in ((self._english, True), (self._rules, False)):
            places = [at for at, is_english in enumerate(english) if is_english is wanted]
            if places:
                for at, names in zip(places, recogniser.names([texts[at] for at in places]), strict=True):
                    found[at] = names
        return found
