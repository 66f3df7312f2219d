"""Answers are read by the types of `domain`, as pydantic reads them, and without it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from pydantic import TypeAdapter

from graphpalace.client.wire import value_from
from graphpalace.domain.drawers.drawer import DrawerPage
from graphpalace.domain.knowledge.entity import Entity, EntityType
from graphpalace.domain.knowledge.names import NameList
from graphpalace.domain.palaces.palaces import Palace
from graphpalace.domain.search.answer import Answer
from graphpalace.errors import GraphPalaceError
from graphpalace.serve.render import as_json, plain

ANSWER = {
    "query": "key", "palace": "main", "run": "search-1", "count": 1, "facts": [], "left_out": {"path": "too slow"},
    "plan": {"lanes": ["fulltext"], "weights": {"fulltext": 2}, "fusion": "evidence", "time": None, "later": 1},
    "timings_ms": {"total": 3}, "confidence": 1,
    "hits": [{
        "id": "drawer-1", "text": "ünder the pot", "score": 1, "wing": "w", "room": "r", "closet": "c",
        "lanes": {"fulltext": {"rank": 1, "score": 2, "share": 1, "evidence": None}},
        "source": {"uri": "notes:r", "start_line": 1, "end_line": 1}, "occurred_at": None,
        "path": [{"kind": "Palace", "id": "main", "name": "main"}], "taught": None,
        "importance": {"value": 1, "change": 0}, "outdated": None, "pointing": None, "timely": None,
        "reranked": None, "trail": [], "news_on": {"drawer": "d", "probability": 1, "change": 0.5},
    }],
}  # fmt: skip
NAMES = {
    "names": [
        {"id": "e", "name": "Ann", "normalised_name": "ann", "aliases": [], "entity_type": "person",
         "drawer_count": 1, "created_at": "2026-01-01"}
    ],
    "next": None, "due": 0, "may_be_two": [],
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "sent"), [(Answer, ANSWER), (NameList, NAMES), (DrawerPage, {"drawers": [], "next": None})]
)
def test_an_answer_is_read_and_shown_as_pydantic_does_it(kind: type, sent: dict[str, object]) -> None:
    found = value_from(sent, kind)
    assert found == TypeAdapter(kind).validate_json(json.dumps(sent))
    assert json.dumps(plain(found)) == json.dumps(as_json(found))


def test_numbers_kinds_and_tuples_have_the_declared_types() -> None:
    answer = value_from(ANSWER, Answer)
    assert isinstance(answer.hits[0].score, float)
    assert isinstance(answer.timings_ms["total"], float)
    assert answer.plan.lanes == ("fulltext",)
    (name,) = value_from(NAMES, NameList).names
    assert isinstance(name, Entity)
    assert name.entity_type is EntityType.PERSON


@pytest.mark.parametrize("sent", [[{"name": "main"}], 7, [7], {"detail": "x"}])
def test_an_answer_of_another_form_is_an_error_of_ours(sent: object) -> None:
    with pytest.raises(GraphPalaceError, match="not as this version knows it"):
        value_from(sent, list[Palace])


def test_reading_an_answer_does_not_import_pydantic() -> None:
    program = """
import json, sys
from graphpalace.client.wire import value_from
from graphpalace.domain.search.answer import Answer
value_from(json.load(sys.stdin), Answer)
print(*{"pydantic", "numpy", "hashlib"} & sys.modules.keys())
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(ANSWER), capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == ""
