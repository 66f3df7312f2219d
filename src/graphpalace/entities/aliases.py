"""Which names of one document mean one thing: `J. Smith`, `Smith` and `John Smith`; `NASA` and what it stands for."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from graphpalace.domain.knowledge.entity import EntityType, normalised_name
from graphpalace.entities.mention import Mention
from graphpalace.entities.words import SMALL

_LEAST_LETTERS = 3  # of an acronym
_MAY_BE_PERSON = frozenset({EntityType.PERSON, EntityType.CONCEPT})


def full_names(mentions: Iterable[Mention]) -> dict[str, str]:
    """Return the normalised full name that each short one of a document stands for, where that is clear.

    - An initial and a surname mean the one name with that surname whose first name begins so.
    - A surname alone means the one person of the document with that surname. `Smith` stays apart where the document has
      John Smith and Mary Smith, and `Washington` where it is a place.
    - An acronym of at least three letters means the one name whose words begin with its letters.

    >>> full_names([Mention("John Smith", EntityType.PERSON), Mention("J. Smith", EntityType.PERSON)])
    {'j smith': 'john smith'}
    """
    kinds = _kinds(mentions)
    people = {name for name, kind in kinds.items() if kind is EntityType.PERSON and len(name.split()) > 1}
    by_surname: dict[str, list[str]] = defaultdict(list)
    for name in kinds:
        first, _, rest = name.partition(" ")
        if rest and len(first) > 1:
            by_surname[name.split()[-1]].append(name)
    by_initials: dict[str, list[str]] = defaultdict(list)
    for name in kinds:
        words = [word for word in name.split() if word not in SMALL]
        if len(words) >= _LEAST_LETTERS:
            by_initials["".join(word[0] for word in words)].append(name)
    found: dict[str, str] = {}
    for name, kind in kinds.items():
        words = name.split()
        if len(words) == 2 and len(words[0]) == 1 and kind in _MAY_BE_PERSON:
            candidates = [
                full for full in by_surname[words[1]] if full[0] == words[0] and kinds[full] in _MAY_BE_PERSON
            ]
        elif len(words) == 1 and kind in _MAY_BE_PERSON and name in by_surname:
            candidates = by_surname[name] if set(by_surname[name]) <= people else []
        elif len(words) == 1 and len(name) >= _LEAST_LETTERS and kind is not EntityType.CODE:
            candidates = by_initials[name]
        else:
            continue
        if len(candidates) == 1:
            found[name] = candidates[0]
    return found


def _kinds(mentions: Iterable[Mention]) -> Mapping[str, EntityType]:
    counted: dict[str, Counter[EntityType]] = defaultdict(Counter)
    for mention in mentions:
        counted[normalised_name(mention.name)][mention.entity_type] += 1
    return {name: most_frequent_type(kinds) for name, kinds in sorted(counted.items()) if name}


def most_frequent_type(kinds: Counter[EntityType]) -> EntityType:
    """Return the type that was given most often; `concept` only if no other was given."""
    better = {kind: count for kind, count in kinds.items() if kind is not EntityType.CONCEPT} or kinds
    return min(better, key=lambda kind: (-better[kind], kind))
