"""A tool and what a server must know to offer it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fastmcp.tools import FunctionTool, Tool
from mcp_types import Tool as ListedTool
from mcp_types import ToolAnnotations

from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.serve.mcp.answers import answered
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

    def tool(self) -> Tool:
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
