"""Tools made from the declarations in `offers`."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import Parameter as Argument
from inspect import Signature
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import Field

from graphpalace.domain.field import NAMED
from graphpalace.offers.offer import Group, Offer, Parameter, Tool, parameters
from graphpalace.serve.mcp.arguments import Named, Palace
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf
from graphpalace.serve.mcp.shown_list import Shown

# The list of tools is put before a model with every request, so it says what a model cannot guess. A text that is too
# long is refused behind the tool.
_UNSAID = ("examples", "min_length", "max_length")
_MOST = 2**31  # limits from here on are those of numbers, not of the operation


def tools_of(group: Group, palace_of: PalaceOf) -> Sequence[OfferedTool]:
    """Return the tools of a group of operations."""
    return [tool_of(offer, palace_of) for offer in group.offers if offer.tool is not None]


def tool_of(offer: Offer[Any, Any], palace_of: PalaceOf) -> OfferedTool:
    """Return the tool of an operation that has one."""
    tool = offer.tool
    assert tool is not None, offer.name

    async def call(palace: str | None = None, **given: Any) -> Any:
        limit = None if tool.shown is None else given.pop("limit")
        answer = await palace_of(palace).call(offer, **given)
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
    kind = _named(one.type) if NAMED in one.marks else one.type
    said = {name: value for name, value in one.said.items() if name not in _UNSAID and value != _MOST}
    if one.name == "limit":
        said.pop("description", None)
    elif "description" in said:
        said["description"] = said["description"].partition("; default: ")[0]
    default = tool.defaults.get(one.name, Argument.empty if one.required else one.default)
    return Argument(
        one.name, Argument.POSITIONAL_OR_KEYWORD, default=default, annotation=Annotated[kind, Field(**said)]
    )


def _named(kind: Any) -> Any:
    """Return the type of a text, or of a text or nothing, in which quotes of an answer are taken away."""
    if get_origin(kind) in (Union, UnionType):
        return Union[tuple(Named if one is str else one for one in get_args(kind))]  # noqa: UP007 - of a tuple
    return Named if kind is str else kind
