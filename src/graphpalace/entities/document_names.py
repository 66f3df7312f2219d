"""The names of the passages of one document, after its aliases are understood and its titles and tags are names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from graphpalace.domain.knowledge.entity import EntityType, normalised_name
from graphpalace.entities.mention import Mention
from graphpalace.entities.name_form import as_title_name
from graphpalace.entities.words import SMALL

_LEAST_LETTERS = 3  # of an acronym
_MAY_BE_PERSON = frozenset({EntityType.PERSON, EntityType.CONCEPT})
MOST_NAMES = 100  # of one passage; the most frequent are kept
_MOST_NAME_CHARS = 120


@dataclass(slots=True)
class NameUse:
    """How a passage speaks of one thing.

    Attributes:
        name: Its normalised full name.
        written: The ways in which the document writes each of its normalised names.
        counts: How often the passage has each of its normalised names; 0 for a title or a tag that its text has not.
        titled: The normalised name that is the document's title; None if it is not the title.
    """

    name: str
    entity_type: EntityType
    written: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    titled: str | None = None


def document_names(
    passages: Sequence[Sequence[Mention]],
    *,
    title: str = "",
    aliases: Iterable[str] = (),
    tags: Iterable[str] = (),
    known: Iterable[Mention] = (),
) -> list[list[NameUse]]:
    """Return what each passage of a document speaks of.

    Args:
        passages: The mentions of each passage.
        title: Of the document. It is a name of every passage if it looks like a name.
        aliases: Its other names, which are names of every passage whatever they look like.
        tags: Names under which it is filed, which are names of every passage too.
        known: Names that other passages of the document have, which were read before.
    """
    titled = as_title_name(title)
    titles = _concepts([*([] if titled is None else [titled]), *aliases])
    labels = _concepts(tags)
    every = [mention for mentions in passages for mention in mentions] + titles + labels + list(known)
    written: dict[str, str] = {}
    kinds: dict[str, Counter[EntityType]] = defaultdict(Counter)
    for mention in every:
        normalised = normalised_name(mention.name)
        written.setdefault(normalised, mention.name)
        kinds[normalised][mention.entity_type] += 1
    full = full_names(every)
    about = {normalised_name(mention.name): True for mention in titles}
    filed = {normalised_name(mention.name): False for mention in labels}
    return [_uses(mentions, written, kinds, full, filed | about) for mentions in passages]


def _concepts(names: Iterable[str]) -> list[Mention]:
    return [Mention(name, EntityType.CONCEPT) for name in names if normalised_name(name)]


def apart(uses: Sequence[NameUse], kept_apart: dict[str, AbstractSet[str]]) -> list[NameUse]:
    """Return the uses with those names on their own that were split from their full name by hand.

    Args:
        kept_apart: Normalised names that do not mean the thing of a normalised full name, by that full name.
    """
    found: dict[str, NameUse] = {}
    for use in uses:
        for normalised, count in use.counts.items():
            own = normalised in kept_apart.get(use.name, ())
            name = normalised if own else use.name
            into = found.setdefault(name, NameUse(name, use.entity_type))
            into.written[normalised] = use.written[normalised]
            into.counts[normalised] = into.counts.get(normalised, 0) + count
            if use.titled == normalised:
                into.titled = normalised
    for use in found.values():
        full = next((other for other in uses if other.name == use.name), None)
        if full is not None and use.name in full.written:
            use.written.setdefault(use.name, full.written[use.name])
    return list(found.values())


def _uses(
    mentions: Sequence[Mention],
    written: dict[str, str],
    kinds: dict[str, Counter[EntityType]],
    full: dict[str, str],
    given: Mapping[str, bool],
) -> list[NameUse]:
    """Return what one passage speaks of.

    Args:
        given: The normalised names that the document gives to all of its passages, and whether they are its titles.
    """
    counts = Counter(normalised_name(mention.name) for mention in mentions)
    for name in given:
        counts.setdefault(name, 0)
    found: dict[str, NameUse] = {}
    for normalised, count in counts.items():
        if not normalised or len(normalised) > _MOST_NAME_CHARS:
            continue
        name = full.get(normalised, normalised)
        use = found.setdefault(name, NameUse(name, most_frequent_type(kinds[name])))
        use.written.setdefault(name, written[name])
        use.written[normalised] = written[normalised]
        use.counts[normalised] = count
        if given.get(normalised) and use.titled is None:
            use.titled = normalised
    ordered = sorted(found.values(), key=lambda use: (use.titled is None, -sum(use.counts.values()), use.name))
    return ordered[:MOST_NAMES]


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
