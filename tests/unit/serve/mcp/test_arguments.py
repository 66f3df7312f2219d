"""Every argument of every tool refuses what it is not for, in words that name it, before anything is done."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastmcp import Client, FastMCP

from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.client.transports.local import transport_over
from graphpalace.errors import GraphPalaceError
from graphpalace.serve.mcp import server
from graphpalace.settings.load import Settings
from graphpalace.settings.sections.service import McpSettings

# By the type of an argument: what is of another type, and what a model writes by mistake.
WRONG: dict[str, list[Any]] = {
    "string": [0, {}],
    "boolean": ["true", {}],
    "integer": ["5", 1.5],
    "number": ["0.5", True],
    "array": ["a", {"0": "a"}],
    "object": ["a", [1]],
}
FOREIGN = ("valid ", "Input should", "Value error", "validation error", "pydantic", "unexpected error")


class _Operations:
    settings = Settings()

    def __getattr__(self, name: str) -> Any:
        raise GraphPalaceError(f"reached {name}")  # the request was found right, and would be carried out now


@pytest.fixture(scope="module")
def every_tool() -> FastMCP:
    return server.make_server(Settings(mcp=McpSettings(profile="all")), _Operations)  # pyright: ignore[reportArgumentType]


@pytest.fixture
async def client(every_tool: FastMCP) -> AsyncIterator[Client[Any]]:
    async with Client(every_tool) as connected:
        yield connected


def _right(schema: dict[str, Any]) -> Any:
    """Return a value that an argument takes."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type") or schema["anyOf"][0]["type"]
    if kind == "array":
        return [_right(schema["items"])]
    if kind == "object":
        named = schema.get("properties", {})
        return {name: _right(named[name]) for name in schema.get("required", ())}
    return {"string": "a", "integer": schema.get("minimum", 1), "number": 0.5, "boolean": True}[kind]


def _kinds(schema: dict[str, Any]) -> set[str]:
    return {one["type"] for one in (schema, *schema.get("anyOf", ())) if "type" in one}


def _limits(schema: dict[str, Any]) -> list[Any]:
    """Return numbers that are just outside of the limits of an argument, and lists and texts that are."""
    plain = [schema, *schema.get("anyOf", ())]
    outside = {"minimum": -1, "maximum": 1, "exclusiveMinimum": 0, "exclusiveMaximum": 0}
    numbers = [one[name] + step for name, step in outside.items() for one in plain if name in one]
    lists = [[] for one in plain if one.get("minItems", 0) > 0]
    return [*numbers, *lists, *("a" * (one["maxLength"] + 1) for one in plain if "maxLength" in one)]


def _resolved(schema: Any, named: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_resolved(one, named) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _resolved(named[schema["$ref"].removeprefix("#/$defs/")], named)
    return {name: _resolved(part, named) for name, part in schema.items() if name != "$defs"}


async def test_every_argument_refuses_values_of_other_types_and_beyond_its_limits(client: Client[Any]) -> None:
    tools, tried = await client.list_tools(), 0
    for tool in tools:
        schema = _resolved(tool.input_schema, tool.input_schema.get("$defs", {}))
        named = schema.get("properties", {})
        right = {name: _right(named[name]) for name in schema.get("required", ())}
        for name, declared in named.items():
            kinds = _kinds(declared)
            taken = [value for kind in kinds for value in WRONG.get(kind, ())]
            refused = [value for value in taken if not any(_is(value, kind) for kind in kinds)]
            for value in [*refused, *_limits(declared)]:
                ran = await client.call_tool(tool.name, right | {name: value}, raise_on_error=False)
                said = (ran.structured_content or {}).get("error", "it was done")
                told = f"{tool.name} with {name} = {str(value)[:60]}: {said}"
                assert ran.is_error, told
                assert said.startswith(f"{name}"), told
                assert "reached" not in said, told
                assert not any(words in said for words in FOREIGN), told
                tried += 1
    assert len(tools) > 50
    assert tried > 500


def _is(value: Any, kind: str) -> bool:
    types: dict[str, Any] = {"string": str, "boolean": bool, "integer": int, "number": (int, float), "array": list}
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, types.get(kind, dict))


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("open_drawer", {"drawer": ""}, "drawer is ''; give an id or a name"),
        ("open_drawer", {"drawer": "..", "run": "search-1"}, "drawer is '..'; give an id or a name"),
        ("update_drawer", {"drawer": "", "text": "new"}, "drawer is ''; give an id or a name"),
        ("delete_drawer", {"drawer": ""}, "drawer is ''; give an id or a name"),
        ("show_name", {"name": ""}, "name is ''; give an id or a name"),
        ("diary_read", {"agent": ""}, "agent is ''; give an id or a name"),
        ("diary_write", {"agent": "", "text": "x"}, "agent is ''; give an id or a name"),
        ("get_provenance", {"run_id": ""}, "run_id is ''; give an id or a name"),
        ("forget", {"wing": "a", "dry_run": {}}, "dry_run is {}; it must be true or false"),
        ("check_duplicate", {"text": "a", "threshold": -1}, "threshold is -1; it must be 0 to 1"),
        ("rerank", {"query": "a", "mmr_lambda": 1.5}, "mmr_lambda is 1.5; it must be 0 to 1"),
        ("search", {"query": "a", "top_k": 201}, "top_k is 201; it must be 1 to 200"),
        ("search", {"query": "a", "since": 5}, "since is 5; it must be a date or time as text"),
        ("peek_snippets", {"run_id": "a", "offset": []}, "offset is []; it must be a whole number or text"),
        ("run_multilane_search", {"lanes": [{"lane": "smell"}]}, "lanes.0.lane is 'smell'; it must be 'fulltext', "),
        ("rrf_blend_frontier", {"request": {"runs": []}}, "request.runs is []; it must have at least 1 item"),
    ],
)
async def test_what_is_wrong_is_said_in_our_words(
    client: Client[Any], tool: str, arguments: dict[str, Any], reason: str
) -> None:
    ran = await client.call_tool(tool, arguments, raise_on_error=False)
    assert ran.structured_content is not None
    assert ran.structured_content["error"].startswith(reason), ran.structured_content


async def test_a_call_without_a_name_never_reaches_another_route() -> None:
    palace = AsyncPalace(transport_over(Settings(), _Operations), "main")  # pyright: ignore[reportArgumentType]
    for call in (palace.get(""), palace.delete(""), palace.history(""), palace.names.page(""), palace.drop_wing("..")):
        with pytest.raises(GraphPalaceError, match="give an id or a name"):
            await call
