"""`graphpalace eval --save` and `--compare`: which questions moved, worked by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import log2
from pathlib import Path

import numpy as np
import pytest

from graphpalace.error_codes import EXIT
from tests.acceptance.commands import Ran, printed
from tests.beir import write_collection


@pytest.fixture
def saved(evaluate: Callable[..., Ran], tmp_path: Path) -> Path:
    """A run on three questions: words answer the first better, vectors the second, and both the third."""
    folder = write_collection(
        tmp_path / "fruit",
        [
            {"_id": "apple", "title": "Orchard", "text": "apples grow on trees"},
            {"_id": "pear", "text": "pears grow on trees"},
            {"_id": "stone", "text": "stones lie in rivers"},
        ],
        [{"_id": "q1", "text": "apples"}, {"_id": "q2", "text": "pebbles"}, {"_id": "q3", "text": "stones"}],
        [("q1", "apple", 1), ("q2", "stone", 1), ("q3", "stone", 1)],
        vectors=np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float16),
        query_vectors=np.array([[0.1, 0.9, 0.4], [0, 0, 1], [0, 0, 1]], np.float16),
    )
    file = tmp_path / "run.json"
    ran = evaluate(folder, "--save", file)
    assert ran.code == 0, ran.err
    return file


def test_a_saved_run_has_each_answer_with_its_metrics(saved: Path) -> None:
    [record] = json.loads(saved.read_text())
    assert record["collection"] == "fruit"
    assert record["titles"]["apple"] == "Orchard"
    assert record["titles"]["pear"] == "pears grow on trees"
    first = record["questions"][0]
    assert (first["id"], first["text"], first["relevant"]) == ("q1", "apples", {"apple": 1})
    semantic = first["answers"]["semantic"]
    assert semantic["documents"] == ["pear", "stone", "apple"]
    assert semantic["metrics"]["ndcg@10"] == pytest.approx(1 / log2(4))
    assert first["answers"]["fulltext"]["documents"] == ["apple"]


def test_the_questions_that_moved_most_come_first(evaluate: Callable[..., Ran], saved: Path) -> None:
    [found] = printed(evaluate("--compare", f"{saved}:fulltext", f"{saved}:semantic", "--json"))
    assert (found["questions"], found["better"], found["worse"], found["equal"]) == (3, 1, 1, 1)
    # q2: nothing found, then the first place. q1: the first place, then the third.
    assert [(move["id"], round(move["change"], 6)) for move in found["moved"]] == [("q2", 1.0), ("q1", -0.5)]
    assert found["moved"][1]["after"]["documents"] == ["pear", "stone", "apple"]
    assert found["before"]["ndcg@10"] == pytest.approx(2 / 3)
    assert found["after"]["ndcg@10"] == pytest.approx(2.5 / 3)
    assert found["difference"]["mean"] == pytest.approx(0.5 / 3)
    # However the signs of 1 and 0.5 are flipped, the sum is at least as far from 0 as 0.5.
    assert found["difference"]["p"] == pytest.approx(1.0)
    [one] = printed(evaluate("--compare", f"{saved}:fulltext", f"{saved}:semantic", "--moved", "1", "--json"))
    assert [move["id"] for move in one["moved"]] == ["q2"]


def test_a_run_does_not_differ_from_itself(evaluate: Callable[..., Ran], saved: Path) -> None:
    [found] = printed(evaluate("--compare", saved, saved, "--json"))
    assert (found["better"], found["worse"], found["equal"], found["moved"]) == (0, 0, 3, [])


def test_both_rankings_are_shown_with_marks(evaluate: Callable[..., Ran], saved: Path) -> None:
    ran = evaluate("--compare", f"{saved}:fulltext", f"{saved}:semantic")
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "fruit: 3 questions; in B 1 better, 1 worse, 1 equal"
    assert any(line.startswith("B - A") and line.split()[3] == "+0.167" for line in lines)
    at = lines.index("q1  nDCG@10 1.000 -> 0.500 (-0.500)  apples")
    assert lines[at + 2].split() == ["1", "*", "apple", "Orchard", "pear", "pears", "grow", "on", "trees"]
    assert lines[at + 4].split()[:4] == ["3", "*", "apple", "Orchard"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("not json", "is not a run that graphpalace eval --save wrote"),
        ('[{"collection": "fruit"}]', "titles"),
        ("[]", "have no collection in common"),
    ],
)
def test_other_files_are_refused(
    evaluate: Callable[..., Ran], saved: Path, tmp_path: Path, content: str, says: str
) -> None:
    other = tmp_path / "other.json"
    other.write_text(content)
    ran = evaluate("--compare", other, saved)
    assert ran.code == EXIT["VALIDATION_ERROR"]
    assert says in ran.err


def test_runs_on_other_questions_are_refused(evaluate: Callable[..., Ran], saved: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    record = json.loads(saved.read_text())
    record[0]["questions"][0]["relevant"] = {"pear": 1}
    other.write_text(json.dumps(record))
    ran = evaluate("--compare", saved, other)
    assert ran.code == EXIT["VALIDATION_ERROR"]
    assert "asked different questions of fruit" in " ".join(ran.err.split())
    del record[0]["questions"][1]["answers"]["rrf"]
    other.write_text(json.dumps(record))
    assert "'q2' of fruit must have an answer of" in " ".join(evaluate("--compare", saved, other).err.split())


def test_options_that_do_not_go_together_are_refused(evaluate: Callable[..., Ran], saved: Path, tmp_path: Path) -> None:
    folder = tmp_path / "fruit"
    for words, says in (
        (("--compare", f"{saved}:best", saved), "has no system 'best' for fruit; it has fulltext, semantic"),
        (("--compare", tmp_path / "gone.json", saved), "gone.json cannot be read: No such file"),
        ((folder, "--compare", saved, saved), "takes no collection"),
        (("--together", "--compare", saved, saved), "measures nothing, so leave --together out"),
        (("--seeds", "0", "--compare", saved, saved), "measures nothing, so leave --seeds out"),
        (("--compare", saved, saved, "--moved", "-1"), "--moved is -1; it must be 0 or more"),
        ((folder, "--moved", "3"), "--moved needs --compare"),
        ((folder, "--learn", "unseen", "--save", saved), "--save cannot be used with --learn"),
        ((folder, "--save", tmp_path / "gone" / "run.json"), "it must be a file in a folder that exists"),
        ((), "give at least one collection"),
    ):
        ran = evaluate(*words)
        assert ran.code == EXIT["VALIDATION_ERROR"], words
        assert says in " ".join(ran.err.split()), words
