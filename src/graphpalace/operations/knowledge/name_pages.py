"""List the names of a palace, and show all about one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from graphpalace.domain.knowledge.entity import Entity, EntityType, checked_name
from graphpalace.domain.knowledge.names import (
    MOST_LISTED,
    MOST_MENTIONS,
    DoubtfulName,
    DrawerNames,
    NameList,
    NamePage,
    NameSign,
)
from graphpalace.entities.person_signs import contradictory
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.store.connection.database import Database
from graphpalace.store.knowledge.entities import EntityStore
from graphpalace.store.knowledge.name_reading import NameReadingStore
from graphpalace.store.palaces.palaces import PalaceStore

_NEIGHBOURS = 20
_NEIGHBOURS_FROM = 2000  # drawers of a name whose other names are counted
_SIGNS_FROM_EACH = 500  # drawers of each listed name whose signs are compared
_DRAWERS_OF_SIGN = 20


class NamePages:
    """Lists names, and shows the drawers, facts and neighbours of one."""

    def __init__(self, database: Database) -> None:
        self._palaces = PalaceStore(database)
        self._stored = EntityStore(database)
        self._reading = NameReadingStore(database)

    async def listed(
        self, palace: str, *, query: str = "", entity_type: EntityType | None = None, offset: int = 0, limit: int = 50
    ) -> NameList:
        """Return a page of names, those with most drawers first.

        Args:
            query: Part of the name, or of an alias.
            offset: Names to skip, >= 0.
            limit: 1 to 200.

        Raises:
            NotFound: If the palace does not exist.
            InvalidInput: If a value is out of range.
        """
        _check_range(offset, limit)
        await self._palaces.get(palace)
        found, due = await asyncio.gather(
            self._stored.page(palace, query=query, entity_type=entity_type, offset=offset, limit=limit + 1),
            self._reading.due(palace),
        )
        listed = found[:limit]
        doubts = await self._doubts([entity.id for entity in listed], most=_SIGNS_FROM_EACH)
        return NameList(
            listed,
            offset + limit if len(found) > limit else None,
            due,
            [DoubtfulName(entity.id, entity.name, doubts[entity.id]) for entity in listed if entity.id in doubts],
        )

    async def page(self, palace: str, name: str, *, offset: int = 0, limit: int = 20) -> NamePage:
        """Return all about one name.

        Args:
            name: The name in any way of writing it, a name that was merged into it, or an id.
            offset: Drawers to skip, >= 0.
            limit: Largest number of drawers, 1 to 200.

        Raises:
            NotFound: If the palace does not exist, or has no such name.
            InvalidInput: If a value is out of range.
        """
        _check_range(offset, limit)
        entity = await self.find(palace, name)
        drawers, neighbours, (facts, merged), doubts = await asyncio.gather(
            self._stored.drawers(entity.id, offset=offset, limit=limit),
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

    async def mentions(self, palace: str, drawers: Sequence[str]) -> list[DrawerNames]:
        """Return the names that drawers mention, in the order of the drawers; those that do not exist are left out.

        Raises:
            NotFound: If the palace does not exist.
            InvalidInput: If there are no drawers, or too many.
        """
        if not 1 <= len(drawers) <= MOST_LISTED:
            raise InvalidInput(f"drawer has {len(drawers)} ids; give 1 to {MOST_LISTED}", field="drawer")
        await self._palaces.get(palace)
        return await self._stored.mentions(palace, drawers, most=MOST_MENTIONS)

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


def _check_range(offset: int, limit: int) -> None:
    if not 0 <= offset <= 2**31:
        raise InvalidInput(f"offset is {offset}; it must be 0 or more", field="offset", value=offset)
    if not 1 <= limit <= MOST_LISTED:
        raise InvalidInput(f"limit is {limit}; it must be 1 to {MOST_LISTED}", field="limit", value=limit)
