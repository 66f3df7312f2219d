"""The words by which a text is found: its own, in one of their spellings, and others that mean the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from graphpalace.domain.search.plain_text import plain_text

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
