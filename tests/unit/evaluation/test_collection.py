"""Collections are read whole or refused with file and line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.beir import write_collection

from graphpalace.errors import InvalidInput, WrongDimension
from graphpalace.evaluation.collection import read_collection

DOCUMENTS = [
    {"_id": "d1", "title": "Bread", "text": "Bread needs a starter.", "metadata": {"wing": "kitchen"}},
    {"_id": "d2", "title": "Roses", "text": "Prune them in winter."},
    {"_id": "d3", "text": ""},
]
QUERIES = [
    {"_id": "q1", "text": "when to prune", "metadata": {"exclude": ["d1", "gone"]}},
    {"_id": "q2", "text": "bread", "metadata": {"wing": "kitchen"}},
    {"_id": "q3", "text": "who answers this?"},
]
JUDGED = [("q1", "d2", 2), ("q1", "d1", 1), ("q2", "d1", 1), ("q2", "d2", 0), ("q3", "d1", 0)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_collection(tmp_path / "tiny", DOCUMENTS, QUERIES, JUDGED)


def test_a_collection_is_read_with_wings_exclusions_and_gains(folder: Path) -> None:
    found = read_collection(folder)
    assert (found.name, found.dimension, found.unjudged) == ("tiny", None, 1)
    assert [(each.id, each.wing) for each in found.documents] == [
        ("d1", "kitchen"),
        ("d2", "collection"),
        ("d3", "collection"),
    ]
    first, second = found.questions
    assert (first.exclude, first.relevant, first.wing) == ({"d1", "gone"}, {"d2": 2}, None)
    assert (second.relevant, second.wing) == ({"d1": 1}, "kitchen")


def test_the_title_stands_before_a_text_that_does_not_begin_with_it(folder: Path) -> None:
    assert [each.text for each in read_collection(folder).documents] == [
        "Bread needs a starter.",
        "Roses\nPrune them in winter.",
        "",
    ]


def test_given_embeddings_belong_to_their_records_and_have_length_one(folder: Path) -> None:
    np.save(folder / "corpus.npy", np.array([[2, 0], [0, 3], [1, 1]], np.float16))
    np.save(folder / "queries.npy", np.array([[0, 5], [4, 0], [1, 0]], np.float16))
    found = read_collection(folder)
    assert found.dimension == 2
    assert [each.vector.tolist() for each in found.documents[:2] if each.vector is not None] == [[1, 0], [0, 1]]
    assert [each.vector.tolist() for each in found.questions if each.vector is not None] == [[0, 1], [1, 0]]


def test_blank_lines_a_carriage_return_and_a_missing_header_do_no_harm(folder: Path) -> None:
    (folder / "qrels" / "test.tsv").write_bytes(b"q1\td2\t1\r\n\r\nq1\td2\t1\r\n")
    path = folder / "corpus.jsonl"
    path.write_text("\n" + path.read_text().replace("\n", "\r\n"))
    assert [each.id for each in read_collection(folder).questions] == ["q1"]


def _append(name: str, text: str) -> Callable[[Path], None]:
    def do(folder: Path) -> None:
        with (folder / name).open("a") as file:
            file.write(text)

    return do


def _put(name: str, data: bytes | np.ndarray) -> Callable[[Path], None]:
    def do(folder: Path) -> None:
        if isinstance(data, bytes):
            (folder / name).write_bytes(data)
        else:
            np.save(folder / name, data)

    return do


def _remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (_remove("corpus.jsonl"), r"corpus\.jsonl cannot be read: No such file"),
        (_remove("queries.jsonl"), r"queries\.jsonl cannot be read: No such file"),
        (_remove("qrels/test.tsv"), r"test\.tsv cannot be read: No such file"),
        (_put("corpus.jsonl", b"\n"), r"corpus\.jsonl is empty"),
        (_append("corpus.jsonl", "{"), r"corpus\.jsonl, line 4: is not a JSON object"),
        (_append("corpus.jsonl", "[1]"), r"corpus\.jsonl, line 4: is not a JSON object"),
        (_put("corpus.jsonl", b'{"_id": "\xff"}'), r"corpus\.jsonl, line 1: is not a JSON object in UTF-8"),
        (_append("corpus.jsonl", '{"text": "x"}'), r"corpus\.jsonl, line 4: _id is None"),
        (_append("corpus.jsonl", '{"_id": 4, "text": "x"}'), r"corpus\.jsonl, line 4: _id is 4; it must be text"),
        (
            _append("corpus.jsonl", '{"_id": "d1", "text": "x"}'),
            r"corpus\.jsonl, line 4: _id 'd1' is already used on line 1",
        ),
        (_append("corpus.jsonl", '{"_id": "d4"}'), r"corpus\.jsonl, line 4: text is missing"),
        (_append("corpus.jsonl", '{"_id": "d4", "text": "\\ud800"}'), r"line 4: text has a lone surrogate"),
        (_append("corpus.jsonl", '{"_id": "d4", "text": "x", "title": 1}'), r"line 4: title is 1; it must be text"),
        (_append("corpus.jsonl", '{"_id": "d4", "text": "x", "metadata": 1}'), r"line 4: metadata is 1"),
        (
            _append("corpus.jsonl", '{"_id": "d4", "text": "x", "metadata": {"wing": " w"}}'),
            r"line 4: metadata\.wing is ' w'; it must be 1 to 200",
        ),
        (
            _append("corpus.jsonl", '{"_id": "d4", "text": "' + "x" * 1_000_001 + '"}'),
            r"line 4: text has 1000001 characters; a drawer holds at most 1000000",
        ),
        (_put("corpus.jsonl", b'{"_id": "d1", "text": " "}\n{"_id": "d2", "text": ""}'), r"no document with text"),
        (_append("queries.jsonl", '{"_id": "q4", "text": " "}'), r"queries\.jsonl, line 4: text is ' '"),
        (
            _append("queries.jsonl", '{"_id": "q4", "text": "x", "metadata": {"wing": "attic"}}'),
            r"queries\.jsonl, line 4: metadata\.wing is 'attic'; no document",
        ),
        (
            _append("queries.jsonl", '{"_id": "q4", "text": "x", "metadata": {"exclude": "d1"}}'),
            r"queries\.jsonl, line 4: metadata\.exclude is 'd1'; it must be a list",
        ),
        (
            _append(
                "queries.jsonl",
                '{"_id": "q4", "text": "x", "metadata": {"exclude": ['
                + ", ".join(f'"{n}"' for n in range(191))
                + "]}}",
            ),
            r"line 4: metadata\.exclude has 191 ids; it may have at most 190",
        ),
        (
            _append("qrels/test.tsv", "q1 d2 1\n"),
            r"test\.tsv, line 7: must be the id of a question, the id of a document",
        ),
        (_append("qrels/test.tsv", "q1\td2\tyes\n"), r"test\.tsv, line 7: must be the id of"),
        (_append("qrels/test.tsv", "q1\t0\td2\t1\n"), r"test\.tsv, line 7: must be the id of"),
        (_append("qrels/test.tsv", "q9\td2\t1\n"), r"test\.tsv, line 7: question 'q9' is not in queries\.jsonl"),
        (_append("qrels/test.tsv", "q1\td9\t1\n"), r"test\.tsv, line 7: document 'd9' is not in corpus\.jsonl"),
        (_append("qrels/test.tsv", "q1\td2\t1\n"), r"test\.tsv, line 7: the score is 1, but line 2 has 2"),
        (_append("qrels/test.tsv", "q1\td3\t1001\n"), r"test\.tsv, line 7: the score is 1001; it must be at most 1000"),
        (_put("qrels/test.tsv", b"q1\td2\t0\n"), r"test\.tsv has no relevant document"),
        (_put("corpus.npy", b"text"), r"corpus\.npy cannot be read as a NumPy array"),
        (_put("corpus.npy", np.array([["a"]])), r"corpus\.npy is <U1 \(1, 1\); it must be a matrix of numbers"),
        (_put("corpus.npy", np.ones(3)), r"corpus\.npy is float64 \(3,\); it must be a matrix"),
        (
            _put("corpus.npy", np.ones((2, 4))),
            r"corpus\.npy has 2 rows; it must have one row for each of the 3 records",
        ),
        (_put("corpus.npy", np.ones((3, 4097))), r"corpus\.npy has 4097 columns; it must have 1 to 4096"),
        (_put("corpus.npy", np.diag([1, 0, 1.0])), r"corpus\.npy, row 2 \('d2'\) must be finite"),
        (_put("queries.npy", np.diag([1, 1, np.nan])), r"queries\.npy, row 3 \('q3'\) must be finite"),
    ],
)
def test_what_is_broken_is_refused_with_file_and_line(
    folder: Path, broken: Callable[[Path], None], message: str
) -> None:
    broken(folder)
    with pytest.raises(InvalidInput, match=message):
        read_collection(folder)


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="nosuch is not a folder; give a folder with corpus"):
        read_collection(tmp_path / "nosuch")


def test_embeddings_of_two_dimensions_are_refused(folder: Path) -> None:
    np.save(folder / "corpus.npy", np.ones((3, 4)))
    np.save(folder / "queries.npy", np.ones((3, 5)))
    with pytest.raises(WrongDimension, match=r"queries\.npy has 5 columns; corpus\.npy has 4"):
        read_collection(folder)


def test_embeddings_of_another_length_than_the_models_are_of_use_only_if_they_are_complete(folder: Path) -> None:
    np.save(folder / "corpus.npy", np.ones((3, 4)))
    assert not read_collection(folder).suits(384)
    assert read_collection(folder).suits(4)
    np.save(folder / "queries.npy", np.ones((3, 4)))
    found = read_collection(folder)
    assert found.suits(384)
    assert not found.suits(384, shortened=True)
    bare = found.without_embeddings()
    assert bare.suits(384, shortened=True)
    assert bare.dimension is None
    assert all(each.vector is None for each in (*bare.documents, *bare.questions))


def test_a_question_of_the_kind_unanswerable_is_kept_beside_the_others(tmp_path: Path) -> None:
    kinds = ["plain", "unanswerable", "unanswerable", None]
    asked = [{"_id": f"q{at}", "text": "roses", "metadata": {"kind": kind}} for at, kind in enumerate(kinds)]
    judged = [("q0", "d2", 1), ("q2", "d2", 1)]
    found = read_collection(write_collection(tmp_path / "tiny", DOCUMENTS, asked, judged))
    assert [(each.id, each.kind) for each in found.questions] == [("q0", "plain"), ("q2", "unanswerable")]
    assert [each.id for each in found.unanswerable] == ["q1"]
    assert found.unjudged == 1


def test_a_document_has_the_time_at_which_it_was_said(tmp_path: Path) -> None:
    times = ["2026-05-04T08:54:46Z", "2026-05-04", "yesterday"]
    documents = [{"_id": f"d{at}", "text": "roses", "metadata": {"occurred_at": time}} for at, time in enumerate(times)]
    asked, judged = [{"_id": "q", "text": "roses"}], [("q", "d0", 1)]
    found = read_collection(write_collection(tmp_path / "right", documents[:2], asked, judged))
    assert [each.occurred_at.isoformat() for each in found.documents if each.occurred_at] == [
        "2026-05-04T08:54:46+00:00",
        "2026-05-04T00:00:00+00:00",
    ]
    with pytest.raises(InvalidInput, match=r"line 3: metadata\.occurred_at is 'yesterday'"):
        read_collection(write_collection(tmp_path / "wrong", documents, asked, judged))
