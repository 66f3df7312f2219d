# Written by `make client` from graphpalace/offers/knowledge.py; change that file.
"""The names of a palace: people, organisations, places, events, works, concepts and things in code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from graphpalace.client.asynchronous.link import AsyncLink

if TYPE_CHECKING:
    from graphpalace.domain.knowledge.entity import EntityType
    from graphpalace.domain.knowledge.names import DrawerNames, NameChange, NameList, NamePage, NameReading


class AsyncNames:
    """The names of a palace: people, organisations, places, events, works, concepts and things in code."""

    def __init__(self, link: AsyncLink) -> None:
        """Use the link of a palace."""
        self._link = link

    async def list(
        self,
        query: str = "",
        *,
        entity_type: EntityType | str | None = None,
        wing: str | None = None,
        offset: int = 0,
        limit: int = 50,
    ) -> NameList:
        """List the names that drawers mention, those with most drawers first.

        Args:
            query: Part of a name or alias; default: all names.
            entity_type: Only names of this type.
            wing: Only names in this wing, with their drawers there.
            offset: How many to skip, 0 to 2147483648.
            limit: Largest number of names, 1 to 200.
        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If a value is out of its range.
        """
        from graphpalace.offers.knowledge import LIST_NAMES

        return await self._link.call(
            LIST_NAMES, query=query, entity_type=entity_type, wing=wing, offset=offset, limit=limit
        )

    async def page(self, name: str, *, offset: int = 0, limit: int = 20) -> NamePage:
        """Show a name: its drawers, how many facts there are about it, and the names that share drawers with it.

        Args:
            name: A name in any way of writing it, or an id.
            offset: How many drawers to skip, 0 to 2147483648.
            limit: Largest number of drawers, 1 to 200.
        Raises:
            NotFound: If the palace has no such name, or does not exist.
            InvalidInput: If a value is out of its range.
        """
        from graphpalace.offers.knowledge import SHOW_NAME

        return await self._link.call(SHOW_NAME, name=name, offset=offset, limit=limit)

    async def of_drawers(self, drawers: Sequence[str]) -> list[DrawerNames]:
        """List the names that drawers mention, in the order of the drawers.

        Drawers that do not exist are left out.

        Args:
            drawers: Ids of drawers.
        Raises:
            NotFound: If the palace does not exist.
            InvalidInput: If there are no drawers, or too many.
        """
        from graphpalace.offers.knowledge import DRAWER_NAMES

        return await self._link.call(DRAWER_NAMES, drawers=drawers)

    async def build(
        self, *, again: bool = False, progress: Callable[[NameReading], object] | None = None
    ) -> NameReading:
        """Read the names of the drawers that are due: new and changed ones, and those that another recogniser has read.

        To stop it, cancel the call or leave it with Ctrl-C: what is already done is kept, and the same call does the
        rest.

        Args:
            again: Read all drawers again, not only those that are due.
            progress: Called now and then with what was done so far.
        Raises:
            NotFound: If the palace does not exist.
            Conflict: If the settings choose no recogniser.
            NamesFailed: If the recogniser fails.
        """
        from graphpalace.offers.knowledge import BUILD_NAMES

        return await self._link.follow(BUILD_NAMES, progress, again=again)

    async def merge(self, name: str, other: str) -> NameChange:
        """Merge a name into another that means the same, with its drawers and facts.

        `split` undoes it.

        Args:
            name: The name that stays.
            other: The name that becomes an alias of it.
        Raises:
            NotFound: If the palace has no such name, or does not exist.
            InvalidInput: If both are the same already.
        """
        from graphpalace.offers.knowledge import MERGE_NAMES

        return await self._link.call(MERGE_NAMES, name=name, other=other)

    async def split(self, name: str, alias: str | None = None, *, drawers: Sequence[str] = ()) -> NameChange:
        """Take an alias out of a name, with the drawers and facts that it brought, or its mentions in some drawers.

        `merge` undoes it.

        What drawers mean by the name holds when names are read again.

        Args:
            name: A name in any way of writing it, or an id.
            alias: The alias that means something else; with drawers: the name that they mean; default: the same name
                with a number.
            drawers: Ids of drawers that mean another thing by the name.
        Raises:
            NotFound: If the palace has no such name, or the name no such alias, or a drawer does not mention it.
            InvalidInput: If there is neither an alias nor a drawer, or the alias means the name itself.
            Conflict: If the alias came with another name that was merged; that is to be split off first.
        """
        from graphpalace.offers.knowledge import SPLIT_NAME

        return await self._link.call(SPLIT_NAME, name=name, alias=alias, drawers=drawers)
