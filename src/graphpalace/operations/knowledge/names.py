"""List the names of a palace, show all about one, merge two that mean one thing, and split one that means two."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import count

from graphpalace.domain.identity import MOST_NAME_CHARS
from graphpalace.domain.knowledge.entity import Entity, checked_name
from graphpalace.domain.knowledge.names import (
    MOST_MENTIONS,
    DoubtfulName,
    DrawerNames,
    MentionQuery,
    Merge,
    NameChange,
    NameList,
    NamePage,
    NamePageQuery,
    NameQuery,
    NameSign,
    Split,
)
from graphpalace.entities.person_signs import contradictory
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.replica.places import find_place
from graphpalace.store.connection.database import Database
from graphpalace.store.knowledge.entities import EntityStore
from graphpalace.store.knowledge.name_merges import NameMergeStore
from graphpalace.store.knowledge.name_reading import NameReadingStore
from graphpalace.store.palaces.palaces import PalaceStore

_NEIGHBOURS = 20
_NEIGHBOURS_FROM = 2000  # drawers of a name whose other names are counted
_SIGNS_FROM_EACH = 500  # drawers of each listed name whose signs are compared
_DRAWERS_OF_SIGN = 20


class NamePages:
    """Lists names, and shows the drawers, facts and neighbours of one."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._palaces = PalaceStore(database)
        self._stored = EntityStore(database)
        self._reading = NameReadingStore(database)

    async def listed(self, palace: str, asked: NameQuery) -> NameList:
        """Return a page of names, those with most drawers first.

        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If a value is out of range.
        """
        asked.check()
        await self._palaces.get(palace)
        wing_id = (
            None if asked.wing is None else (await find_place(self._database, palace, wing=asked.wing, room=None))[0]
        )
        found, due = await asyncio.gather(
            self._stored.page(
                palace,
                query=asked.query,
                entity_type=asked.entity_type,
                wing_id=wing_id,
                offset=asked.offset,
                limit=asked.limit + 1,
            ),
            self._reading.due(palace),
        )
        listed = found[: asked.limit]
        doubts = await self._doubts([entity.id for entity in listed], most=_SIGNS_FROM_EACH)
        return NameList(
            listed,
            asked.offset + asked.limit if len(found) > asked.limit else None,
            due,
            [DoubtfulName(entity.id, entity.name, doubts[entity.id]) for entity in listed if entity.id in doubts],
        )

    async def page(self, palace: str, asked: NamePageQuery) -> NamePage:
        """Return all about one name.

        Raises:
            NotFound: If the palace does not exist, or has no such name.
            InvalidInput: If a value is out of range.
        """
        asked.check()
        entity = await self.find(palace, asked.name)
        drawers, neighbours, (facts, merged), doubts = await asyncio.gather(
            self._stored.drawers(entity.id, offset=asked.offset, limit=asked.limit),
            self._stored.neighbours(entity.id, drawers=_NEIGHBOURS_FROM, limit=_NEIGHBOURS),
            self._stored.facts_and_merged(entity.id),
            self._doubts([entity.id], most=_NEIGHBOURS_FROM),
        )
        return NamePage(entity, merged, facts, drawers, neighbours, doubts.get(entity.id, ()))

    async def _doubts(self, entities: Sequence[str], *, most: int) -> dict[str, list[NameSign]]:
        """Return what drawers say of names that does not go together, by the ids of the names."""
        read = await self._stored.signs(entities, most=most)
        found = {identity: contradictory(signs) for identity, signs in read.items()}
        return {
            identity: [NameSign(sign, drawers[:_DRAWERS_OF_SIGN]) for sign, drawers in signs.items()]
            for identity, signs in found.items()
            if signs
        }

    async def mentions(self, palace: str, asked: MentionQuery) -> list[DrawerNames]:
        """Return the names that drawers mention, in the order of the drawers; those that do not exist are left out.

        Raises:
            NotFound: If the palace does not exist.
            InvalidInput: If there are no drawers, or too many.
        """
        asked.check()
        await self._palaces.get(palace)
        return await self._stored.mentions(palace, asked.drawers, most=MOST_MENTIONS)

    async def find(self, palace: str, name: str) -> Entity:
        """Return the entity of a name or an id.

        Raises:
            NotFound: If the palace does not exist, or has no such name.
            InvalidInput: If the name is not valid.
        """
        checked_name("name", name)
        await self._palaces.get(palace)
        entity = await self._stored.find(palace, name)
        if entity is None:
            raise NotFound(
                f"palace {palace!r} has no name {name!r}; `graphpalace names list` shows what it has", name=name
            )
        return entity


class NameChanges:
    """Changes by hand which names mean one thing."""

    def __init__(self, database: Database, pages: NamePages) -> None:
        self._pages = pages
        self._entities = EntityStore(database)
        self._stored = NameMergeStore(database)

    async def merge(self, palace: str, asked: Merge) -> NameChange:
        """Merge another name into a name. Texts that are read later resolve to it too; `split` undoes it.

        Raises:
            NotFound: If the palace does not exist, or has no such name.
            InvalidInput: If both are the same thing already.
        """
        name, other = asked.name, asked.other
        keep, absorbed = await self._pages.find(palace, name), await self._pages.find(palace, other)
        if keep.id == absorbed.id:
            raise InvalidInput(
                f"other is {other!r}, which is {keep.name!r} already; it must be another name",
                field="other",
                value=other,
            )
        return await self._stored.merge(palace, keep.id, absorbed.id)

    async def split(self, palace: str, asked: Split) -> NameChange:
        """Take an alias out of a name, with the drawers and facts that it brought, or its mentions in some drawers.

        What drawers mean by the name holds whenever their names are read.

        Raises:
            NotFound: If the palace does not exist, or has no such name, or the name no such alias, or a drawer does not
                mention it.
            InvalidInput: If there is neither an alias nor a drawer, or the alias means the name itself.
            Conflict: If the alias came with another name that was merged; that is to be split off first.
        """
        asked.check()
        alias, drawers = asked.alias, asked.drawers
        keep = await self._pages.find(palace, asked.name)
        if drawers:
            return await self._stored.give(palace, keep.id, alias or await self._numbered(palace, keep.name), drawers)
        if alias is None:
            raise InvalidInput(
                "alias is missing; give the alias that means something else, or the drawers that mean another thing",
                field="alias",
            )
        return await self._stored.split(palace, keep.id, alias)

    async def _numbered(self, palace: str, name: str) -> str:
        """Return a name with the first number from 2 that the palace does not have."""
        for number in count(2):
            numbered = f"{name[: MOST_NAME_CHARS - 8]} ({number})"
            if await self._entities.find(palace, numbered) is None:
                return numbered
        raise AssertionError
