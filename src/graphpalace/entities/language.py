"""A guess at the language of a text, by its most frequent words."""

from __future__ import annotations

import re

_READ_CHARS = 2000
_MOST_FOREIGN = 0.3  # largest share of letters outside of ASCII in a text of a language that is known here
_LEAST_FREQUENT = 2  # words that a language other than English must have in a text
_LETTERS = re.compile(r"[^\W\d_]+")
_FREQUENT = {
    "en": "the of and to in is was for that it with as on by at from are this be not you have",
    "de": "der die das und ist nicht ein eine den mit von zu im auf für des dem wird sich auch als",
    "fr": "le la les des et est une du dans que pour pas qui sur au avec sont ce il elle par",
    "es": "el la los las de y es una del en que por con para se su no como más pero al",
    "it": "il la di e è un una che per non con del della sono nel si da al anche come",
    "pt": "o a os as de e é um uma do da que em para com não por no na se mais",
    "nl": "de het een en van is in op dat niet te met voor zijn aan er ook als bij naar",
}
_WORDS = {language: frozenset(words.split()) for language, words in _FREQUENT.items()}


def guessed_language(text: str) -> str:
    """Return the code of the language that a text is most likely in, or `other`.

    A text in ASCII with hardly any frequent word, such as a list of names, counts as English.

    >>> guessed_language("The owl is a bird of the night"), guessed_language("Die Eule ist ein Vogel der Nacht")
    ('en', 'de')
    >>> guessed_language("Сова — птица ночи"), guessed_language("Ada Lovelace")
    ('other', 'en')
    """
    words = _LETTERS.findall(text[:_READ_CHARS].lower())
    letters = "".join(words)
    if letters and sum(letter > "\x7f" for letter in letters) > _MOST_FOREIGN * len(letters):
        return "other"
    counts = {language: sum(word in frequent for word in words) for language, frequent in _WORDS.items()}
    best = max(counts, key=lambda language: counts[language])  # the first of equals, English before all
    if counts[best] >= _LEAST_FREQUENT or (best == "en" and counts[best]):
        return best
    return "en" if letters.isascii() else "other"
