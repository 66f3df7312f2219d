"""Tools made from the declarations in `offers`."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import Parameter as Argument
from inspect import Signature
from typing import Annotated, Any, get_args

from pydantic import Field

from graphpalace.offers.offer import Group, Offer, Parameter, Tool, parameters
from graphpalace.serve.mcp.argument_types import argument_type, given_as, said_of
from graphpalace.serve.mcp.arguments import Palace
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf
from graphpalace.serve.mcp.shown_list import Shown


def tools_of(offers: Group | Sequence[Offer[Any, Any]], palace_of: PalaceOf) -> Sequence[OfferedTool]:
    """Return the tools of a group of operations, or of several operations."""
    every = offers.offers if isinstance(offers, Group) else offers
    return [tool_of(offer, palace_of) for offer in every if offer.tool is not None]


def tool_of(offer: Offer[Any, Any], palace_of: PalaceOf) -> OfferedTool:
    """Return the tool of an operation that has one."""
    tool = offer.tool
    assert tool is not None, offer.name

    async def call(palace: str | None = None, **given: Any) -> Any:
        limit = None if tool.shown is None else given.pop("limit")
        answer = await palace_of(palace).call(offer, **{name: given_as(value) for name, value in given.items()})
        return answer if limit is None else Shown.of(answer, limit)

    arguments = [_argument(one, tool) for one in parameters(offer.request) if one.name not in tool.without]
    if tool.shown is not None:
        limit = Annotated[int, Field(ge=1, le=tool.most_shown)]
        arguments.append(Argument("limit", Argument.POSITIONAL_OR_KEYWORD, default=tool.shown, annotation=limit))
    arguments.append(Argument("palace", Argument.POSITIONAL_OR_KEYWORD, default=None, annotation=Palace))
    call.__name__ = call.__qualname__ = tool.name
    call.__doc__ = tool.does
    call.__signature__ = Signature(arguments)  # pyright: ignore[reportFunctionMemberAccess]
    call.__annotations__ = {one.name: one.annotation for one in arguments}
    profiles = frozenset(tool.profiles)
    answer = offer.answer if tool.shown is None else Shown[get_args(offer.answer)[0]]
    return OfferedTool(call, answer, profiles, offer.writes, tool.destroys, tool.repeatable)


def _argument(one: Parameter, tool: Tool) -> Argument:
    said = {**said_of(one), **tool.limits.get(one.name, {})}
    kind = Annotated[argument_type(one.type, one.marks), Field(**said)]
    default = tool.defaults.get(one.name, Argument.empty if one.required else one.default)
    return Argument(one.name, Argument.POSITIONAL_OR_KEYWORD, default=default, annotation=kind)
