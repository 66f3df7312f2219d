"""The names of the passages of one document, after its aliases are understood and its titles and tags are names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
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
