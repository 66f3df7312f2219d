"""Merge two names that mean one thing, and split a name that means two. Each undoes the other."""

from __future__ import annotations

from graphpalace.domain.knowledge.entity import checked_name
from graphpalace.domain.knowledge.names import NameChange
from graphpalace.errors import InvalidInput
from graphpalace.operations.knowledge.name_pages import NamePages
from graphpalace.store.connection.database import Database
from graphpalace.store.knowledge.name_merges import NameMergeStore


class NameChanges:
    """Changes by hand which names mean one thing."""

    def __init__(self, database: Database, pages: NamePages) -> None:
        self._pages = pages
        self._stored = NameMergeStore(database)

    async def merge(self, palace: str, name: str, other: str) -> NameChange:
        """Merge another name into a name. Texts that are read later resolve to it too; `split` undoes it.

        Args:
            name, other: Names in any way of writing them, or ids.

        Raises:
            NotFound: If the palace does not exist, or has no such name.
            InvalidInput: If both are the same thing already.
        """
        keep, absorbed = await self._pages.find(palace, name), await self._pages.find(palace, other)
        if keep.id == absorbed.id:
            raise InvalidInput(
                f"other is {other!r}, which is {keep.name!r} already; it must be another name",
                field="other",
                value=other,
            )
        return await self._stored.merge(palace, keep.id, absorbed.id)

    async def split(self, palace: str, name: str, alias: str) -> NameChange:
        """Take an alias out of a name, with the drawers and facts that it brought.

        Args:
            alias: A name that was merged into it, or one that documents use for it.

        Raises:
            NotFound: If the palace does not exist, or has no such name, or the name no such alias.
            Conflict: If the alias came with another name that was merged; that is to be split off first.
        """
        checked_name("alias", alias)
        keep = await self._pages.find(palace, name)
        return await self._stored.split(palace, keep.id, alias)
