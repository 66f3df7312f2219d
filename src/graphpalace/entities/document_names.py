"""The names of the passages of one document, after its aliases are understood and its title counts as a name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from graphpalace.domain.knowledge.entity import EntityType, normalised_name
from graphpalace.entities.aliases import full_names, most_frequent_type
from graphpalace.entities.mention import Mention
from graphpalace.entities.name_form import as_title_name

MOST_NAMES = 100  # of one passage; the most frequent are kept
_MOST_NAME_CHARS = 120


@dataclass(slots=True)
class NameUse:
    """How a passage speaks of one thing.

    Attributes:
        name: Its normalised full name.
        written: The ways in which the document writes each of its normalised names.
        counts: How often the passage has each of its normalised names; 0 for a title that the text does not repeat.
        titled: The normalised name that is the document's title; None if it is not the title.
    """

    name: str
    entity_type: EntityType
    written: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    titled: str | None = None


def document_names(
    passages: Sequence[Sequence[Mention]], *, title: str = "", known: Iterable[Mention] = ()
) -> list[list[NameUse]]:
    """Return what each passage of a document speaks of.

    Args:
        passages: The mentions of each passage.
        title: Of the document. It is a name of every passage if it looks like a name.
        known: Names that other passages of the document have, which were read before.
    """
    titled = as_title_name(title)
    heading = [Mention(titled, EntityType.CONCEPT)] if titled is not None and normalised_name(titled) else []
    every = [mention for mentions in passages for mention in mentions] + heading + list(known)
    written: dict[str, str] = {}
    kinds: dict[str, Counter[EntityType]] = defaultdict(Counter)
    for mention in every:
        normalised = normalised_name(mention.name)
        written.setdefault(normalised, mention.name)
        kinds[normalised][mention.entity_type] += 1
    full = full_names(every)
    about = normalised_name(titled) if heading and titled is not None else None
    return [_uses(mentions, written, kinds, full, about) for mentions in passages]


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
    title: str | None,
) -> list[NameUse]:
    counts = Counter(normalised_name(mention.name) for mention in mentions)
    if title is not None:
        counts.setdefault(title, 0)
    found: dict[str, NameUse] = {}
    for normalised, count in counts.items():
        if not normalised or len(normalised) > _MOST_NAME_CHARS:
            continue
        name = full.get(normalised, normalised)
        use = found.setdefault(name, NameUse(name, most_frequent_type(kinds[name])))
        use.written.setdefault(name, written[name])
        use.written[normalised] = written[normalised]
        use.counts[normalised] = count
        if normalised == title:
            use.titled = normalised
    ordered = sorted(found.values(), key=lambda use: (use.titled is None, -sum(use.counts.values()), use.name))
    return ordered[:MOST_NAMES]
