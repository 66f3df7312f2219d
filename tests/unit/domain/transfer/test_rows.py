"""Rows of an export are checked before they reach the database."""

from __future__ import annotations

from typing import Any

import pytest

from graphpalace.domain.transfer.kinds import KINDS
from graphpalace.domain.transfer.rows import check_row
from graphpalace.errors import InvalidInput

WING = {"id": "wing-1", "name": "garden", "created_at": "2026-05-31T12:00:00.000000000+00:00"}
EDGE = {"from": "wing-1", "to": "room-1", "properties": {"base_cost": 0.3}}


@pytest.mark.parametrize(
    ("file", "row"),
    [
        ("wings", WING),
        ("wings", WING | {"created_at": "2026-05-31T12:00:00.123456789+02:00[Europe/Berlin]"}),
        ("has_room", EDGE),
        ("has_room", {"from": "a", "to": "b"}),
        ("drawers", {"id": "d", "wing_id": "w", "room_id": "r", "text": "t", "title_words_german": "t"}),
        ("runs", {"id": "a", "expires_at": "2026-05-31T12:00:00Z", "recipe": "{}", "scores": [1, 0.5]}),
        ("closets", {"id": "a", "wing_id": "w", "published": "2026-05-31", "codes": ["cpc:H04L"]}),
    ],
)
def test_right_rows_pass(file: str, row: Any) -> None:
    check_row(KINDS[file], row, where="line 1")


@pytest.mark.parametrize(
    ("file", "row", "said"),
    [
        ("wings", [], "object of JSON"),
        ("wings", {"id": "wing-1"}, "no 'name'"),
        ("wings", WING | {"rights": "all"}, "'rights'"),
        ("wings", WING | {"name": 5}, "name is 5; it must be a text"),
        ("wings", WING | {"name": "\ud800"}, "a text"),
        ("wings", WING | {"created_at": "yesterday"}, "2026-05-31T12:00:00Z"),
        ("wings", WING | {"created_at": "2026-05-31T12:00:00"}, "zone"),
        ("wings", WING | {"pheromone_cycle": True}, "whole number"),
        ("wings", WING | {"pheromone_cycle": 2**63}, "whole number"),
        ("wings", WING | {"exploitation_pheromone": float("nan")}, "number"),
        ("wings", WING | {"name": "a\nb"}, "on one line"),
        ("wings", WING | {"name": "gar\u200bden"}, "ZERO WIDTH SPACE at 3"),
        ("rooms", {"id": "r", "wing_id": "w", "name": "\u202eevil"}, "RIGHT-TO-LEFT OVERRIDE at 0"),
        ("agents", {"id": "a", "name": "ann\u2066"}, "invisible characters"),
        ("drawers", {"id": "d", "wing_id": "w", "room_id": "r", "text": "t", "wing": "a\x1b[2J"}, "control"),
        ("wings", WING | {"exploitation_pheromone": 1e308}, "0 to 1000000"),
        ("wings", WING | {"exploration_pheromone": -1e-9}, "0 to 1000000"),
        ("wings", WING | {"pheromone_cycle": -(2**60)}, "pheromone_cycle is"),
        ("has_room", {"from": "a", "to": "b", "properties": {"base_cost": -1}}, "base_cost is -1; it must be 0 to"),
        ("similar_to", {"from": "a", "to": "b", "properties": {"similarity": 7}}, "similarity is 7"),
        ("deposits", {"id": "d", "created_at": "2026-05-31T12:00:00Z", "success_laid": [1, 1e300]}, "1e+300"),
        ("drawers", {"id": "d", "wing_id": "w", "room_id": "r", "text": "t", "importance": 1.5}, "0 to 1"),
        ("rooms", {"id": "r", "name": "n", "wing_id": "w", "centroid": "ä"}, "base64"),
        ("drawers", {"id": "d", "wing_id": "w", "room_id": "r"}, "no 'text'"),
        ("drawers", {"id": "d", "wing_id": "w", "room_id": "r", "text": "t", "words_x y": "t"}, "words_x y"),
        ("drawers", {"id": "d", "wing_id": "w", "room_id": "r", "text": "t", "headings": [1]}, "list of texts"),
        ("runs", {"id": "a", "expires_at": "2026-05-31T12:00:00Z", "recipe": "{"}, "contains JSON"),
        ("has_room", EDGE | {"type": "OWNS"}, "'type'"),
        ("has_room", {"from": 1, "to": "b"}, "from is 1"),
        ("has_room", EDGE | {"properties": []}, "properties"),
        ("relates_to", {"from": "a", "to": "b"}, "no 'id'"),
        ("simulation_states", {"simulation": "s", "part": 0}, "no 'data'"),
    ],
)
def test_wrong_rows_are_refused_with_the_place_and_what_would_be_right(file: str, row: Any, said: str) -> None:
    with pytest.raises(InvalidInput, match="line 1") as raised:
        check_row(KINDS[file], row, where="line 1")
    assert said in str(raised.value)
