"""An export has everything that the graph has: docs/reference/graph.md is compared with the queries by another test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.architecture.test_graph_reference import LISTED

from graphpalace.domain.transfer.kinds import KINDS, LEFT_OUT, NODES, NodeKind
from graphpalace.domain.transfer.properties import CYCLES, VECTORS, WORDS

_TRAIL = {"palace"}  # an export is of one palace
_PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "export-format.md").read_text("utf-8")


def _name(kind: object) -> str:
    return kind.label if isinstance(kind, NodeKind) else kind.type  # pyright: ignore[reportAttributeAccessIssue]


def test_every_label_and_relationship_type_of_the_graph_is_in_an_export_or_has_a_reason_not_to() -> None:
    assert {_name(kind) for kind in KINDS.values()} | LEFT_OUT.keys() == LISTED.keys()


@pytest.mark.parametrize("file", KINDS)
def test_every_property_of_the_graph_is_in_an_export_and_no_other(file: str) -> None:
    kind = KINDS[file]
    listed = LISTED[_name(kind)] - _TRAIL
    if _name(kind) == "MergedEntity":
        listed = LISTED["Entity"] - _TRAIL  # the page says so in words
    if _name(kind) == "MENTIONED":
        listed = LISTED["REFERENCES"]
    assert kind.properties.keys() == listed


def test_what_an_export_says_of_properties_are_properties() -> None:
    known = {name for kind in KINDS.values() for name in kind.properties}
    assert known >= VECTORS | CYCLES | WORDS
    for kind in KINDS.values():
        assert set(kind.content) <= kind.properties.keys()
    for kind in NODES.values():
        assert kind.key in kind.properties
        assert kind.indexed in kind.properties.keys() | {"palace"}


def test_the_page_of_the_format_lists_every_file() -> None:
    assert re.findall(r"^\| `(\w+)\.jsonl` \|", _PAGE, re.MULTILINE) == list(KINDS)
