"""The calls of the service that the methods of the client make, as far as their text says."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from graphpalace.client import asynchronous
from graphpalace.offers.offer import Offer

_VERBS = {
    "call": "declared",
    "follow": "declared",
    "get": "get",
    "post": "post",
    "patch": "patch",
    "remove": "delete",
    "stream": "post",
    "send_plain": "post",
}


@dataclass(frozen=True)
class Call:
    """One call of the service.

    Attributes:
        route: Method and path, for example `GET /v1/drawers/{}`; each variable part of the path is `{}`. The path is
            `None` if the text does not say it.
        fields: What it sends, by the name of the field: the name of the method's parameter that is sent as it is; None
            for anything else.
    """

    route: str
    fields: Mapping[str, str | None]


@dataclass(frozen=True)
class Method:
    """A public method of a part of the client.

    Attributes:
        unused: Its parameters that its body does not mention.
    """

    name: str
    function: Any
    calls: tuple[Call, ...]
    unused: frozenset[str]


def methods() -> Iterator[Method]:
    """Yield the public methods of all classes of the client for asyncio."""
    for module in pkgutil.iter_modules(asynchronous.__path__):
        found = import_module(f"{asynchronous.__name__}.{module.name}")
        for owner in vars(found).values():
            if inspect.isclass(owner) and owner.__module__ == found.__name__ and owner.__name__ != "AsyncLink":
                for name, function in vars(owner).items():
                    if not name.startswith("_") and inspect.isfunction(inspect.unwrap(_plain(function))):
                        yield _method(f"{owner.__name__.removeprefix('Async')}.{name}", _plain(function))


def _plain(function: Any) -> Any:
    return getattr(function, "__func__", function)


def _method(name: str, function: Any) -> Method:
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(tree, ast.AsyncFunctionDef | ast.FunctionDef)
    nodes = [node for statement in tree.body for node in ast.walk(statement)]
    said = {
        target.id: node.value
        for node in nodes
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    declared = {
        alias.name: getattr(import_module(str(node.module)), alias.name)
        for node in nodes
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("graphpalace.offers.")
        for alias in node.names
    }
    made = [node for node in nodes if isinstance(node, ast.Call) and _verb(node)]
    written = [_call(node, said) for node in made if _verb(node) != "declared"]
    offered = [_declared(node, declared) for node in made if _verb(node) == "declared" and declared]
    calls = (*written, *offered)
    mentioned = {node.id for node in nodes if isinstance(node, ast.Name)}
    given = {one.name for one in inspect.signature(function).parameters.values()} - {"self", "cls"}
    return Method(name, function, calls, frozenset(given - mentioned))


def _verb(call: ast.Call) -> str | None:
    function = call.func
    is_link = (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Attribute)
        and function.value.attr == "_link"
    )
    return _VERBS.get(function.attr) if is_link and isinstance(function, ast.Attribute) else None


def _declared(call: ast.Call, declared: Mapping[str, Offer[Any, Any]]) -> Call:
    """Return the call of a method that is written from its declaration."""
    offer = declared[str(_name(call.args[0]))]
    given = {offer.spelled(str(keyword.arg)): _name(keyword.value) for keyword in call.keywords}
    fields = {field: argument for field, argument in given.items() if field not in offer.in_path}
    return Call(f"{offer.method} {re.sub(r'{[^}]*}', '{}', offer.path)}", fields)


def _call(call: ast.Call, said: Mapping[str, ast.expr]) -> Call:
    plain = isinstance(call.func, ast.Attribute) and call.func.attr == "send_plain"  # its last argument is the body
    path = _template(call.args[-2 if plain else -1], said) if call.args else None
    fields = _entries(call.args[-1], said) if plain else {}
    for keyword in call.keywords:
        fields |= _entries(keyword.value, said) if keyword.arg is None else {keyword.arg: _name(keyword.value)}
    return Call(f"{(_verb(call) or '').upper()} {path}", fields)


def _entries(body: ast.expr, said: Mapping[str, ast.expr]) -> dict[str, str | None]:
    if isinstance(body, ast.Name) and body.id in said:
        return _entries(said[body.id], said)
    if not isinstance(body, ast.Dict):
        return {}
    entries = zip(body.keys, body.values, strict=True)
    return {str(key.value): _name(value) for key, value in entries if isinstance(key, ast.Constant)}


def _template(path: ast.expr, said: Mapping[str, ast.expr]) -> str | None:
    if isinstance(path, ast.Name) and path.id in said:
        return _template(said[path.id], said)
    if isinstance(path, ast.Constant) and isinstance(path.value, str):
        return path.value
    if isinstance(path, ast.JoinedStr):
        return "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in path.values)
    return None


def _name(value: ast.expr) -> str | None:
    return value.id if isinstance(value, ast.Name) else None
