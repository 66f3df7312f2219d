"""A JSON text is changed in one place and stays as it is in all others."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.agent_hosts.json_text import BrokenText, append, insert, parsed, remove

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
_OBJECTS = st.dictionaries(st.text(max_size=5), _VALUES, max_size=4)


@given(_OBJECTS, st.sampled_from([None, 1, 2, 4, "\t"]), st.booleans())
def test_what_is_inserted_and_removed_again_leaves_the_text_as_it_was(
    value: dict[str, Any], indent: int | str | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert parsed(text).value == value
    path = ["our servers", "ours"]
    changed = append(insert(text, path, {"command": "x", "args": []}), ["our hooks", "stop"], {"a": [1]})
    assert json.loads(changed) == value | {
        "our servers": {"ours": {"command": "x", "args": []}},
        "our hooks": {"stop": [{"a": [1]}]},
    }
    assert remove(remove(changed, ["our hooks", "stop", 0]), path) == text
    assert remove(text, path) == text


def test_comments_and_forms_stay() -> None:
    text = '// all\r\n{\r\n\t"a": 1, // one\r\n\t"hooks": { "stop": [ 1 ] } /* two */\r\n}\r\n'
    changed = append(insert(text, ["a"], {"b": 2}), ["hooks", "stop"], 3)
    assert changed == (
        '// all\r\n{\r\n\t"a": {\r\n\t\t"b": 2\r\n\t}, // one\r\n\t"hooks": { "stop": [ 1, 3 ] } /* two */\r\n}\r\n'
    )


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("", 1, "expected a JSON object, found nothing"),
        ('{\n"a" 1}', 2, "expected a colon, found '1}'"),
        ('{\n"a": 1\n"b": 2}', 3, "expected a comma or }, found '\"b\": 2}'"),
        ('{"a": [1,\n]}', 2, "expected a value, found ']}'"),
        ('{"a": tru}', 1, "expected a value, found 'tru}'"),
        ("{}\n{}", 2, "expected the end, found '{}'"),
        ('{"a": "b', 1, "expected a text that ends on its line"),
        ("[" * 100_000, 1, "it is nested too deeply"),
    ],
)
def test_a_broken_text_is_named_with_line_and_what_is_right(text: str, line: int, expected: str) -> None:
    with pytest.raises(BrokenText) as raised:
        parsed(text)
    assert (raised.value.line, raised.value.expected[: len(expected)]) == (line, expected)


@pytest.mark.parametrize("call", [lambda text: insert(text, ["a", "b"], 1), lambda text: append(text, ["a"], 1)])
def test_something_else_in_the_place_is_refused(call: Any) -> None:
    with pytest.raises(BrokenText, match="expected an"):
        call('{"a": "text"}')
