"""Tools of the profile `knowledge` for names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from graphpalace.domain.knowledge.entity import EntityType
from graphpalace.domain.knowledge.names import NameChange, NameList, NamePage
from graphpalace.serve.mcp.arguments import Named, Palace
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read, write

Name = Annotated[Named, Field(description="a name in any way of writing it, or an id", max_length=200)]


class NameTools:
    """The tools for names."""

    def __init__(self, palace_of: PalaceOf) -> None:
        """Remember how to reach a palace."""
        self._palace_of = palace_of

    def tools(self) -> Sequence[OfferedTool]:
        """Return the tools."""
        return (
            read(self.list_names, NameList, "knowledge"),
            read(self.show_name, NamePage, "knowledge"),
            write(self.merge_names, NameChange, "knowledge"),
            write(self.split_name, NameChange, "knowledge"),
        )

    async def list_names(
        self,
        query: Annotated[Named, Field(description="part of a name or an alias; default: all")] = "",
        entity_type: EntityType | None = None,
        limit: Annotated[int, Field(ge=1, le=200)] = 20,
        offset: Annotated[int, Field(ge=0)] = 0,
        palace: Palace = None,
    ) -> NameList:
        """List people, organisations, places and other things that the palace mentions, those with most drawers first.

        Use it to find out how a name is written here, before show_name.
        """
        return await self._palace_of(palace).names.list(query, entity_type=entity_type, offset=offset, limit=limit)

    async def show_name(
        self, name: Name, limit: Annotated[int, Field(ge=1, le=200)] = 5, palace: Palace = None
    ) -> NamePage:
        """Show what mentions a name, and which names occur together with it: everything about one person or thing."""
        return await self._palace_of(palace).names.page(name, limit=limit)

    async def merge_names(
        self,
        name: Annotated[Named, Field(description="the name that stays")],
        other: Annotated[Named, Field(description="the name that becomes an alias of it")],
        palace: Palace = None,
    ) -> NameChange:
        """Say that two names mean one thing. Later texts follow it, and split_name undoes it."""
        return await self._palace_of(palace).names.merge(name, other)

    async def split_name(
        self,
        name: Name,
        alias: Annotated[
            Named | None,
            Field(description="the alias that means something else; with drawers: the name that they mean"),
        ] = None,
        drawers: Annotated[
            list[str] | None, Field(max_length=200, description="ids of drawers that mean somebody else by the name")
        ] = None,
        palace: Palace = None,
    ) -> NameChange:
        """Take an alias out of a name that it does not mean, or its mentions in some drawers.

        Use drawers for two people of one name, which list_names and show_name tell under may_be_two.
        """
        return await self._palace_of(palace).names.split(name, alias, drawers=drawers or ())
