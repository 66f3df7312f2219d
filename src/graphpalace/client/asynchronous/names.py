"""Names that drawers mention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from graphpalace.client import wire
from graphpalace.client.asynchronous.link import AsyncLink
from graphpalace.errors import ServiceUnavailable

if TYPE_CHECKING:
    from graphpalace.domain.knowledge.entity import EntityType
    from graphpalace.domain.knowledge.names import DrawerNames, NameChange, NameList, NamePage, NameReading


class AsyncNames:
    """The names of a palace: people, organisations, places, events, works, concepts and things in code."""

    def __init__(self, link: AsyncLink) -> None:
        """Use the link of a palace."""
        self._link = link

    async def list(
        self, query: str = "", *, entity_type: EntityType | str | None = None, offset: int = 0, limit: int = 50
    ) -> NameList:
        """Return the names that drawers mention, those with most drawers first.

        Args:
            query: Part of a name or of an alias; default: all names.
            entity_type: person, organisation, place, event, work, concept or code; default: any.
            offset: How many to skip.
            limit: The largest number, 1 to 200.
        Raises:
            NotFound: If the palace does not exist.
            InvalidInput: If a value is out of its range.
        """
        from graphpalace.domain.knowledge.names import NameList

        return await self._link.get(
            NameList, "/v1/names", query=query, entity_type=entity_type, offset=offset, limit=limit
        )

    async def page(self, name: str, *, offset: int = 0, limit: int = 20) -> NamePage:
        """Return all about a name: its drawers, the number of facts about it, and the names that share drawers with it.

        Args:
            name: In any way of writing it, or an id; a name that was merged into another gives that one.
            offset: How many drawers to skip.
            limit: The largest number of drawers, 1 to 200.
        Raises:
            NotFound: If the palace has no such name, or does not exist.
            InvalidInput: If a value is out of its range.
        """
        from graphpalace.domain.knowledge.names import NamePage

        return await self._link.get(NamePage, f"/v1/names/{wire.segment('name', name)}", offset=offset, limit=limit)

    async def of_drawers(self, drawers: Sequence[str]) -> Sequence[DrawerNames]:
        """Return the names that drawers mention, in the order of the drawers; those that do not exist are left out.

        Args:
            drawers: Ids of 1 to 200 drawers.
        Raises:
            NotFound: If the palace does not exist.
            InvalidInput: If there are no drawers, or too many.
        """
        from graphpalace.domain.knowledge.names import DrawerNames

        return await self._link.get(list[DrawerNames], "/v1/mentions", drawer=list(drawers))

    async def build(
        self, *, again: bool = False, progress: Callable[[NameReading], object] | None = None
    ) -> NameReading:
        """Read the names of the drawers that are due: new and changed ones, and those that another recogniser has read.

        To stop it, cancel the call or leave it with Ctrl-C: what is already read is kept, and the same call reads the
        rest.

        Args:
            again: Read all drawers again.
            progress: Called now and then with how far it is.
        Raises:
            NotFound: If the palace does not exist.
            Conflict: If the settings choose no recogniser.
            NamesFailed: If the model that finds names failed.
        """
        from graphpalace.domain.knowledge.names import NameReading

        async with aclosing(self._link.stream("/v1/names/build", again=again)) as said:
            async for line in said:
                reading = wire.read(wire.encoded(line["reading"]), NameReading)
                if line["done"]:
                    return reading
                if progress is not None:
                    progress(reading)
        raise ServiceUnavailable("the service went away while it read names; what is already read is kept")

    async def merge(self, name: str, other: str) -> NameChange:
        """Merge another name into a name that means the same, with its drawers and facts. `split` undoes it.

        Args:
            name: The name that stays. Texts that are read later resolve to it too.
            other: The name that becomes an alias of it.
        Raises:
            NotFound: If the palace has no such name, or does not exist.
            InvalidInput: If both are the same already.
        """
        from graphpalace.domain.knowledge.names import NameChange

        return await self._link.post(NameChange, "/v1/names/merge", name=name, other=other)

    async def split(self, name: str, alias: str | None = None, *, drawers: Sequence[str] = ()) -> NameChange:
        """Take an alias out of a name, with the drawers and facts that it brought, or its mentions in some drawers.

        Args:
            alias: A name that was merged into it, or one that documents use for it. With drawers: the name that they
                mean, which is created if it is missing; None: the name with a number.
            drawers: Ids of up to 200 drawers that mean another thing by the name. This holds when names are read again.
                `merge` undoes it.
        Raises:
            NotFound: If the palace has no such name, or the name no such alias, or a drawer does not mention it.
            InvalidInput: If there is neither an alias nor a drawer, or the alias means the name itself.
            Conflict: If the alias came with another name that was merged; that is to be split off first.
        """
        from graphpalace.domain.knowledge.names import NameChange

        return await self._link.post(NameChange, "/v1/names/split", name=name, alias=alias, drawers=list(drawers))
