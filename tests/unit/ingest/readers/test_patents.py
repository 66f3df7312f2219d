from __future__ import annotations

import json
from collections import defaultdict
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.drawers.document import Document, Publication
from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.registry import read

RECORD = {
    "pub_id": "JP2023123456",
    "app_doc_id": "JP2021000001",
    "exam_id": "EXAM1",
    "family_id": 77,
    "assignee": "Owl Works",
    "published": "20230531",
    "title": "A lock",
    "abst": "A lock that opens.",
    "claim": ["1. A lock.", "2. The lock of claim 1."],
    "desc": "The lock is described.",
    "ipc_codes": ["H04L 9/32"],
    "cpc_codes": ["H04L9/32", "h04l 9/32", "G06F21/60"],
    "fi_codes": ["H04L9/32 200 A"],
    "ft_codes": ["5J104 AA01"],
    "shop_codes": ["tools-saw"],
}


def documents(*records: Any, options: SplitOptions | None = None) -> list[Document]:
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    return list(read(Path("made.jsonl"), options=options or SplitOptions(), data="\n".join(lines).encode()))


def fields(document: Document) -> dict[str, str]:
    found: dict[str, str] = defaultdict(str)
    for passage in document.passages:
        found[passage.headings[0]] += passage.text
    return dict(found)


def test_a_publication_is_one_document_with_its_facts_and_its_fields_word_for_word() -> None:
    (document,) = documents("", RECORD)
    assert document.title == "A lock"
    assert document.uri.endswith("made.jsonl#JP2023123456")
    assert document.media_type == "application/vnd.graphpalace.publication+json"
    assert document.publication == Publication(
        pub_id="JP2023123456",
        app_id="JP2021000001",
        exam_id="EXAM1",
        family_id="77",
        assignee="Owl Works",
        country="JP",
        published=date(2023, 5, 31),
        codes=(
            "ipc:H04L9/32", "cpc:H04L9/32", "cpc:G06F21/60", "fi:H04L9/32,200A", "ft:5J104AA01", "shop:TOOLS-SAW",
        ),
    )  # fmt: skip
    assert [(passage.headings, passage.start_line, passage.end_line) for passage in document.passages] == [
        (("abst",), 2, 2),
        (("claim",), 2, 2),
        (("desc",), 2, 2),
    ]
    assert fields(document) == {
        "abst": "A lock that opens.",
        "claim": "1. A lock.\n2. The lock of claim 1.",
        "desc": "The lock is described.",
    }


@pytest.mark.parametrize(
    "least",
    [
        {"publication_number": "US1", "abstract": "a", "cpc_codes": []},
        {"id": 5, "claims": "c", "family_id": "F"},
        {"pub_id": "x", "claim": "c", "app_id": "A"},
    ],
)
def test_an_id_a_text_and_codes_or_a_family_make_a_publication(least: dict[str, object]) -> None:
    (document,) = documents(least)
    assert document.publication is not None
    assert document.title == document.publication.pub_id == str(next(iter(least.values())))


@pytest.mark.parametrize(
    "other",
    [
        {"id": 5, "text": "no publication"},
        {"id": 5, "abstract": "a paper without codes"},
        {"abstract": "no id", "cpc_codes": ["H04L"]},
        {"role": "user", "content": "a message"},
    ],
)
def test_other_records_are_no_publications(other: dict[str, object]) -> None:
    assert [document.publication for document in documents(other)] == [None]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"pub_id": ["x"]}, "pub_id"),
        ({"pub_id": "JP1"}, "pub_id"),
        ({"abst": 7}, "abst"),
        ({"claim": ["a", 7]}, "claim"),
        ({"cpc_codes": "H04L"}, "cpc_codes"),
        ({"cpc_codes": ["H04L", ""]}, "cpc_codes"),
        ({"ft_codes": ["\ud800"]}, "ft_codes"),
        ({"published": "31.5.2023"}, "published"),
        ({"published": "2023-02-30"}, "published"),
        ({"family_id": 1.5}, "family_id"),
        ({"assignee": {"name": "x"}}, "assignee"),
    ],
)
def test_a_bad_record_is_refused_with_its_line_and_its_field(change: dict[str, object], field: str) -> None:
    with pytest.raises(UnreadableDocument, match=f"made.jsonl, line 2: {field} is .*; it must be") as raised:
        documents(RECORD | {"pub_id": "JP1"}, RECORD | change)
    assert raised.value.detail["line"] == 2
    assert raised.value.detail["field"] == field


def test_lines_that_are_no_objects_are_left_out_and_counted() -> None:
    read = documents("{cut off", RECORD, "[1]", RECORD | {"pub_id": "JP2"}, "null")
    assert [document.broken_lines for document in read] == [0, 3]


def test_what_is_known_beside_the_text_is_part_of_the_hash() -> None:
    (before,) = documents(RECORD)
    for change in ({"cpc_codes": ["H04L9/34"]}, {"family_id": 78}, {"exam_id": None}):
        (after,) = documents(RECORD | change)
        assert after.content_hash != before.content_hash
        assert [passage.text for passage in after.passages] == [passage.text for passage in before.passages]


_texts = st.lists(st.sampled_from(["a lock ", "opens. ", "\n", "\n\n  ", "Then 錠が開く。", "\t"]), max_size=200).map(
    "".join
)


@given(_texts)
def test_the_passages_of_a_field_are_the_field_to_the_letter(text: str) -> None:
    (document,) = documents(RECORD | {"desc": text}, options=SplitOptions(max_chars=200))
    assert fields(document).get("desc", "") == (text if text.strip() else "")


def test_half_a_surrogate_in_a_text_is_replaced() -> None:
    (document,) = documents(RECORD | {"desc": "odd \ud800 text"})
    assert fields(document)["desc"] == "odd \ufffd text"
