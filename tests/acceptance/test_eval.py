"""`graphpalace eval`: figures worked by hand, and nothing left behind."""

from __future__ import annotations

import asyncio
import signal
import uuid
from collections.abc import Callable
from math import log2
from pathlib import Path

import numpy as np
import pytest

from graphpalace.app import GraphPalace
from graphpalace.domain.search.request import PARTS
from graphpalace.error_codes import EXIT
from tests.acceptance.commands import GRAPHPALACE, Ran, printed
from tests.beir import write_collection

SYSTEMS = ["fulltext", "semantic", "path", "rrf", "search"]
ALL_RIGHT = {"ndcg@10": 1, "recall@5": 1, "recall@10": 1, "mrr@10": 1, "hit@1": 1}


@pytest.fixture
def fruit(tmp_path: Path) -> Path:
    """One question that words answer and vectors do not; one that nobody judged."""
    return write_collection(
        tmp_path / "fruit",
        [
            {"_id": "d1", "title": "Orchard", "text": "apples grow on trees"},
            {"_id": "d2", "text": "pears grow on trees"},
            {"_id": "d3", "text": "stones lie in rivers"},
            {"_id": "d4", "text": ""},
        ],
        [{"_id": "q1", "text": "apples"}, {"_id": "q2", "text": "who asks?"}],
        [("q1", "d1", 1)],
        vectors=np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], np.float16),
        query_vectors=np.array([[0.1, 0.9, 0.4], [1, 0, 0]], np.float16),
    )


def test_each_system_is_measured(evaluate: Callable[..., Ran], fruit: Path) -> None:
    found = printed(evaluate(fruit, "--json"))
    assert {key: found[key] for key in ("collection", "documents", "questions", "unjudged")} == {
        "collection": "fruit",
        "documents": 4,
        "questions": 1,
        "unjudged": 1,
    }
    assert list(found["systems"]) == SYSTEMS
    assert found["systems"]["fulltext"] == pytest.approx(ALL_RIGHT)
    # By cosine the pears and the stones come first.
    third = {"ndcg@10": 1 / log2(4), "recall@5": 1, "recall@10": 1, "mrr@10": 1 / 3, "hit@1": 0}
    assert found["systems"]["semantic"] == pytest.approx(third, abs=1e-6)
    assert found["systems"]["rrf"] == pytest.approx(ALL_RIGHT)
    assert set(found["latency_ms"]) == {"p50", "p95"}
    assert 0 < found["latency_ms"]["p50"] <= found["latency_ms"]["p95"]


def test_excluded_documents_and_other_wings_leave_the_ranks_to_the_others(
    evaluate: Callable[..., Ran], tmp_path: Path
) -> None:
    """Twelve documents that say the very words are excluded, and two that say them stand in another wing."""
    same = [{"_id": f"same{n}", "text": "moss on stones", "metadata": {"wing": "rivers"}} for n in range(12)]
    folder = write_collection(
        tmp_path / "stones",
        [
            *same,
            {"_id": "moss", "text": "old moss near many stones", "metadata": {"wing": "rivers"}},
            {"_id": "wall", "text": "a wall of stones with moss", "metadata": {"wing": "gardens"}},
        ],
        [
            {"_id": "q1", "text": "moss on stones", "metadata": {"wing": "gardens"}},
            {
                "_id": "q2",
                "text": "moss on stones",
                "metadata": {"wing": "rivers", "exclude": [each["_id"] for each in same]},
            },
        ],
        [("q1", "wall", 1), ("q2", "moss", 2), ("q2", "same3", 1)],
    )
    found = printed(evaluate(folder, "--json"))
    for system in ("fulltext", "semantic", "rrf", "search"):
        assert found["systems"][system] == pytest.approx(ALL_RIGHT), system


def test_a_document_that_was_split_stands_where_its_best_drawer_does(
    evaluate: Callable[..., Ran], tmp_path: Path
) -> None:
    """Thirty drawers of one document answer better than the one that is asked for, and count as one."""
    long = "\n\n".join(f"roses and tulips, number {n}. " + f"filling{n} " * 100 for n in range(30))
    folder = write_collection(
        tmp_path / "split",
        [{"_id": "long", "text": long}, {"_id": "short", "text": "one of the roses, and thirty other words " * 12}],
        [{"_id": "q1", "text": "roses and tulips"}],
        [("q1", "short", 1)],
    )
    found = printed(evaluate(folder, "--json"))
    second = {"ndcg@10": 1 / log2(3), "recall@5": 1, "recall@10": 1, "mrr@10": 1 / 2, "hit@1": 0}
    assert found["systems"]["fulltext"] == pytest.approx(second, abs=1e-6)


def test_kinds_of_questions_and_what_nothing_answers(evaluate: Callable[..., Ran], tmp_path: Path) -> None:
    folder = write_collection(
        tmp_path / "fruit",
        [{"_id": "d1", "text": "apples grow on trees"}, {"_id": "d2", "text": "pears are sold on Monday"}],
        [
            {"_id": "q1", "text": "where do apples grow", "metadata": {"kind": "plain"}},
            {"_id": "q2", "text": "when are pears sold", "metadata": {"kind": "plain"}},
            {"_id": "q3", "text": "when are apples sold", "metadata": {"kind": "near"}},
            {"_id": "q4", "text": "how deep is a harbour", "metadata": {"kind": "unanswerable"}},
            {"_id": "q5", "text": "nobody judged this", "metadata": {"kind": "plain"}},
        ],
        [("q1", "d1", 2), ("q2", "d2", 2), ("q3", "d2", 1), ("q4", "d1", 0)],
    )
    found = printed(evaluate(folder, "--json"))
    assert (found["questions"], found["unjudged"]) == (3, 1)
    assert {kind: each["questions"] for kind, each in found["kinds"].items()} == {"plain": 2, "near": 1}
    assert found["kinds"]["plain"]["metrics"] == pytest.approx(ALL_RIGHT)
    said = found["confidence"]
    assert (said["unanswerable"], said["right"]) == (1, pytest.approx(found["systems"]["search"]["hit@1"]))
    assert said["nothing_fits_if_unanswerable"] == 1


def test_collections_together_are_wings_of_one_palace(
    evaluate: Callable[..., Ran], fruit: Path, tmp_path: Path
) -> None:
    other = write_collection(
        tmp_path / "shop",
        [{"_id": "d1", "text": "plums cost three euros"}, {"_id": "d2", "text": "the shop closes at six"}],
        [{"_id": "q1", "text": "shop closes", "metadata": {"wing": "collection"}}],
        [("q1", "d2", 1)],
        vectors=np.array([[0, 0.5, 1], [0.2, 0, 1]], np.float16),
        query_vectors=np.array([[0.2, 0.1, 1]], np.float16),
    )
    found = printed(evaluate(fruit, other, "--together", "--json"))
    assert (found["collection"], found["documents"], found["questions"]) == ("fruit + shop", 6, 2)
    assert found["systems"]["search"] == pytest.approx(ALL_RIGHT)


def test_together_needs_collections_that_fit(evaluate: Callable[..., Ran], fruit: Path) -> None:
    for folders, said in (((fruit,), "at least two"), ((fruit, fruit), "two collections are called 'fruit'")):
        ran = evaluate(*folders, "--together")
        assert ran.code == EXIT["VALIDATION_ERROR"]
        assert said in ran.err


def test_a_table_is_for_people(evaluate: Callable[..., Ran], fruit: Path) -> None:
    ran = evaluate(fruit)
    assert ran.code == 0, ran.err
    head, said, titles, *rows = ran.out.splitlines()
    assert said.startswith("100% of the first hits are right, and their mean confidence is ")
    assert head.startswith("fruit: 4 documents, 1 question, 1 without a relevant document left out; ")
    assert titles.split("  ")[-1].strip() == "p"
    assert "nDCG@10 - rrf" in titles
    assert [row.split()[0] for row in rows if row.strip()] == SYSTEMS
    assert rows[1].split() == ["semantic", "0.500", "1.000", "1.000", "0.333", "0.000", "-0.500"]
    assert rows[3].split() == ["rrf", "1.000", "1.000", "1.000", "1.000", "1.000"]


def test_each_part_is_left_out_in_turn(evaluate: Callable[..., Ran], fruit: Path) -> None:
    ran = evaluate(fruit, "--ablate")
    assert ran.code == 0, ran.err
    rows = [row.strip() for row in ran.out.splitlines()]
    for name in (*PARTS, "lane fulltext", "lane semantic"):
        assert any(row.startswith(f"without {name} ") for row in rows), name
    found = printed(evaluate(fruit, "--ablate", "--json"))
    assert list(found["systems"]) == SYSTEMS
    assert {f"without {part}" for part in PARTS} < set(found["ablations"])
    assert found["ablations"]["without lane fulltext"] == pytest.approx(found["systems"]["semantic"])
    assert found["ablations"]["rrf in place of fusion"] == pytest.approx(found["systems"]["rrf"])
    assert {found["differences"][name]["to"] for name in found["ablations"]} == {"search"}


def test_the_swarm_is_measured_when_asked_for(evaluate: Callable[..., Ran], fruit: Path) -> None:
    found = printed(evaluate(fruit, "--swarm", "--json"))
    assert list(found["systems"]) == [*SYSTEMS, "search_mcmp"]
    refused = evaluate(fruit, "--swarm", "--learn", "unseen")
    assert refused.code == EXIT["VALIDATION_ERROR"]
    assert "--swarm" in refused.err


def test_several_collections_are_a_list_and_a_broken_one_stops_all(
    evaluate: Callable[..., Ran], fruit: Path, tmp_path: Path
) -> None:
    found = printed(evaluate(fruit, fruit, "--json"))
    assert [each["collection"] for each in found] == ["fruit", "fruit"]
    assert found[0]["systems"] == found[1]["systems"]
    broken = write_collection(tmp_path / "broken", [{"_id": "d", "text": "x"}], [{"_id": "q", "text": " "}], [])
    ran = evaluate(fruit, broken)
    assert ran.code == EXIT["UNREADABLE_DOCUMENT"]
    assert "queries.jsonl, line 1: text is ' '; it must be a question" in ran.err
    assert ran.out == ""


@pytest.mark.parametrize(
    ("name", "value", "code", "said"),
    [
        ("GRAPHPALACE_SEARCH__ANALYZER", "nosuch", "DATABASE_FAILED", "nosuch"),
        ("GRAPHPALACE_SEARCH__LANE_TIMEOUT_S", "0.0001", "SEARCH_TIMED_OUT", "no lane answered within"),
    ],
)
def test_a_search_that_fails_gives_no_figures_and_leaves_nothing(
    evaluate: Callable[..., Ran],
    monkeypatch: pytest.MonkeyPatch,
    fruit: Path,
    name: str,
    value: str,
    code: str,
    said: str,
) -> None:
    monkeypatch.setenv(name, value)
    new = f"eval_{uuid.uuid4().hex[:8]}"  # a spare palace has its indexes
    monkeypatch.setattr("graphpalace.evaluation.evaluate.temporary_palace", lambda _: new)
    ran = evaluate(fruit, "--json")
    assert ran.code == EXIT[code], ran.err
    assert said in ran.err
    assert ran.out == ""


def test_the_default_palace_is_not_made(
    evaluate: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, fruit: Path
) -> None:
    monkeypatch.setenv("GRAPHPALACE_PALACE__NAME", f"none{uuid.uuid4().hex[:8]}")
    assert evaluate(fruit).code == 0  # and `untouched` sees that no palace was added


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_nothing_is_left_of_an_evaluation_that_is_ended(
    app: GraphPalace, untouched: None, environ: dict[str, str], tmp_path: Path, number: signal.Signals
) -> None:
    numbers = range(600)
    random = np.random.default_rng(1).standard_normal((600, 8))
    folder = write_collection(
        tmp_path / "many",
        [{"_id": f"d{n}", "text": f"text number {n}"} for n in numbers],
        [{"_id": f"q{n}", "text": f"number {n}"} for n in numbers],
        [(f"q{n}", f"d{n}", 1) for n in numbers],
        vectors=random,
        query_vectors=random,
    )
    process = await asyncio.create_subprocess_exec(
        GRAPHPALACE,
        "eval",
        folder,
        env=environ,
        cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        # Programs that a shell starts in the background ignore SIGINT, and so do theirs.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    async with asyncio.timeout(150):
        while not any(each.name.startswith("eval_") and each.drawers for each in await app.list_palaces()):
            assert process.returncode is None
            await asyncio.sleep(0.1)
        process.send_signal(number)
        await process.communicate()
    assert process.returncode != 0
