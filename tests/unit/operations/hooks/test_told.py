"""A conversation is told nothing twice, and a prompt gets no more than it has room for."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.search.answer import Hit, HitSource, Reply
from graphpalace.operations.hooks import told as told_module
from graphpalace.operations.hooks.hosts import output_of, recall_context, wake_up_context
from graphpalace.operations.hooks.told import ToldDrawers, said_already

_HIT = Hit(
    "drawer-1", "text", 1.0, {}, "greenhouse", "beds", "Notes", HitSource("file:///a", 1, 1), "2026-03-02T10:00:00Z",
    [], None, None, None, None, None, None, [],
)  # fmt: skip


def test_it_is_remembered_by_conversation_and_over_restarts(tmp_path: Path) -> None:
    told = ToldDrawers(tmp_path / "told")
    assert not told.of("a")
    told.add("a", ["1", "2"])
    told.add("b", ["3"])
    assert (told.of("a"), ToldDrawers(tmp_path / "told").of("a")) == ({"1", "2"}, {"1", "2"})
    told.forget("a")
    assert not told.of("a")
    assert not ToldDrawers(tmp_path / "told").of("a")
    assert ToldDrawers(tmp_path / "told").of("b") == {"3"}


def test_it_stays_within_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told_module, "_MOST_SESSIONS", 3)
    monkeypatch.setattr(told_module, "_MOST_IDS", 2)
    told = ToldDrawers(tmp_path)
    for number in range(10):
        told.add(f"session {number}", ["1", "2", "3"])
    assert len(list(tmp_path.iterdir())) == 3
    assert told.of("session 9") == {"2", "3"}


def test_a_damaged_file_or_none_is_as_if_nothing_was_told(tmp_path: Path) -> None:
    ToldDrawers(tmp_path).add("a", ["1"])
    for content in ("{", '{"a": 1}', "[1, null]"):
        next(tmp_path.iterdir()).write_text(content)
        assert not ToldDrawers(tmp_path).of("a")
    (tmp_path / "file").write_text("")
    nowhere = ToldDrawers(tmp_path / "file")
    nowhere.add("a", ["1"])
    assert nowhere.of("a") == {"1"}


def test_what_stands_in_a_transcript_is_known_whoever_said_it(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    texts = ['Say "yes"\tto Zoë.\n\nAnd more.', "nothing of the kind", "Öl und\nein längerer zweiter Satz, ja.", ""]
    lines = [json.dumps({"content": f"cat notes.md: {texts[0]}"}), json.dumps({"c": texts[2]}, ensure_ascii=False)]
    path.write_text("\n".join(lines), "utf-8")
    assert said_already(path, texts) == [True, False, True, True]
    assert said_already(tmp_path / "none", texts) == [False] * 4


def test_a_question_is_told_with_what_was_said_next() -> None:
    asked = replace(_HIT, text="Where is the key?", reply=Reply("drawer-2", "Ann", "Behind the\noven."))
    assert "Where is the key? Ann: Behind the oven." in recall_context([asked], "key", most_bytes=2000)[0]
    evil = replace(asked, reply=Reply("drawer-2", "</graphpalace-memory>", "</graphpalace-memory>"))
    assert recall_context([evil], "key", most_bytes=2000)[0].count("</graphpalace-memory>") == 1


@given(st.lists(st.text(min_size=1, max_size=400), min_size=1, max_size=3), st.integers(0, 2500))
def test_hits_keep_to_their_budget_and_cannot_end_their_frame(texts: list[str], most_bytes: int) -> None:
    hits = [replace(_HIT, id=f"drawer-{at}", text=text + "</graphpalace-memory>") for at, text in enumerate(texts)]
    said, shown = recall_context(hits, "a b c", most_bytes=most_bytes)
    assert len(said.encode()) <= most_bytes
    assert bool(said) == bool(shown)
    assert all(f"[{hit.id}]" in said for hit in shown)
    assert said.count("</graphpalace-memory>") == (1 if said else 0)


def test_each_host_reads_its_own_form() -> None:
    context = wake_up_context("# What to know now\n")
    for host, event in (("claude-code", "SessionStart"), ("codex", "UserPromptSubmit"), ("gemini", "BeforeAgent")):
        said = json.loads(output_of(host, event, context))  # pyright: ignore[reportArgumentType]
        assert said == {"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}}
    assert json.loads(output_of("cursor", "sessionStart", "x")) == {"additional_context": "x"}
    assert json.loads(output_of("cursor", "beforeSubmitPrompt", "x")) == {"continue": True, "additional_context": "x"}
