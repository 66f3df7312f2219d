"""Write the modules of `graphpalace.client.asynchronous` whose methods are declared in `graphpalace.offers`."""

from __future__ import annotations

import sys
import types
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum
from textwrap import fill, indent
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from graphpalace.domain.field import DATE, TIME, WHOLE_DAY
from graphpalace.offers.every import CLIENTS
from graphpalace.offers.offer import Group, Offer, Parameter, parameters

_NOTE = "# Written by `make client` from graphpalace/offers/{module}.py; change that file.\n"
_OF_A_PART = '''def __init__(self, link: AsyncLink) -> None:
    """Use the link of a palace."""
    self._link = link'''
_STOP = (
    "To stop it, cancel the call or leave it with Ctrl-C: what is already done is kept, and the same call does the"
    " rest."
)
_KEY = (
    "key: 1 to 200 visible ASCII characters, such as a UUID: the same call with the same key is done once, and answered"
    " again; default: a new one for each call."
)
_WIDTH = 120
_FEW = 6  # choices that are written out; more of them have a name


class _Types:
    """Writes types as source, and remembers what must be imported for them."""

    def __init__(self, requests: Iterable[type]) -> None:
        self.imports: dict[str, set[str]] = {}
        self._modules = [vars(sys.modules[one.__module__]) for one in requests]

    def text(self, hint: Any, *, given: bool = False) -> str:
        """Return a type as source.

        Args:
            given: Whether it is that of an argument, for which a choice may also be given as a text.
        """
        hint = get_args(hint)[0] if get_origin(hint) is Annotated else hint
        origin, args = get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):
            return " | ".join(dict.fromkeys(self.text(one, given=given) for one in args))
        if origin is Literal and len(args) > _FEW:
            name = next(name for module in self._modules for name, one in module.items() if one == hint)
            return self.name(next(module["__name__"] for module in self._modules if name in module), name)
        if origin is Literal:
            return f"{self.name('typing', 'Literal')}[{', '.join(map(repr, args))}]"
        if origin is not None:
            inner = ", ".join("..." if one is ... else self.text(one, given=given) for one in args)
            return f"{self.name(origin.__module__, origin.__name__)}[{inner}]"
        if hint is types.NoneType:
            return "None"
        name = self.name(hint.__module__, getattr(hint, "__name__", "Any"))
        if given and is_dataclass(hint):
            name += f" | {self.name('collections.abc', 'Mapping')}[str, {self.name('typing', 'Any')}]"
        return f"{name} | str" if given and isinstance(hint, type) and issubclass(hint, Enum) else name

    def argument(self, one: Parameter) -> str:
        """Return the type of an argument as source."""
        text = self.text(one.type, given=True)
        of_a_date = "str" if TIME in one.marks else "datetime" if one.marks & {DATE, WHOLE_DAY} else None
        return text.replace(of_a_date, f"{of_a_date} | {self.name('datetime', 'date')}", 1) if of_a_date else text

    def name(self, module: str, name: str) -> str:
        """Return a name after noting that it is to be imported."""
        if module != "builtins":
            self.imports.setdefault(module, set()).add(name)
        return name


def written() -> Mapping[str, str]:
    """Return the text of each module by its name, without a formatter's care."""
    return {f"{name}.py": _module(group) for name, group in CLIENTS.items()}


def _module(group: Group) -> str:
    module, constants = _declarations(group)
    kinds = _Types(offer.request for offer in group.offers)
    methods = [_method(offer, kinds, module, constants[offer.name]) for offer in group.offers]
    heavy = {name: found for name, found in kinds.imports.items() if name.startswith("graphpalace.")}
    light = {name: found for name, found in kinds.imports.items() if name not in heavy}
    is_keyed = any(offer.keyed for offer in group.offers)
    head = [
        _NOTE.format(module=module.rpartition(".")[2]) + f'"""{group.does}"""',
        "from __future__ import annotations",
        "\n".join(
            [
                *_imports(light),
                *(["from typing import TYPE_CHECKING"] if heavy else []),
                "from graphpalace.client.asynchronous.link import AsyncLink",
                *(["from graphpalace.client.wire import keyed"] if is_keyed else []),
            ]
        ),
        *(["if TYPE_CHECKING:\n" + indent("\n".join(_imports(heavy)), "    ")] if heavy else []),
        f"class Async{group.name}:\n" + indent(_docstring([group.does, group.more], []), "    "),
    ]
    part = group.offers[0].part
    body = [_OF_A_PART if part else "_link: AsyncLink", *methods]
    return "\n\n".join([*head, *(indent(one, "    ") for one in body)]) + "\n"


def _declarations(group: Group) -> tuple[str, Mapping[str, str]]:
    """Return the module that declares a group, and the name that each of its offers has there."""
    from graphpalace import offers

    for module in vars(offers).values():
        if isinstance(module, types.ModuleType) and group in vars(module).values():
            return module.__name__, {one.name: name for name, one in vars(module).items() if isinstance(one, Offer)}
    raise LookupError(group.name)


def _imports(modules: Mapping[str, Collection[str]]) -> Iterator[str]:
    for module, names in sorted(modules.items()):
        yield f"from {module} import {', '.join(sorted(names))}"


def _method(offer: Offer[Any, Any], kinds: _Types, module: str, constant: str) -> str:
    fields = parameters(offer.request)
    given = [_argument(one, kinds) for one in fields if one.name in offer.positional]
    named = [_argument(one, kinds) for one in fields if one.name not in offer.positional]
    answer = kinds.text(get_type_hints(offer.answer)[offer.gives] if offer.gives else offer.answer)
    if offer.lines:
        callback = kinds.name("collections.abc", "Callable")
        named.append(f"progress: {callback}[[{answer}], object] | None = None")
    if offer.keyed:
        named.append("key: str | None = None")
    signature = ", ".join(["self", *given, *(["*"] if named else []), *named])
    sent = [f"{one.name}={one.name}" for one in fields]
    taken = ", ".join([constant, *(["progress"] if offer.lines else []), *sent])
    call = f"follow({taken})" if offer.lines else f"call({taken})"
    paragraphs = [offer.does, *([_STOP] if offer.lines else []), *([offer.more] if offer.more else [])]
    told = [f"{one.name}: {_sentence(one.description)}" for one in fields if one.description]
    told += [_KEY] if offer.keyed else []
    told += ["progress: Called now and then with what was done so far."] if offer.lines else []
    failing = [f"{error.__name__}: If {when}." for error, when in offer.raises.items()]
    sections = [*([("Args", told)] if told else []), *([("Raises", failing)] if failing else [])]
    return (
        f"async def {offer.name.rpartition('.')[2]}({signature}) -> {answer}:\n"
        + indent(_docstring(paragraphs, sections), "    ")
        + indent(f"\nfrom {module} import {constant}\n\n{_given_back(offer, call)}", "    ")
    )


def _given_back(offer: Offer[Any, Any], call: str) -> str:
    if offer.answer is types.NoneType:
        return f"await self._link.{call}"
    if offer.keyed:
        return f"with keyed(key):\n    return await self._link.{call}"
    return f"return (await self._link.{call}).{offer.gives}" if offer.gives else f"return await self._link.{call}"


def _argument(one: Parameter, kinds: _Types) -> str:
    kind = kinds.argument(one)
    if one.required:
        return f"{one.name}: {kind}"
    default = () if one.default in ([], ()) else one.default.value if isinstance(one.default, Enum) else one.default
    return f"{one.name}: {kind} = {default!r}"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _docstring(paragraphs: Sequence[str], sections: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Return a docstring in Google's style; the first line is the first sentence of the first paragraph."""
    first, _, rest = paragraphs[0].partition(". ")
    told = [f"{first}." if rest else first, *([rest] if rest else []), *(one for one in paragraphs[1:] if one)]
    wide = _WIDTH - 8
    lines = [fill(one, wide) for one in told]
    told: list[str] = []
    for title, entries in sections:
        told += [
            f"{title}:",
            *(fill(one, wide, initial_indent="    ", subsequent_indent="        ") for one in entries),
        ]
    text = "\n\n".join([*lines, *(["\n".join(told)] if told else [])])
    return f'"""{text}"""' if "\n" not in text else f'"""{text}\n"""'
