"""The words by which a text is found: in one form of many spellings, and with others that mean the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

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


# What is written beside a text by this version. Palaces of earlier ones are renewed, so this grows with every change.
WORDS_FORM = 3

_MOST_JOINED = 64  # signs of a word that is written without its hyphens or dots
_LEAST_NUMBER, _MOST_NUMBER = 7, 19  # digits of a number in groups: of telephones, books, cards
_OFFICE = 2  # letters of the office that published it
_HASH_SHOWN = (7, 8, 10, 12)  # first signs of a hash by which programs name it

_SPELLED = re.compile(
    r"(?<![^\W_])(?:"  # Everything but a sign between begins where a word does, so that a text is read once.
    # Usual words with spaces after them, several at once: they are the most of what most texts have.
    r"(?<!\S)(?P<plain>(?:[A-Z]?[^\W\d_A-Z]++[.,;:!?)]*+\s++)++)|"
    # EP1000001A1, EP 1000001 A1, US 10,000,003 B2, WO 2019/123456; the same form have account numbers.
    r"(?P<publication>(?:[A-Za-z]{2}|[A-Z]{2}[ -])\d(?:[ ,./-]?\d){5,24}(?:[ -]?[A-Z]\d|[A-Za-z]\d?)?)(?![^\W_])"
    r"|(?P<signed>[Cc]\+\+(?![\w+])|[CcFf]#(?!\w)|(?<!\w)\.(?i:net)(?![^\W_]))"
    r"|(?P<number>[+(]{0,2}\d[\d ().,/-]*\d)(?!-?\w)"  # 978-3-16-148410-0, +49 (0)30 123456, 1,000,000
    # F-16, U.S.A., node.js, O'Brien, min_cost, then __init__
    r"|(?P<name>[^\W_]++(?:(?:(?:[.-]|_++|(?<=[A-Z])'(?=[A-Z]))[^\W_]++){1,40}+_*+|_++))"
    r"|(?<!_)(?P<marked>_++[^\W_]++(?:(?:[.-]|_++)[^\W_]++){0,40}+_*+)"
    r"|(?P<hash>(?=\d*+[a-fA-F])(?=[a-fA-F]*+\d)[\da-fA-F]{8,64}+)(?![^\W_])"
    r"|(?P<camel>[A-Z]*+[^\W_A-Z]++[A-Z][^\W_]*+)"  # minCost
    r")|(?<=\w)(?P<between>[:;,=\u00b7])(?=\w)"  # status:failed, 1001,25
)
_JOIN = re.compile(r"[._'-]+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W_A-Z]+")
_KIND = re.compile(r"(?<=\d)[ -]?[A-Za-z]\d?$")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3}){2,}")
_COMMA = re.compile(r"(?<=\d),(?=\d)")
_SAID = re.compile(r"\w|[^\x00-\x7f]")  # a sign such as an arrow may be asked for, a question mark is not
_SIGNLESS = re.compile(r"[^\W_]+")
# Names whose signs Lucene's tokenizer leaves out, as programmers write them without.
_SIGNED = {"c++": "Cpp", "c#": "CSharp", "f#": "FSharp", ".net": "dotnet"}
_VERSION = re.compile(r"[vV](\d++(?:\.\d++)++)(?![^\W_])")  # v1.2.3, v1.2.3-rc1
_CODE = re.compile(r"([A-Za-z]{1,5})(\d{2,8})[.,;:!?)]*")
_AMOUNT = re.compile(r"([1-9]\d{3,8})(\.\d+)[.,;:!?)]*")
_HASH = re.compile(r"(?=\d*[a-fA-F])(?=[a-fA-F]*\d)[\da-fA-F]{8,64}")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text.

    Attributes:
        text: How it stands among the other words: without accents, its parts separated.
        forms: Other spellings of all of it. Whatever spelling a text has, one of its forms is one of these, or `text`.
        prose: Whether its parts are words of their own that mean what the whole does, as those of "boundary-layer".
    """

    text: str
    forms: tuple[str, ...] = ()
    prose: bool = False


def search_words(text: str) -> str:
    """Return the words by which a text is found; a question has to be read with `words_of`.

    They are those of the text, in its order, and after them the other spellings of some. Lucene's tokenizer keeps
    `min_cost`, `path.join`, `status:failed` and `1001,25` as one word each, and makes two of `F-16`; people ask for
    parts of the first and for all of the last.

    >>> search_words("def min_cost(a): F-16 status:failed")
    'def min cost(a): F 16 status failed mincost F16'
    """
    words = list(_read(plain_text(text)))
    forms = [form for word in words if isinstance(word, Word) for form in word.forms]
    own = "".join(word.text if isinstance(word, Word) else word for word in words)
    return " ".join([own, *forms]) if forms else own


def words_of(question: str) -> list[Word]:
    """Return the words of a question. A word is found if the text has one of its forms, or at least a part of it.

    >>> [word.text for word in words_of("Peña: F-16?")], words_of("F-16")[0].forms
    (['Pena:', 'F 16'], ('F16',))
    """
    found: list[Word] = []
    for word in _read(plain_text(question)):
        if isinstance(word, Word) and word.forms:
            found.append(word)
        else:
            own = (word.text if isinstance(word, Word) else word).split()
            found += [_code(each) for each in own if _SAID.search(each)]
    return found


def split_names(text: str) -> str:
    """Return a text with the parts of its identifiers in their place.

    >>> split_names("def min_cost(maxLength)")
    'def min cost(max Length)'
    """
    return "".join(word.text if isinstance(word, Word) else word for word in _read(text))


def _read(text: str) -> Iterator[Word | str]:
    """Yield the words that have other spellings, and what stands between them."""
    end = 0
    for found in _SPELLED.finditer(text):
        if found.start() > end:
            yield text[end : found.start()]
        end = found.end()
        kind, written = found.lastgroup, found.group()
        if kind == "plain":
            yield written
        elif kind == "number":
            yield from _numbers(written)
        else:
            yield " " if kind == "between" else _KINDS[kind or ""](written)
    yield text[end:]


def _publication(written: str) -> Word:
    """Return the number of a publication, which is named without the kind of document, and without the office too."""
    bare = _bare(_KIND.sub("", written))
    return Word(_separate(written), _other(written, [_bare(written), bare, bare[_OFFICE:]]))


def _numbers(written: str) -> Iterator[Word | str]:
    """Yield a number that is written in groups; or each number of several."""
    groups = written.split(" ")
    parts = [_joined(group) for group in groups if _is_number(group)]
    if len(groups) > 1 and _is_one_number(written, groups):
        yield Word(_separate(written), _other(written, [*parts, _joined(written)]))
        return
    for at, group in enumerate(groups):
        yield Word(_separate(group), _other(group, [_joined(group)] if _is_number(group) else []))
        yield " " if at < len(groups) - 1 else ""


def _is_number(group: str) -> bool:
    """Return whether digits without spaces are one number that people write without signs too."""
    if _THOUSANDS.fullmatch(group.strip("()")):
        return True
    return "," not in group and _LEAST_NUMBER <= sum(map(str.isdigit, group)) <= _MOST_NUMBER


def _is_one_number(written: str, groups: list[str]) -> bool:
    digits = sum(map(str.isdigit, written))
    begins = written[0] in "+(0" or groups[0] in {"978", "979"}
    plain = 2 < len(groups) < 7 and all(map(str.isdigit, groups))
    return "," not in written and _LEAST_NUMBER <= digits <= _MOST_NUMBER and (begins or plain)


def _joined(number: str) -> str:
    """Return the digits of a number; those of a telephone without the signs that ask for another country."""
    abroad = number.lstrip("(").startswith(("+", "00"))
    return _bare(number.replace("(0)", "") if abroad else number).removeprefix("00" if abroad else "")


def _hash(written: str) -> Word:
    return Word(written, _shown(written))


def _shown(written: str) -> tuple[str, ...]:
    """Return by which first signs a hash is named."""
    return (
        tuple(written[:length] for length in _HASH_SHOWN if length < len(written)) if _HASH.fullmatch(written) else ()
    )


def _name(written: str) -> Word:
    pieces = [piece for piece in _JOIN.split(written) if piece]
    joined = "".join(pieces)
    if all(len(piece) == 1 for piece in pieces) and "." in written:
        return Word(joined)
    parts = [part for piece in pieces for part in _PART.findall(piece) or [piece]]
    prose = "." not in written and "_" not in written and len(parts) == len(pieces) and all(map(_is_word, parts))
    forms = (
        [joined, *(piece for piece in pieces if len(_PART.findall(piece)) > 1)] if len(joined) <= _MOST_JOINED else []
    )
    forms += [sign for piece in pieces for sign in _shown(piece)]
    forms += [version[1]] if (version := _VERSION.match(written)) else []
    own = "-".join(parts) if prose else " ".join(parts)
    return Word(f" {own} " if written[0] == "_" or written[-1] == "_" else own, _other(own, forms), prose)


def _code(written: str) -> Word:
    """Return a word of a question. KX505 is also found as KX 505, and 1257.40 as 1,257.40."""
    if code := _CODE.fullmatch(written):
        return Word(f"{code[1]} {code[2]}", (code[1] + code[2],))
    if amount := _AMOUNT.fullmatch(written):
        return Word(f"{int(amount[1]):,}".replace(",", " ") + amount[2], (amount[1] + amount[2],))
    return Word(written)


def _signed(written: str) -> Word:
    return Word(written, (_SIGNED[written.lower()],))


def _is_word(part: str) -> bool:
    return len(part) > 2 and part.isalpha()


def _marked(written: str) -> Word:
    """Return a word between underscores, which are a part of it in code and emphasis in notes."""
    inner = written.strip("_")  # a space stands for what is taken away, so that nothing is joined
    if not _JOIN.search(inner) and len(_PART.findall(inner)) < 2:
        return Word(f" {inner} ", (written,) if written.startswith("__") and written.endswith("__") else ())
    return _name(written)


def _camel(written: str) -> Word:
    parts = _PART.findall(written)
    return Word(" ".join(parts), (written,)) if len(parts) > 1 else Word(written)


def _separate(written: str) -> str:
    return _COMMA.sub(" ", written)


def _bare(written: str) -> str:
    """Return a word without signs."""
    return "".join(_SIGNLESS.findall(written))


def _other(written: str, forms: list[str]) -> tuple[str, ...]:
    """Return those forms that are not there yet as words."""
    there = {*_SIGNLESS.findall(written), ""}
    return tuple(form for form in dict.fromkeys(forms) if form not in there)


_KINDS: dict[str, Callable[[str], Word]] = {
    "publication": _publication,
    "signed": _signed,
    "name": _name,
    "marked": _marked,
    "hash": _hash,
    "camel": _camel,
}
