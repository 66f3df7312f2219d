"""The declaration of an operation: what it takes, what it answers, who may call it, and where it is shown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from types import UnionType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from graphpalace.domain.access.caller import Role
from graphpalace.domain.field import TIME, said_by
from graphpalace.domain.moments import FACT_TIMES
from graphpalace.errors import GraphPalaceError

Q = TypeVar("Q")
A = TypeVar("A")
_BRACES = re.compile(r"\{(\w+)")


@dataclass(frozen=True, slots=True)
class Tool:
    """How a client of MCP sees an operation.

    Attributes:
        does: What a model reads: when to use the tool, and what it does.
        profiles: Names of the profiles that show it.
        repeatable: Whether a second call with the same arguments changes nothing more.
        destroys: Whether it removes or overwrites something.
        defaults: Defaults that differ from those of the other doors, because an answer takes a model's context.
        limits: Limits that only the tool has, by pydantic's names: other doors put such a value right.
        without: Fields of the request that the tool does not have.
        shown: The answer is a list, of which the tool shows as many entries as its argument `limit` says; this is its
            default.
        most_shown: Largest value of that argument.
    """

    name: str
    does: str
    profiles: tuple[str, ...]
    repeatable: bool = False
    destroys: bool = False
    defaults: Mapping[str, Any] = field(default_factory=dict[str, Any])
    limits: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    without: frozenset[str] = frozenset()
    shown: int | None = None
    most_shown: int = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Offer(Generic[Q, A]):
    """An operation, mostly on a palace. HTTP, MCP, the clients and the command line are made from it.

    Attributes:
        name: What a client calls, such as `add_fact`, or `names.list` for the part `names` of a palace.
        route: Method and path, such as `GET /v1/names/{name:path}`. Fields of the request fill the braces.
        request: A dataclass. Its fields carry types, defaults, limits and descriptions.
        answer: The type of the answer.
        does: One paragraph, whose first sentence every reference shows.
        role: What the holder of a key needs in the whole palace; None if `serve/http/access/rules.py` says it.
        only_reads: It changes nothing, although it is no GET, and no role says so.
        of_palace: Whether the caller says which palace it is about; if not, it is about the database, or a field of
            the request names the palace.
        more: Further paragraphs for people who program.
        raises: When which error is raised.
        example: A request, for the OpenAPI document.
        positional: The fields that the client's method takes without their names.
        called: Names of fields that HTTP calls otherwise.
        in_query: Fields that are sent in the address, although a body has the others.
        lines: The operation takes long and answers in lines of JSON; each has what was done so far, an `answer`, under
            this name.
        tool: How MCP shows it; None: it does not.
        status: Of HTTP, if it succeeds.
        keyed: A client's method takes a key, under which the same call is done once.
        gives: The field of the answer that a client's method returns; None: the whole answer.
    """

    name: str
    route: str
    request: type[Q]
    answer: type[A]
    does: str
    role: Role | None = None
    only_reads: bool = False
    of_palace: bool = True
    more: str = ""
    raises: Mapping[type[GraphPalaceError], str] = field(default_factory=dict[type[GraphPalaceError], str])
    example: Mapping[str, Any] | None = None
    positional: tuple[str, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict[str, str])
    in_query: tuple[str, ...] = ()
    lines: str | None = None
    tool: Tool | None = None
    status: int = 200
    gives: str | None = None
    keyed: bool = False

    @property
    def method(self) -> str:
        """The method of HTTP."""
        return self.route.partition(" ")[0]

    @property
    def part(self) -> str:
        """The part of a palace whose client has it, such as `names`; empty if a palace has it itself."""
        return self.name.rpartition(".")[0]

    @property
    def path(self) -> str:
        """The path of the route."""
        return self.route.partition(" ")[2]

    @property
    def in_path(self) -> frozenset[str]:
        """The names in the braces of the path."""
        return frozenset(_BRACES.findall(self.path))

    def spelled(self, field: str) -> str:
        """Return what HTTP calls a field of the request."""
        return self.called.get(field, field)

    @property
    def has_body(self) -> bool:
        """Whether the request is sent as a body, and not in the address."""
        return self.method in ("POST", "PATCH")

    @property
    def writes(self) -> bool:
        """Whether it changes the palace, as far as its role says; without a role, whether it is more than a GET."""
        if self.role is not None:
            return self.role is not Role.READ
        return self.method != "GET" and not self.only_reads


@dataclass(frozen=True, slots=True)
class Group:
    """Operations that the clients have in one class.

    Attributes:
        name: Of the synchronous class; the asynchronous one has `Async` before it.
        does: Its docstring.
        offers: Its methods, in their order.
        more: Further paragraphs of the docstring.
    """

    name: str
    does: str
    offers: Sequence[Offer[Any, Any]]
    more: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A field of a request, as a door takes it.

    Attributes:
        type: Its type, without what is said of it.
        default: MISSING if it is required.
        said: Its description, examples and limits, by pydantic's names.
        marks: What else is known of it, by the marks of `domain.field`.
    """

    name: str
    type: Any
    default: Any
    said: Mapping[str, Any]
    marks: frozenset[str]

    @property
    def required(self) -> bool:
        """Whether a request must have it."""
        return self.default is MISSING

    @property
    def choices(self) -> Sequence[str]:
        """The texts of which it is one; empty if it is no such choice."""
        kind = _or_none(self.type) or self.type
        return get_args(kind) if get_origin(kind) is Literal else ()

    @property
    def description(self) -> str:
        """What it means, with its limits, such as *largest number of facts, 1 to 1000*, choices, or how to write it."""
        low, high = self.said.get("ge"), self.said.get("le")
        limits = f"{low:.15g} to {high:.15g}" if low is not None and high is not None else ""
        if "gt" in self.said and high is not None:
            limits = f"above {self.said['gt']:g} and at most {high:.15g}"
        about = ", ".join(part for part in (self.said.get("description", ""), limits) if part)
        meaning, default, value = about.partition("; default: ")
        if self.choices:
            meaning += f"{': ' if meaning else ''}{', '.join(self.choices[:-1])} or {self.choices[-1]}"
        if TIME in self.marks:
            meaning += f" ({FACT_TIMES})"
        return f"{meaning}{default}{value}"


@cache
def parameters(request: type) -> tuple[Parameter, ...]:
    """Return the fields of a request, in their order."""
    hints = get_type_hints(request, include_extras=True)
    return tuple(_parameter(one.name, hints[one.name], _default(one)) for one in fields(request))


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    if get_origin(hint) is Annotated:
        inner = _parameter(name, get_args(hint)[0], default)
        said = {key: value for mark in hint.__metadata__ for key, value in said_by(mark).items()}
        marks = {mark for mark in hint.__metadata__ if isinstance(mark, str)}
        return Parameter(name, inner.type, default, {**inner.said, **said}, inner.marks | marks)
    some = _or_none(hint)
    if get_origin(some) is Annotated:  # what is said of a value that may be missing is said of it
        inner = _parameter(name, some, default)
        return Parameter(name, inner.type | None, default, inner.said, inner.marks)
    return Parameter(name, hint, default, {}, frozenset())


def _or_none(hint: Any) -> Any:
    """Return the other type of a value that may be None; None for all other types."""
    if get_origin(hint) not in (Union, UnionType):
        return None
    others = [one for one in get_args(hint) if one is not type(None)]
    return others[0] if len(others) == 1 and len(get_args(hint)) == 2 else None


def _default(one: Any) -> Any:
    return one.default if one.default_factory is MISSING else one.default_factory()
