"""Times of an export reach Neo4j with an offset, never with the name of a zone."""

from __future__ import annotations

from datetime import timedelta, timezone

import pytest

from graphpalace.domain.transfer.kinds import NODES
from graphpalace.store.transfer.reading import from_json, to_json


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("2026-05-31T12:00:00Z", 0),
        ("2026-05-31T12:00:00.000000000+00:00", 0),
        ("2026-05-31T12:00:00Z[UTC]", 0),
        ("2026-05-31T12:00:00.5+02:00[Europe/Berlin]", 2),
        ("2026-05-31T12:00-09:30", -9.5),
        ("2026-05-31T12:00:00-03:00[America/Argentina/Buenos_Aires]", -3),
    ],
)
def test_a_time_of_an_export_keeps_its_offset_and_has_no_named_zone(text: str, hours: float) -> None:
    kind = NODES["wings"]
    found = from_json(kind, {"created_at": text}, palace="main")["created_at"]
    assert found.tzinfo == timezone(timedelta(hours=hours))
    assert (found.day, found.hour, found.minute) == (31, 12, 0)
    again = to_json(kind, {"created_at": found}, leave_out=frozenset())["created_at"]
    assert "[" not in again
    assert from_json(kind, {"created_at": again}, palace="main")["created_at"] == found
