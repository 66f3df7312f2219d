"""Publications and conditions on them, on a real Neo4j."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from graphpalace.app import GraphPalace
from graphpalace.domain.search.conditions import conditions_of
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.evaluation.dataset import dataset_lines
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.operations.search.lanes.fulltext import FulltextLane
from graphpalace.operations.search.lanes.lane import LaneQuery, SemanticLane
from graphpalace.replica.places import filter_of

LOCKS = [
    # number, codes, family, day, country, assignee
    ("JP2021000001", ["H04L9/32"], "F1", "2021-05-31", "JP", "Owl Works"),
    ("US2022000002", ["H04L9/32", "G06F21/60"], "F1", "2022-06-30", "US", "Owl Works"),
    ("EP2023000003", ["G06F21/60"], "F2", "2023-01-02", "EP", "Lark Ltd"),
    ("JP2023000004", ["E05B47/00"], "F3", "2023-12-31", "JP", "Lark Ltd"),
]


def lock(number: str, codes: list[str], family: str, day: str, country: str, assignee: str) -> dict[str, Any]:
    return {
        "pub_id": number, "app_id": f"A{number}", "exam_id": f"E{number}", "family_id": family, "published": day,
        "country": country, "assignee": assignee, "cpc_codes": codes, "title": f"Lock {number}",
        "abst": f"A lock opens a door, number {number}.",
    }  # fmt: skip


def written(folder: Path, records: Sequence[dict[str, Any]]) -> Path:
    path = folder / "locks.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


@pytest.fixture
async def locks(app: GraphPalace, palace: str, tmp_path: Path) -> str:
    """A palace with four publications in one wing and as many notes in another."""
    await app.ingesting.files([written(tmp_path, [lock(*row) for row in LOCKS])], palace=palace, wing="patents")
    for note in range(4):
        await app.drawers.add(palace, NewDrawer(f"A lock opens a door, note {note}.", wing="notes"))
    return palace


async def found(app: GraphPalace, palace: str, given: object, *, depth: int = 100, **where: Any) -> list[str]:
    """Return what both lanes find under conditions: the numbers of publications, else the name of the wing."""
    only = await filter_of(app.database, palace, conditions=conditions_of(given), **where)
    vector = app.embedder.embed(["a lock opens a door"])[0]

    async def ready() -> Any:
        return vector

    asked = LaneQuery("lock opens door", ready, only, depth)
    by_lane = []
    for lane in (FulltextLane(app.database), SemanticLane(app.replica.indexes)):
        ranking = await lane.rank(palace, asked)
        rows = await app.database.read(palace, "drawers/read_drawers", ids=list(ranking.ids))
        by_lane.append(sorted(row["drawer"]["pub_id"] or row["drawer"]["wing"] for row in rows))
    assert by_lane[0] == by_lane[1]
    return by_lane[0]


def one(field: str, op: str, value: object, lop: str = "and") -> dict[str, object]:
    return {"lop": lop, "field": field, "op": op, "value": value}


JP1, US2, EP3, JP4 = (row[0] for row in LOCKS)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([one("cpc", "eq", "H04L")], [JP1, US2]),
        ([one("cpc", "eq", "H04L"), one("cpc", "eq", "G06F", "not")], [JP1]),
        ([one("cpc", "eq", "G06F21/00"), one("country", "eq", "jp", "or")], [EP3, JP1, JP4, US2]),
        ([one("pubyear", "range", [2022, 2023]), one("assignee", "eq", "lark ltd")], [EP3, JP4]),
        ([one("date", "range", ["2023-01-02", None])], [EP3, JP4]),
        ([one("cpc", "neq", "H")], [EP3, JP4, "notes", "notes", "notes", "notes"]),
        ([one("wing", "eq", "notes")], ["notes"] * 4),
        ([one("wing", "eq", "notes", "not"), {"lop": "not", "group": [one("cpc", "in", ["E05B", "G06F"])]}], [JP1]),
        ([one("room", "eq", "general"), one("wing", "eq", "notes")], ["notes"] * 4),
        ({"date_to": "2022-12-31", "cpc": "H04L", "country": ["US", "EP"]}, [US2]),
        ([one("cpc", "eq", "A01B")], []),
    ],
)
async def test_both_lanes_find_what_meets_the_conditions(
    app: GraphPalace, locks: str, given: object, expected: list[str]
) -> None:
    assert await found(app, locks, given) == expected


async def test_conditions_apply_before_the_ranking_is_cut(app: GraphPalace, locks: str) -> None:
    everything = await found(app, locks, None)
    assert len(everything) == 8
    for number, *_ in LOCKS:
        year, country = int(number[2:6]), number[:2]
        alone = [one("pubyear", "eq", year), one("country", "eq", country)]
        assert await found(app, locks, alone, depth=1) == [number]


async def test_conditions_wings_and_times_all_hold_together(app: GraphPalace, locks: str) -> None:
    jp = [one("country", "eq", "JP")]
    assert await found(app, locks, jp, wing="patents") == [JP1, JP4]
    assert await found(app, locks, jp, wing="notes") == []
    now = datetime.now(UTC)
    assert await found(app, locks, jp, since=now - timedelta(hours=1)) == [JP1, JP4]
    assert await found(app, locks, jp, until=now - timedelta(hours=1)) == []
    with pytest.raises(NotFound, match="wing 'nowhere'"):
        await filter_of(app.database, locks, wing="nowhere")
    with pytest.raises(InvalidInput, match=r"since is .*; it must be in the years"):
        await filter_of(app.database, locks, since=datetime.min)


async def test_no_conditions_filter_nothing(app: GraphPalace, locks: str) -> None:
    assert (await filter_of(app.database, locks)).passes_all
    nothing = await filter_of(app.database, locks, conditions=conditions_of([one("cpc", "eq", "A01B")]))
    assert not nothing.passes_all
    assert nothing.drawers == frozenset()


async def test_a_field_that_no_document_has_codes_of_is_refused_with_those_there_are(
    app: GraphPalace, locks: str
) -> None:
    with pytest.raises(InvalidInput, match=r"field is 'asignee'; it must be one of pubyear.* document has: cpc"):
        await filter_of(app.database, locks, conditions=conditions_of([one("asignee", "eq", "Owl Works")]))


async def test_a_changed_code_is_stored_again_and_a_fact_that_is_gone_is_taken_away(
    app: GraphPalace, locks: str, tmp_path: Path
) -> None:
    records = [lock(*row) for row in LOCKS]
    records[0] |= {"cpc_codes": ["A01B1/02"], "assignee": None}
    report = await app.ingesting.files([written(tmp_path, records)], palace=locks, wing="patents")
    assert (report.documents_stored, report.documents_unchanged, report.drawers_created) == (1, 3, 0)
    assert await found(app, locks, [one("cpc", "eq", "A01B")]) == [JP1]
    assert await found(app, locks, [one("assignee", "eq", "owl works")]) == [US2]


async def test_a_note_beside_a_publication_leaves_its_facts(app: GraphPalace, locks: str, tmp_path: Path) -> None:
    uri = f"{(tmp_path / 'locks.jsonl').as_uri()}#{JP1}"
    await app.drawers.add(locks, NewDrawer("A remark on how this lock opens.", wing="patents", source_uri=uri))
    assert await found(app, locks, [one("date", "eq", "2021-05-31")]) == [JP1, JP1]


async def test_a_bad_record_stores_nothing_of_its_file(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    records = [lock(*LOCKS[0]), lock(*LOCKS[1]) | {"published": "soon"}]
    report = await app.ingesting.files([written(tmp_path, records)], palace=palace, wing="patents")
    assert report.documents_stored == 0
    (message,) = report.unreadable
    assert "line 2: published is 'soon'; it must be a day" in message
    assert await app.drawers.wings(palace) == []


async def test_a_made_data_set_comes_into_the_palace_with_codes_and_families(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    path = tmp_path / "made.jsonl"
    path.write_text("".join(dataset_lines("fulltext", count=50, seed=7)), "utf-8")
    report = await app.ingesting.files([path], palace=palace, wing="patents")
    assert (report.documents_stored, report.unreadable) == (50, [])
    ids, _ = await app.drawers.page(palace, limit=200)
    drawers = {drawer.pub_id: drawer for drawer in ids}
    for record in (json.loads(line) for line in path.read_text("utf-8").splitlines()):
        drawer = drawers[record["pub_id"]]
        assert [
            getattr(drawer, key) for key in ("app_id", "exam_id", "family_id", "assignee", "country", "published")
        ] == [record[key] for key in ("app_id", "exam_id", "family_id", "assignee", "country", "published")]
        assert {f"cpc:{code}" for code in record["cpc_codes"]} <= set(drawer.codes)
        own = sorted((d for d in ids if d.pub_id == record["pub_id"]), key=lambda d: d.position)
        for field in ("abst", "claim", "desc"):
            assert "".join(d.text for d in own if d.headings[0] == field) == record[field]
