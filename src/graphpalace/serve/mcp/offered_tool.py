"""A tool and what a server must know to offer it, and the tools made from the declarations in `offers`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter as Argument
from inspect import Signature
from typing import Annotated, Any, Generic, TypeVar, get_args

from fastmcp.tools import FunctionTool
from fastmcp.tools import Tool as ServedTool
from mcp_types import Tool as ListedTool
from mcp_types import ToolAnnotations
from pydantic import Field

from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.offers.offer import Group, Offer, Parameter, Tool, parameters
from graphpalace.serve.mcp.answers import answered
from graphpalace.serve.mcp.arguments import Palace, argument_type, given_as, said_of
from graphpalace.serve.mcp.schemas import answer_schema, argument_schema

PalaceOf = Callable[[str | None], AsyncPalace]  # None is the configured palace


class BriefTool(FunctionTool):
    """A tool that is listed without a title that only repeats its name, and without notes of the library."""

    def to_mcp_tool(self, **overrides: Any) -> ListedTool:
        """Return the tool as clients see it."""
        return super().to_mcp_tool(**overrides).model_copy(update={"title": None, "meta": None})


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool, and in which profiles it is.

    Attributes:
        call: Answers with a value of `domain` or with JSON values. Its docstring is the description.
        answer: The type of the answer, from which its schema is made.
        profiles: Names of profiles.
        writes: Whether it changes the palace.
        destroys: Whether it removes or overwrites something.
        repeatable: Whether a second call with the same arguments changes nothing more.
        writing_argument: The one argument with which it writes; without it, it only reads.
        exact: Whether its arguments are listed with every default, null too, as its specification has them.
    """

    call: Callable[..., Awaitable[Any]]
    answer: Any
    profiles: frozenset[str]
    writes: bool = False
    destroys: bool = False
    repeatable: bool = False
    exact: bool = False
    writing_argument: str | None = None

    @property
    def name(self) -> str:
        """What clients call."""
        return self.call.__name__  # pyright: ignore[reportAttributeAccessIssue] - it is a method

    def tool(self) -> ServedTool:
        """Return the tool as the library wants it."""
        made = BriefTool.from_function(
            answered(self.call),
            description=" ".join((self.call.__doc__ or "").split()),
            annotations=ToolAnnotations.model_validate(self._hints()),
            output_schema=answer_schema(self.answer),
        )
        return made if self.exact else made.model_copy(update={"parameters": argument_schema(made.parameters)})

    def _hints(self) -> Mapping[str, bool]:
        """Return what a host may want to ask its user about. A tool writes and destroys if nothing is said."""
        if not self.writes and self.writing_argument is None:
            return {"readOnlyHint": True}
        hints = {} if self.destroys else {"destructiveHint": False}
        return hints | ({"idempotentHint": True} if self.repeatable else {})


def read(call: Callable[..., Awaitable[Any]], answer: Any, *profiles: str) -> OfferedTool:
    """Return a tool that changes nothing."""
    return OfferedTool(call, answer, frozenset(profiles))


def write(
    call: Callable[..., Awaitable[Any]], answer: Any, *profiles: str, destroys: bool = False, repeatable: bool = False
) -> OfferedTool:
    """Return a tool that changes the palace."""
    return OfferedTool(call, answer, frozenset(profiles), True, destroys, repeatable)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shown(Generic[T]):
    """The first entries of a list."""

    shown: Sequence[T]
    left_out: Annotated[int, Field(description="entries beyond the limit")]

    @classmethod
    def of(cls, entries: Sequence[T], limit: int) -> Shown[T]:
        """Return the first entries, and the number of the others."""
        return cls(entries[:limit], max(0, len(entries) - limit))


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
