"""`graphpalace eval --learn`: feedback helps where it must, fades, and is the real one."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphpalace.error_codes import EXIT
from tests.acceptance.commands import Ran, printed
from tests.beir import write_collection
from tests.words import WordEmbedder

ALL_RIGHT = {"ndcg@10": 1, "recall@5": 1, "recall@10": 1, "mrr@10": 1, "hit@1": 1}
NAMES = {"grub": "food", "wheels": "car", "pad": "flat", "gig": "work", "tunes": "music", "bread": "money"}


@pytest.fixture
def slang(tmp_path: Path) -> Path:
    """Thirty questions of a word that documents use and another for which they have their own.

    Each document has two of six words, so five documents have a word, and all of them are among the ten shown.
    """
    words = list(NAMES.values())
    return write_collection(
        tmp_path / "slang",
        [
            {"_id": f"{one} {other}", "text": f"{one} {other}"}
            for at, one in enumerate(words)
            for other in words[at + 1 :]
        ],
        [{"_id": f"{said} {NAMES[other]}", "text": f"{said} {NAMES[other]}"} for said, other in _pairs()],
        [(f"{said} {NAMES[other]}", _document(said, other), 1) for said, other in _pairs()],
    )


@pytest.fixture
def riddles(tmp_path: Path) -> Path:
    """Ten documents, all of them shown to everyone, and twenty questions that share no word with any."""
    return write_collection(
        tmp_path / "riddles",
        [{"_id": f"d{at}", "text": f"answer{at}"} for at in range(10)],
        [{"_id": f"q{at}", "text": " ".join(f"hint{at}of{part}" for part in range(5))} for at in range(20)],
        [(f"q{at}", f"d{at % 10}", 1) for at in range(20)],
    )


def _pairs() -> list[tuple[str, str]]:
    return list(permutations(NAMES, 2))


def _document(said: str, other: str) -> str:
    return " ".join(sorted((NAMES[said], NAMES[other]), key=list(NAMES.values()).index))


def _ndcg(found: Any) -> tuple[float, float]:
    return found["systems"]["search"]["ndcg@10"], found["systems"]["search_learned"]["ndcg@10"]


def test_unseen_questions_are_answered_better(evaluate: Callable[..., Ran], slang: Path) -> None:
    ran = evaluate(slang, "--learn", "unseen", "--seeds", "2", "--ablate", "--json")
    found = printed(ran)
    before, after = _ndcg(found)
    # Five documents have the word that is common: without more, the right one stands anywhere among them.
    assert before < 0.75
    assert after > before + 0.15
    assert {key: found[key] for key in ("collection", "documents", "questions", "unjudged")} == {
        "collection": "slang",
        "documents": 15,
        "questions": 30,
        "unjudged": 0,
    }
    assert {key: found[key] for key in ("learn", "aged", "wrong", "curve")} == {
        "learn": "unseen",
        "aged": 0,
        "wrong": 0,
        "curve": [],
    }
    assert list(found["systems"]) == ["search", "search_learned"]
    assert found["feedbacks"] == 30
    assert [(each["seed"], each["measured"], each["feedbacks"]) for each in found["seeds"]] == [
        (0, 15, 15),
        (1, 15, 15),
    ]
    assert all(len(each["trials"]) == 4 for each in found["seeds"])
    assert list(found["ablations"]) == [
        "without question map",
        "without lane balance",
        "without memory",
        "without other questions",
        "without trails",
        "trails alone",
    ]
    assert found["ablations"]["without question map"]["ndcg@10"] < after
    assert found["differences"]["search_learned"]["to"] == "search"
    assert found["differences"]["search_learned"]["mean"] == pytest.approx(after - before)
    assert found["differences"]["without memory"]["to"] == "search_learned"
    assert set(found["latency_ms"]) == {"p50", "p95"}


def test_a_repeated_run_says_the_same(evaluate: Callable[..., Ran], slang: Path) -> None:
    words = (slang, "--learn", "unseen", "--seeds", "1", "--wrong", "0.3", "--json")
    first, second = printed(evaluate(*words)), printed(evaluate(*words))
    assert first["systems"] == second["systems"]
    assert first["seeds"] == second["seeds"]


def test_a_question_that_comes_again_finds_what_helped(evaluate: Callable[..., Ran], riddles: Path) -> None:
    found = printed(evaluate(riddles, "--learn", "repeated", "--seeds", "2", "--json"))
    assert found["feedbacks"] == 20
    assert found["systems"]["search_learned"] == pytest.approx(ALL_RIGHT)
    assert found["systems"]["search"]["ndcg@10"] < 0.7


def test_after_long_without_use_the_search_is_as_before(evaluate: Callable[..., Ran], riddles: Path) -> None:
    found = printed(evaluate(riddles, "--learn", "repeated", "--seeds", "1", "--aged", "500", "--json"))
    assert found["aged"] == 500
    assert found["systems"]["search_learned"] == found["systems"]["search"]


def test_wrong_feedback_misleads(evaluate: Callable[..., Ran], riddles: Path) -> None:
    """All of it names another drawer, which then stands first in place of the right one."""
    found = printed(evaluate(riddles, "--learn", "repeated", "--seeds", "1", "--wrong", "1", "--json"))
    assert found["wrong"] == 1
    before, after = _ndcg(found)
    assert after < before
    assert found["systems"]["search_learned"]["mrr@10"] <= 0.5


def test_the_curve_is_drawn_and_kept(evaluate: Callable[..., Ran], slang: Path, tmp_path: Path) -> None:
    picture = tmp_path / "curve.png"
    ran = evaluate(slang, "--learn", "unseen", "--seeds", "2", "--curve", picture)
    assert ran.code == 0, ran.err
    assert "learn unseen: 15+15 feedbacks, 15+15 questions measured" in ran.out
    assert picture.read_bytes().startswith(b"\x89PNG")
    points = json.loads(picture.with_suffix(".json").read_text())["slang"]
    assert [point["feedbacks"] for point in points] == [0, 5, 10, 15]
    assert points[0]["gain"] == 0
    assert points[-1]["gain"] == pytest.approx(points[-1]["mean"] - points[0]["mean"])
    assert points[-1]["mean"] > points[0]["mean"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--seeds", "3"], "needs --learn, for example"),
        (["--aged", "0"], "needs --learn, for example"),
        (["--curve", "x.png"], "needs --learn, for example"),
        (["--learn", "all"], "must be unseen or repeated"),
        (["--learn", "unseen", "--seeds", "0"], "must be 1 to 100"),
        (["--learn", "unseen", "--aged", "-1"], "must be 0 to 1000000 cycles"),
        (["--learn", "unseen", "--wrong", "1.5"], "must be 0 to 1"),
        (["--learn", "unseen", "--wrong", "nan"], "must be 0 to 1"),
        (["--learn", "repeated", "--curve", "x.png"], "a curve needs learn 'unseen'"),
        (["--learn", "unseen", "--aged", "5", "--curve", "x.png"], "leave out aged"),
        (["--learn", "unseen", "--curve", "x.jpg"], "must end in .png"),
        (["--learn", "unseen", "--curve", "nowhere/x.png"], "nowhere is not a folder"),
    ],
)
def test_what_makes_no_sense_is_refused(
    evaluate: Callable[..., Ran], riddles: Path, words: list[str], said: str
) -> None:
    ran = evaluate(riddles, *words)
    assert ran.code == EXIT["VALIDATION_ERROR"]
    assert said in " ".join(ran.err.split())
    assert ran.out == ""


def test_learning_that_is_switched_off_is_not_measured(
    evaluate: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, riddles: Path
) -> None:
    monkeypatch.setenv("GRAPHPALACE_LEARNING__ENABLED", "false")
    ran = evaluate(riddles, "--learn", "unseen")
    assert ran.code == EXIT["VALIDATION_ERROR"]
    assert "set [learning] enabled = true" in ran.err


@pytest.mark.parametrize(
    ("kind", "code", "said"),
    [
        ("of the model", 0, ""),
        ("of another model", "VALIDATION_ERROR", "to the model that made"),
        ("of another dimension", 0, "so it embeds all texts"),
    ],
)
def test_shortened_questions_need_the_model_of_the_given_embeddings(
    evaluate: Callable[..., Ran], tmp_path: Path, kind: str, code: str | int, said: str
) -> None:
    texts, asked = [f"answer{at}" for at in range(10)], [f"what is riddle{at}" for at in range(10)]
    random = np.random.default_rng(1)
    given = {
        "of the model": [WordEmbedder().embed(texts), WordEmbedder().embed(asked)],
        "of another model": [random.standard_normal((10, 384)) for _ in range(2)],
        "of another dimension": [random.standard_normal((10, 400)) for _ in range(2)],
    }[kind]
    folder = write_collection(
        tmp_path / "given",
        [{"_id": f"d{at}", "text": text} for at, text in enumerate(texts)],
        [{"_id": f"q{at}", "text": text} for at, text in enumerate(asked)],
        [(f"q{at}", f"d{at}", 1) for at in range(10)],
        vectors=given[0],
        query_vectors=given[1],
    )
    ran = evaluate(folder, "--learn", "repeated", "--seeds", "1")
    assert ran.code == (EXIT[code] if isinstance(code, str) else code), ran.err
    assert said in " ".join(ran.err.split())


def test_without_anything_to_reward_there_is_nothing_to_measure(evaluate: Callable[..., Ran], tmp_path: Path) -> None:
    """The relevant documents have no text, so no search can show them."""
    folder = write_collection(
        tmp_path / "hopeless",
        [{"_id": "d0", "text": "something"}, {"_id": "d1", "text": ""}],
        [{"_id": "q0", "text": "one"}, {"_id": "q1", "text": "two"}],
        [("q0", "d1", 1), ("q1", "d1", 1)],
    )
    ran = evaluate(folder, "--learn", "unseen")
    assert ran.code == EXIT["VALIDATION_ERROR"]
    assert "nothing to learn from" in " ".join(ran.err.split())
