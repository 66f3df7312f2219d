"""Merge two names that mean one thing, and split a name that means two. Each undoes the other."""

from __future__ import annotations

from itertools import count

from graphpalace.domain.identity import MOST_NAME_CHARS
from graphpalace.domain.knowledge.names import Merge, NameChange, Split
from graphpalace.errors import InvalidInput
from graphpalace.operations.knowledge.name_pages import NamePages
from graphpalace.store.connection.database import Database
from graphpalace.store.knowledge.entities import EntityStore
from graphpalace.store.knowledge.name_merges import NameMergeStore


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
