"""Merge names into one and split them again, each in one transaction."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.domain.knowledge.entity import (
    REFERENCE_COST,
    Entity,
    NewEntity,
    entity_id,
    normalised_name,
)
from graphpalace.domain.knowledge.names import NameChange
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.store.connection.database import Database, Row, Transaction
from graphpalace.store.knowledge.entities import entities_by_name, entity_of
from graphpalace.store.palaces.palaces import hold_palace


class NameMergeStore:
    """Merges and splits the entities of palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def merge(self, palace: str, keep: str, absorbed: str) -> NameChange:
        """Merge an entity into another, which gets its name and aliases, its references and its facts.

        Args:
            keep, absorbed: Ids of entities.

        Raises:
            NotFound: If one of them is gone, or the palace does not exist.
        """

        async def work(tx: Transaction) -> NameChange:
            await hold_palace(tx, palace)
            into, other = await _read(tx, keep), await _read(tx, absorbed)
            named = [other.entity.name, *other.entity.aliases]
            fresh = [name for name in dict.fromkeys(named) if name not in (into.entity.name, *into.entity.aliases)]
            apart = [name for name in into.kept_apart if name != other.entity.normalised_name]
            (facts,) = await tx.run("knowledge/move_facts", keep=keep, absorbed=absorbed)
            (moved,) = await tx.run(
                "knowledge/absorb_entity", keep=keep, absorbed=absorbed, aliases=fresh, kept_apart=apart or None
            )
            await tx.run("knowledge/recount", ids=[keep])
            await tx.run("knowledge/record_names", named=sorted(moved["drawers"]), respelled=[keep], facts=True)
            merged = (await _read(tx, keep)).entity
            return NameChange(merged, other.entity, len(moved["drawers"]), facts["facts"])

        return await self._database.transaction(palace, work)

    async def split(self, palace: str, keep: str, alias: str) -> NameChange:
        """Take a name out of an entity, with the references and facts that it brought.

        Args:
            keep: Id of the entity.
            alias: A name that was merged into it, or that documents use for it.

        Raises:
            NotFound: If the entity has no such name, or is gone, or the palace does not exist.
            Conflict: If the name was merged into another that was merged into this entity.
        """
        released = entity_id(palace, normalised_name(alias))

        async def work(tx: Transaction) -> NameChange:
            await hold_palace(tx, palace)
            found = await _read(tx, keep)
            merged = await tx.run("knowledge/find_merged", id=released)
            if merged:
                names = await self._release(tx, found.entity, merged[0])
            else:
                names = await self._part(tx, palace, found, alias)
            (moved,) = await tx.run(
                "knowledge/split_references", keep=keep, released=released, names=names, base_cost=REFERENCE_COST
            )
            (facts,) = await tx.run("knowledge/return_facts", keep=keep, released=released)
            (gone,) = await tx.run("knowledge/recount", ids=[released, keep])
            await tx.run("knowledge/record_names", named=sorted(moved["drawers"]), respelled=[keep], facts=True)
            left = found.entity if keep in gone["gone"] else (await _read(tx, keep)).entity
            other = None if released in gone["gone"] else (await _read(tx, released)).entity
            return NameChange(left, other, len(moved["drawers"]), facts["facts"])

        return await self._database.transaction(palace, work)

    async def give(self, palace: str, keep: str, to: str, drawers: Sequence[str]) -> NameChange:
        """Let drawers mention another name in place of an entity, whenever their names are read.

        Args:
            keep: Id of the entity.
            to: The other name; it is created if the palace does not have it.
            drawers: Ids of drawers that mention the entity.

        Raises:
            NotFound: If a drawer does not mention the entity, or one of them is gone, or the palace does not exist.
            InvalidInput: If the other name means the entity.
        """

        async def work(tx: Transaction) -> NameChange:
            await hold_palace(tx, palace)
            entity = (await _read(tx, keep)).entity
            mentions = await tx.run("knowledge/read_given", id=keep, drawers=list(dict.fromkeys(drawers)))
            if missing := sorted(set(drawers) - {row["drawer"] for row in mentions}):
                raise NotFound(f"drawer {missing[0]!r} does not mention {entity.name!r}", drawer=missing[0])
            (target,) = (await entities_by_name(tx, palace, [NewEntity(to, entity.entity_type)])).values()
            if target.id == keep:
                raise InvalidInput(
                    f"alias is {to!r}, which is {entity.name!r} already; it must be another name",
                    field="alias",
                    value=to,
                )
            rows = [_decided(row, normalised_name(to), target.name) for row in mentions]
            await tx.run("knowledge/give_mentions", keep=keep, target=target.id, rows=rows)
            (gone,) = await tx.run("knowledge/recount", ids=[keep, target.id])
            await tx.run(
                "knowledge/record_names", named=sorted(row["drawer"] for row in rows), respelled=[], facts=False
            )
            left = entity if keep in gone["gone"] else (await _read(tx, keep)).entity
            return NameChange(left, (await _read(tx, target.id)).entity, len(rows), 0)

        return await self._database.transaction(palace, work)

    async def _release(self, tx: Transaction, entity: Entity, merged: Row) -> list[str]:
        """Make a merged entity one of its own again; return the normalised names that are its."""
        if merged["into"] != entity.id:
            raise Conflict(
                f"{merged['name']!r} was merged into {merged['into_name']!r}, which is not {entity.name!r} itself; "
                f"split it from {merged['into_name']!r}, after that is split off",
                name=merged["name"],
            )
        brought = {normalised_name(name) for name in (merged["name"], *merged["added"])} - {entity.normalised_name}
        taken = [
            name
            for name in entity.aliases
            if name in merged["added"] or (normalised_name(name) in brought and name != entity.name)
        ]
        kept = [name for name in entity.aliases if name not in taken]
        own = {merged["name"], *merged["aliases"]}
        await tx.run(
            "knowledge/release_entity",
            keep=entity.id,
            released=merged["id"],
            kept_aliases=kept,
            released_aliases=[*merged["aliases"], *(name for name in taken if name not in own)],
        )
        return sorted(brought - {normalised_name(name) for name in kept})

    async def _part(self, tx: Transaction, palace: str, found: _Found, alias: str) -> list[str]:
        """Make an entity for a name that documents use for another; return the normalised names that are its."""
        entity, normalised = found.entity, normalised_name(alias)
        written = [name for name in entity.aliases if normalised_name(name) == normalised]
        if not written or normalised == entity.normalised_name:
            raise NotFound(
                f"{entity.name!r} has no alias {alias!r}; it has {', '.join(map(repr, entity.aliases)) or 'none'}",
                name=alias,
            )
        kept = [name for name in entity.aliases if name not in written]
        await tx.run("knowledge/keep_apart", id=entity.id, normalised_name=normalised, aliases=kept)
        new = NewEntity(written[0], entity.entity_type, tuple(written[1:]))
        await entities_by_name(tx, palace, [new])
        return [normalised]


def _decided(row: Row, normalised: str, to: str) -> Row:
    """Return which mentions of a drawer are given to which names, after those of an entity are given to another.

    A mention that has the other name itself needs no decision.
    """
    given = dict(zip(row["given_names"], row["given_to"], strict=True)) | dict.fromkeys(row["names"], to)
    given.pop(normalised, None)
    return {"drawer": row["drawer"], "given_names": list(given) or None, "given_to": list(given.values()) or None}


class _Found:
    """An entity as a transaction reads it."""

    def __init__(self, row: Row) -> None:
        self.kept_apart: Sequence[str] = row.pop("kept_apart")
        self.entity = entity_of(row)


async def _read(tx: Transaction, identity: str) -> _Found:
    rows = await tx.run("knowledge/read_entity", id=identity)
    if not rows:
        raise NotFound(f"the name {identity!r} was just deleted or merged", name=identity)
    return _Found(rows[0])
