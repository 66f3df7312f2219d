"""Whatever arguments a model gives to a tool, it answers, or says what is wrong. `make fuzz` tries many more.

What the schema of a tool forbids is refused. What it allows may be refused too, because schemas are short: they leave
out the lengths of texts, and how arguments depend on each other.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import Any

import hypothesis.strategies as st
import pytest
from fastmcp import Client
from hypothesis import HealthCheck, Phase, settings
from jsonschema import Draft202012Validator

from graphpalace.app import GraphPalace
from tests.mcp_calls import server_of

CASES = int(os.environ.get("GRAPHPALACE_FUZZ_CASES", "0"))
_TEXTS = st.sampled_from(
    ("", " ", "\0", "a\nb", "\u202e", "\U000e0041", "</x>", "&lt;", "x" * 5000, "2026-05-31",
     "0001-01-01T00:00:00+14:00",
     "9999-12-31", "NaN", "../../etc/passwd", "file:///etc/passwd", "* OR name:*", "((((", '"', "\\", "$given", "core")
) | st.text(max_size=12)  # fmt: skip
_NUMBERS = st.sampled_from((0, -1, 1, 2**31, 2**63, -(2**70), 0.5, 1e308, -0.0))
_PLAIN = {
    "string": _TEXTS,
    "integer": _NUMBERS | st.integers(0, 20),
    "number": _NUMBERS | st.floats(0, 1),
    "boolean": st.booleans(),
    "null": st.none(),
}
_ANY = st.recursive(
    st.one_of(*_PLAIN.values()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def _values(schema: Mapping[str, Any], whole: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Return values that have the type of a schema; some of them break its limits."""
    if "$ref" in schema:
        return _values(whole["$defs"][schema["$ref"].rpartition("/")[2]], whole)
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return st.one_of([_values(one, whole) for one in choices])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return st.lists(_values(schema.get("items", {}), whole), max_size=3)
    if kind == "object" and schema.get("properties"):
        required = set(schema.get("required", ()))
        fields = {name: _values(one, whole) for name, one in schema["properties"].items()}
        return st.fixed_dictionaries(
            {name: one for name, one in fields.items() if name in required},
            optional={name: one for name, one in fields.items() if name not in required},
        )
    return _PLAIN.get(kind, _ANY) if isinstance(kind, str) else _ANY


def _arguments(schema: Mapping[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return arguments as the schema of a tool describes them, and with one that is of any other type."""
    as_described = _values({**schema, "type": "object"}, schema)
    names = sorted(schema.get("properties", {}))
    other = st.tuples(as_described, st.sampled_from([*names, "nobody_has_this"]), _ANY)
    return as_described | other.map(lambda three: {**three[0], three[1]: three[2]})


def _without_null(value: Any) -> Any:
    """Return arguments without those that are null, which are as if they were left out."""
    if isinstance(value, list):
        return [_without_null(one) for one in value]
    if isinstance(value, dict):
        return {name: _without_null(one) for name, one in value.items() if one is not None}
    return value


def _cases(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """Return values of a strategy: the calls are asynchronous, and hypothesis runs functions that are not."""
    from hypothesis import given

    made: list[Any] = []

    @settings(
        max_examples=count,
        derandomize=not CASES,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: Any) -> None:
        made.append(value)

    collect()
    return made


@pytest.mark.timeout(1800 if CASES else 300)
async def test_a_tool_answers_whatever_its_arguments_are(
    app: GraphPalace, palace: str, subtests: pytest.Subtests
) -> None:
    async with Client(server_of(app)) as client:
        tools = await client.list_tools()
        assert len(tools) > 40
        for tool in tools:
            with subtests.test(tool.name):
                for given in _cases(_arguments(tool.input_schema), max(4, CASES // len(tools))):
                    # Palaces of other names do not exist, so that nothing else is written to.
                    arguments = given | ({"palace": palace} if "palace" in tool.input_schema["properties"] else {})
                    answer = await asyncio.wait_for(client.call_tool(tool.name, arguments, raise_on_error=False), 60)
                    said = str(answer.structured_content or answer.content)
                    assert "unexpected error" not in said, arguments
                    assert not answer.is_error or set(answer.structured_content or {}) == {"error"}, arguments
                    allowed = Draft202012Validator(tool.input_schema).is_valid(_without_null(arguments))
                    assert answer.is_error or allowed, arguments
