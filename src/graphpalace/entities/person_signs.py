"""What a text says of a person beside the name, and whether two such signs can be those of one person.

The signs are a title (*Mrs*), what somebody does (*the baker*), years of life (*1820-1890*) and a generation
(*junior*). They are found by form and in English only. They decide nothing: they hint that a name may be that of two
people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from graphpalace.entities.words import NO_OCCUPATIONS, OCCUPATIONS

MOST_SIGNS = 8  # of one name in one text

_TITLES = {
    "mr": "mr", "mrs": "mrs", "ms": "ms", "miss": "miss", "dr": "doctor", "doctor": "doctor", "prof": "professor",
    "professor": "professor", "sir": "sir", "lady": "lady", "lord": "lord", "dame": "dame", "captain": "captain",
    "colonel": "colonel", "sergeant": "sergeant", "judge": "judge", "senator": "senator", "nurse": "nurse",
    "father": "priest", "sister": "nun", "brother": "monk",
}  # fmt: skip
_MEN, _WOMEN = frozenset({"mr", "sir", "lord", "monk"}), frozenset({"mrs", "ms", "miss", "lady", "dame", "nun"})
_FORMS_OF_ADDRESS = _MEN | _WOMEN
_ENDINGS = ("er", "or", "ist", "ian", "smith", "wright", "monger", "woman", "man")
# A doctor may be one of these; of other occupations it is not likely.
_LEARNED = frozenset(
    {"doctor", "professor", "physician", "surgeon", "dentist", "vet", "lecturer", "teacher", "researcher"}
)
_SPACE = r"[^\S\n]+"
_DETERMINER = "the|a|an|our|my|his|her|their|your"
_TITLE_BEFORE = re.compile(rf"(?:^|[^\w.])({'|'.join(title.capitalize() for title in _TITLES)})\.?\s+$")
_WORD_BEFORE = re.compile(r"(?:^|[^\w-])([a-z]+)\s+$")
_BEHIND = re.compile(
    rf"(?:{_SPACE}(?:is|was|works as|worked as|became)|,|{_SPACE}\()?\s*\b(?:{_DETERMINER})\s+"
    r"([a-z]+(?:[ -][a-z]+){0,2})"
)
_BARE_BEHIND = re.compile(r"(?:,\s*|\s*\()([a-z]+)(?=[,.;)]|$)")
_YEARS = re.compile(r"\s*\(\D{0,12}(\d{3,4})\s?[-\u2013\u2014]\s?(?:\D{0,12}(\d{3,4}))?\)")
_GENERATION = re.compile(r",?\s+(Jr|Sr|junior|senior|the Elder|the Younger)\b")
_GENERATIONS = {"jr": "junior", "the younger": "junior", "sr": "senior", "the elder": "senior"}


def person_signs(text: str, names: Iterable[str]) -> list[str]:
    """Return the signs that a text has of a person, sorted, at most eight.

    Args:
        names: Ways in which the text writes the person's name.

    >>> person_signs("John Smith, the old baker, met Dr. Ann Lee and the plumber Max Hall.", ["John Smith"])
    ['baker']
    >>> person_signs("Mary Ford (1820-1890) was the daughter of Mary Ford, a nurse.", ["Mary Ford"])
    ['1820-1890', 'nurse']
    """
    return sorted({sign for name in names for sign in _signs(text, name)})[:MOST_SIGNS]


def contradictory(signs: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the signs that do not go together with another one, each with the drawers that have it, in order.

    Two signs go together if a drawer has both, or if one person usually has both.

    Args:
        signs: The signs of one name in each drawer.

    >>> contradictory({"x": ["baker"], "y": ["mechanic"], "z": ["mechanic", "mr"]})
    {'baker': ['x'], 'mechanic': ['y', 'z']}
    >>> contradictory({"x": ["baker"], "y": ["baker", "mechanic"], "z": ["mechanic"]})
    {}
    """
    drawers: dict[str, list[str]] = {}
    for drawer, each in signs.items():
        for sign in each:
            drawers.setdefault(sign, []).append(drawer)
    joined = {(one, other) for each in signs.values() for one in each for other in each}
    return {
        sign: drawers[sign]
        for sign in sorted(drawers)
        if any(not _go_together(sign, other) and (sign, other) not in joined for other in drawers)
    }


def _signs(text: str, name: str) -> Iterator[str]:
    for found in re.finditer(rf"(?<!\w){_flexible(name)}(?!\w)", text):
        before, behind = text[max(0, found.start() - 40) : found.start()], text[found.end() : found.end() + 80]
        if title := _TITLE_BEFORE.search(before):
            yield _TITLES[title[1].lower()]
        elif (word := _WORD_BEFORE.search(before)) and _is_occupation(word[1]):
            yield word[1]
        if generation := _GENERATION.match(behind):
            yield _GENERATIONS.get(generation[1].lower(), generation[1].lower())
        if years := _YEARS.match(behind):
            yield f"{years[1]}-{years[2] or ''}"
        elif apposition := _BEHIND.match(behind) or _BARE_BEHIND.match(behind):
            yield from (word for word in re.split("[ -]", apposition[1]) if _is_occupation(word))


def _flexible(name: str) -> str:
    return r"\s+".join(map(re.escape, name.split()))


def _is_occupation(word: str) -> bool:
    if word in OCCUPATIONS:
        return True
    return len(word) >= 5 and word.endswith(_ENDINGS) and word not in NO_OCCUPATIONS


def _go_together(one: str, other: str) -> bool:
    if one == other:
        return True
    first, second = _kind(one), _kind(other)
    if first != second:
        return True
    if first == "address":
        return {one, other} <= _MEN or {one, other} <= _WOMEN
    return first == "occupation" and _is_learned(one) and _is_learned(other)


def _kind(sign: str) -> str:
    if sign in _FORMS_OF_ADDRESS:
        return "address"
    if sign in ("junior", "senior"):
        return "generation"
    return "years" if sign[0].isdigit() else "occupation"


def _is_learned(sign: str) -> bool:
    return sign in _LEARNED or sign.endswith(("ist", "ian"))
