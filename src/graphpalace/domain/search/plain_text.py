"""One form for what Unicode, keyboards and grammars can write in several: letters without accents, plain hyphens."""

from __future__ import annotations

import re
import unicodedata

# Latin and Greek letters: in other scripts, a mark makes another letter.
_MARKS = re.compile(r"(?<=[A-Za-z\u00c0-\u024f\u0370-\u03ff])[\u0300-\u036f]+")
_PLAIN = str.maketrans(
    {
        # Letters that Unicode does not take apart. Russian is written with and without the points on one of them.
        "ß": "ss",
        "ẞ": "SS",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "ø": "o",
        "Ø": "O",
        "đ": "d",
        "Đ": "D",
        "ð": "d",
        "Ð": "D",
        "þ": "th",
        "Þ": "Th",
        "ł": "l",
        "Ł": "L",
        "ħ": "h",
        "Ħ": "H",
        "ı": "i",  # noqa: RUF001
        "\u0451": "\u0435",
        "\u0401": "\u0415",
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),  # hyphens, the en dash, the minus sign
        **dict.fromkeys("\u2018\u2019\u02bc", "'"),
        **dict.fromkeys("\u00ad\u2060\ufeff\u200b\u200e\u200f", None),  # soft hyphen, and other signs that are not seen
    }
)
# The Turkish capital of "i": as "I", the stems of Turkish would take it for the capital of the letter without a dot.
_TURKISH = re.compile("\u0130(?![A-Z\u00c0-\u00de\u011e\u0130\u015e])")
# "Canções" has the stem of "canção" only for who sees its accent.
_PORTUGUESE = re.compile(r"(?<=[^\W_])[õã]es\b")
_KOREAN = re.compile(r"(?<![^\W_])[^\W_]{0,23}[\uac00-\ud7a3](?![^\W_])")
# What Korean writes at the end of a noun: the first ones are hardly ever the end of a noun itself. Of the others,
# some are, so that two syllables must be left; because all of them are taken away, one by one, "cat" and "cat" with an
# ending still become the same.
_ENDINGS = re.compile(
    "(?<=.)(?:에서|에게|한테|까지|부터|으로|처럼|보다|마다|조차|밖에|입니다|은|는|을|를)$"
    "|(?<=..)(?:이|가|의|에|도|로|와|과|만|나|랑|들)$"
)


def plain_text(text: str) -> str:
    """Return a text in composed Unicode without accents and compatibility forms, and Korean nouns without particles.

    >>> plain_text("Señora Peña, Straße, Zoe\\u0308, \\ufb01ne")
    'Senora Pena, Strasse, Zoe, fine'
    >>> plain_text("회의는")
    '회의'
    """
    if text.isascii():
        return text
    composed = _TURKISH.sub("i", _PORTUGUESE.sub("ao", unicodedata.normalize("NFC", text)))
    apart = unicodedata.normalize("NFKD", composed.translate(_PLAIN)).translate(_PLAIN)
    plain = unicodedata.normalize("NFC", _MARKS.sub("", apart))
    return _KOREAN.sub(_without_particles, plain)


def _without_particles(found: re.Match[str]) -> str:
    noun, ends = found.group(), True
    while ends:
        noun, ends = _ENDINGS.subn("", noun, count=1)
    return noun
