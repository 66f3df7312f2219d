"""Store which drawers mention which names, and which drawers are still to be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from graphpalace.domain.knowledge.entity import (
    REFERENCE_COST,
    EntityType,
    NewEntity,
    entity_id,
    normalised_name,
)
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.knowledge.entities import entities_by_name
from graphpalace.store.palaces.palaces import hold_palace


@dataclass(frozen=True, slots=True)
class DueDrawer:
    """A drawer whose names are still to be read.

    Attributes:
        document: Id of its closet. A note of a room is a document of its own, with its own id.
        title, media_type, source_uri, aliases, tags: Of its closet.
        stamp: Differs once the text, the title, an alias or a tag is changed.
    """

    id: str
    document: str
    title: str
    media_type: str
    source_uri: str
    aliases: Sequence[str]
    tags: Sequence[str]
    text: str
    headings: Sequence[str]
    author: str | None
    stamp: str


@dataclass(frozen=True, slots=True)
class Reference:
    """How a drawer mentions a thing.

    Attributes:
        entity: The normalised name of the thing.
        written: How the document writes each of its normalised names.
        counts: How often the drawer has each of these names.
        titled: The one that is the title of its document, or None.
        signs: What the drawer says of it beside the name, if it is a person.
    """

    entity: str
    name: str
    entity_type: EntityType
    written: Mapping[str, str]
    counts: Mapping[str, int]
    titled: str | None
    signs: Sequence[str] = ()


class NameReadingStore:
    """Reads drawers that are due, and writes what they mention."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def mark(self, palace: str, *, version: str, again: bool) -> int:
        """Mark the drawers of a palace that this recogniser has not read; return how many are due now.

        Args:
            again: Whether to mark all drawers.
        """
        (row,) = await self._database.auto_commit(palace, "knowledge/mark_due", version=version, again=again)
        return row["due"]

    async def due(self, palace: str) -> int:
        """Return how many drawers of a palace are still to be read."""
        (row,) = await self._database.read(palace, "knowledge/count_due")
        return row["due"]

    async def palaces(self) -> list[str]:
        """Return the names of the palaces that have drawers to be read."""
        return [row["palace"] for row in await self._database.read(None, "knowledge/list_due_palaces")]

    async def some(self, palace: str, *, limit: int) -> list[DueDrawer]:
        """Return some drawers that are due, those of one document together."""
        return [DueDrawer(**row) for row in await self._database.read(palace, "knowledge/list_due", limit=limit)]

    async def known(self, closets: Sequence[str], *, drawers: int) -> dict[str, list[tuple[str, EntityType]]]:
        """Return the names that the last drawers of documents have, by document."""
        rows = await self._database.read(None, "knowledge/list_known", closets=list(closets), drawers=drawers)
        return {
            row["closet"]: [(each["name"], EntityType(each["entity_type"])) for each in row["names"]] for row in rows
        }

    async def kept_apart(self, palace: str, names: Sequence[str]) -> dict[str, AbstractSet[str]]:
        """Return the normalised names that were split from entities by hand, by the entities' normalised names."""
        ids = [entity_id(palace, name) for name in names]
        rows = await self._database.read(palace, "knowledge/read_kept_apart", ids=ids)
        return {row["normalised_name"]: frozenset(row["kept_apart"]) for row in rows}

    async def write(
        self, palace: str, drawers: Sequence[DueDrawer], references: Sequence[Sequence[Reference]], *, version: str
    ) -> int:
        """Write what drawers mention in one transaction; return for how many.

        A drawer is left out if another reader has written it, or if its text or title was changed since it was read.

        Raises:
            NotFound: If the palace does not exist, or was dropped meanwhile.
        """

        async def work(tx: Transaction) -> int:
            await hold_palace(tx, palace)
            stamps = [{"id": drawer.id, "stamp": drawer.stamp} for drawer in drawers]
            (row,) = await tx.run("knowledge/take_due", drawers=stamps, version=version)
            taken = set(row["taken"])
            if not taken:
                return 0
            given = {each["id"]: dict(zip(each["names"], each["to"], strict=True)) for each in row["given"]}
            uses = {
                d.id: _given_away(each, given.get(d.id, {}))
                for d, each in zip(drawers, references, strict=True)
                if d.id in taken
            }
            entities = await entities_by_name(tx, palace, _entities(uses))
            rows = [
                {"id": drawer, "uses": _rows(each, {name: found.id for name, found in entities.items()})}
                for drawer, each in uses.items()
            ]
            (written,) = await tx.run("knowledge/write_references", drawers=rows, base_cost=REFERENCE_COST)
            await tx.run("knowledge/recount", ids=sorted(set(written["touched"])))
            await tx.run("knowledge/record_names", named=sorted(taken), respelled=[], facts=False)
            return len(taken)

        return await self._database.transaction(palace, work)


def _given_away(uses: Sequence[Reference], given: Mapping[str, str]) -> Sequence[Reference]:
    """Return the references after some mentions were given to other names, by the normalised names that they have."""
    if not given:
        return uses
    found: list[Reference] = []
    for use in uses:
        groups: dict[str | None, dict[str, int]] = {}
        for name, count in use.counts.items():
            groups.setdefault(given.get(name), {})[name] = count
        for to, counts in groups.items():
            titled = use.titled if use.titled in counts else None
            if to is None:
                found.append(replace(use, counts=counts, titled=titled))
            else:
                found.append(Reference(normalised_name(to), to, use.entity_type, {}, counts, titled, use.signs))
    return found


def _entities(uses: Mapping[str, Sequence[Reference]]) -> list[NewEntity]:
    merged: dict[str, NewEntity] = {}
    for references in uses.values():
        for use in references:
            aliases = (*use.written.values(), *(merged[use.entity].aliases if use.entity in merged else ()))
            merged[use.entity] = NewEntity(use.name, use.entity_type, tuple(sorted(set(aliases))))
    return list(merged.values())


def _rows(uses: Sequence[Reference], ids: Mapping[str, str]) -> list[dict[str, object]]:
    """Return a row for each entity, as two names of a document may have been merged into one by hand."""
    rows: dict[str, dict[str, object]] = {}
    for entity, counts, titled, signs in _joined(uses, ids):
        rows[entity] = {
            "entity": entity,
            "count": sum(counts.values()),
            "is_title": titled is not None,
            "titled": titled,
            "names": list(counts),
            "counts": list(counts.values()),
            "signs": signs or None,
        }
    return list(rows.values())


def _joined(
    uses: Sequence[Reference], ids: Mapping[str, str]
) -> list[tuple[str, dict[str, int], str | None, list[str]]]:
    joined: dict[str, tuple[dict[str, int], list[str], set[str]]] = {}
    for use in uses:
        counts, titles, signs = joined.setdefault(ids[use.entity], ({}, [], set()))
        for name, count in use.counts.items():
            counts[name] = counts.get(name, 0) + count
        if use.titled is not None:
            titles.append(use.titled)
        signs.update(use.signs)
    return [
        (entity, counts, titles[0] if titles else None, sorted(signs))
        for entity, (counts, titles, signs) in joined.items()
    ]
