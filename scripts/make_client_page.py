"""Write docs/reference/python.md from the methods of `AsyncPalace`: what each does, and which route it calls."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from graphpalace.client.asynchronous.access import AsyncKeys
from graphpalace.client.asynchronous.conversations import AsyncConversations
from graphpalace.client.asynchronous.names import AsyncNames
from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.client.asynchronous.runs import AsyncRuns
from graphpalace.client.asynchronous.simulation import AsyncJobs, AsyncSimulations
from graphpalace.client.asynchronous.transfer import AsyncPalaces

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "python.md"
_HEAD = """# Python

<!-- Written by `make client` from src/graphpalace/client/asynchronous; change the docstrings there. -->

`Palace` and `AsyncPalace` have the same methods with the same arguments, answers and errors; those of `AsyncPalace` are
awaited. `open` does the work in this process, `connect` asks a service.

```python
from graphpalace import Palace

with Palace.connect() as palace:
    palace.add("The door code is 4711.", wing="home", room="keys")
    answer = palace.search("how do I get in?")
    palace.useful(answer.run, answer.hits[0].id)
```

Each method calls a route of the service, and takes everything that the route takes. `help(Palace.search)` shows the
arguments of a method with their ranges, and its errors. [HTTP routes](http.md) describes the routes, and the answers
under the same names: `answer.hits[0].text`.
"""
SECTIONS = (
    ("The palace", "palace", AsyncPalace),
    ("Palaces of the database", "palace.palaces", AsyncPalaces),
    ("Conversations", "palace.conversations", AsyncConversations),
    ("Runs", "palace.runs", AsyncRuns),
    ("Names", "palace.names", AsyncNames),
    ("Simulations", "palace.simulations", AsyncSimulations),
    ("Background jobs", "palace.jobs", AsyncJobs),
    ("Keys for others", "palace.keys", AsyncKeys),
)
_METHODS = {
    "get": "GET",
    "post": "POST",
    "patch": "PATCH",
    "remove": "DELETE",
    "send_plain": "POST",
    "stream": "POST",
}
_CALL = re.compile(r"_link\.(get|post|patch|remove|send_plain|stream)\(")
_DECLARED = re.compile(r"from (graphpalace\.offers\.\w+) import (\w+)\n")
_ROUTE = re.compile(r'f?"(/v1/[^"]+)"')


def page() -> str:
    """Return the text of the page."""
    return _HEAD + "".join(_section(title, name, kind) for title, name, kind in SECTIONS)


def routes(method: Callable[..., object]) -> list[str]:
    """Return the routes that the source of a method names, for example `GET /v1/wings`."""
    source = inspect.getsource(method)
    if declared := _DECLARED.search(source):
        offer = getattr(import_module(declared[1]), declared[2])
        return [f"{offer.method} {offer.path.replace(':path', '')}"]
    return [f"{verb} {route}" for verb, route in _named(source)]


def _named(source: str) -> Iterator[tuple[str, str]]:
    for found in _ROUTE.finditer(source):
        before = [*_CALL.finditer(source, 0, found.start())]
        call = before[-1] if before else _CALL.search(source, found.end())  # a path may stand before its call
        assert call is not None
        yield _METHODS[call[1]], re.sub(r"\{wire\.segment\('\w+', (\w+)\)\}", r"{\1}", found[1])


def _section(title: str, name: str, kind: type) -> str:
    methods = {one: found for one, found in inspect.getmembers(kind, callable) if not one.startswith("_")}
    rows = [_row(f"{name}.{one}", found) for one, found in methods.items()]
    return "\n".join([f"\n## {title}\n", "| method | does | route |", "|---|---|---|", *rows, ""])


def _row(name: str, method: Callable[..., object]) -> str:
    summary = (inspect.getdoc(method) or "").partition("\n\n")[0].replace("\n", " ")
    called = ", ".join(f"`{route}`" for route in routes(method))
    return f"| `{name}` | {summary} | {called} |"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
