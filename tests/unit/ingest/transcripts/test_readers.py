"""Transcripts of each host are read word for word, without what the host put in."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests import transcripts

from graphpalace.domain.conversations import Transcript
from graphpalace.errors import InvalidInput, UnreadableDocument
from graphpalace.ingest.transcripts.hosts import host_of, read_transcript
from graphpalace.ingest.transcripts.turns import Turn, title_of, turns_of


def _read(data: bytes, path: str = "x.jsonl", **options: str) -> Transcript:
    found = read_transcript(data, Path(path), **options)
    assert found is not None
    return found


def _said(transcript: Transcript) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.text) for turn in _turns(transcript)]


def _turns(transcript: Transcript) -> list[Turn]:
    return turns_of(transcript, mask=True)


def test_claude_code_keeps_what_was_said_and_folds_calls_of_tools() -> None:
    read = _read(transcripts.lines(transcripts.CLAUDE_CODE), f"/x/{transcripts.SESSION}.jsonl")
    assert (read.host, read.conversation, read.project) == ("claude-code", transcripts.SESSION, "greenhouse")
    assert _said(read) == [
        ("user", "/review the valves"),
        (
            "assistant",
            "I look at the valve first.\n\n[Read: /home/ann/greenhouse/valve.py]\n[Bash: pytest -q tests/]\n\n"
            "The valve opens at noon.",
        ),
        ("user", "Thanks.\nAnd the pump?"),
        ("subagent task", "Look for the pump."),
        ("subagent", "The pump is in the cellar."),
        ("assistant", "It is in the cellar."),
    ]
    assert [turn.time for turn in _turns(read)][:2] == [
        datetime(2026, 3, 2, 10, 0, tzinfo=UTC),
        datetime(2026, 3, 2, 10, 1, tzinfo=UTC),
    ]
    assert title_of(read, []) == "Valves and pumps"


def test_the_transcript_of_a_subagent_is_a_part_of_the_conversation_that_it_belongs_to() -> None:
    records = [record for record in transcripts.CLAUDE_CODE if record.get("isSidechain")]
    read = _read(transcripts.lines(records), "/x/subagents/agent-a17.jsonl")
    assert read.conversation == f"{transcripts.SESSION}#a17"
    assert [speaker for speaker, _ in _said(read)] == ["subagent task", "subagent"]


def test_codex_keeps_what_was_said_and_leaves_out_instructions_and_results() -> None:
    read = _read(transcripts.lines(transcripts.CODEX))
    assert (read.host, read.conversation, read.project) == ("codex", "0199-codex", "greenhouse")
    assert _said(read) == [
        ("user", "Count the seedlings."),
        ("assistant", "[shell: ls beds]\n[apply_patch: beds/one.md]\n\nThere are three."),
        ("user", "yes"),
        ("assistant", "Done."),
        ("user", "yes"),
        ("assistant", "Done."),
    ]
    assert len({turn.key for turn in _turns(read)}) == 6


def test_codex_as_it_was_before_its_lines_had_types() -> None:
    old = [
        {"id": "old-1", "timestamp": "2025-07-01T10:00Z", "instructions": None, "git": {"repository_url": "a/b.git"}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "hi"}]},
    ]  # fmt: skip
    read = _read(transcripts.lines(old))
    assert (read.conversation, read.project, _said(read)) == ("old-1", "b", [("user", "hello"), ("assistant", "hi")])


@pytest.mark.parametrize("data", [transcripts.GEMINI_WHOLE, transcripts.GEMINI_LINES], ids=["whole", "lines"])
def test_gemini_gives_the_same_from_one_value_as_from_lines(data: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "greenhouse-1" / "chats"
    folder.mkdir(parents=True)
    (folder.parent / ".project_root").write_text("/home/ann/greenhouse\n")
    read = _read(data, str(folder / "session-2026.json"))
    assert (read.host, read.conversation, read.project) == ("gemini", transcripts.GEMINI_ID, "greenhouse")
    assert _said(read) == [
        ("user", "Is the water warm?"),
        ("assistant", "I ask the sensor.\n\n[run_shell_command: sensor --read]\n\nIt has 21 degrees."),
    ]


def test_cursor_keeps_the_question_without_the_context_of_the_editor() -> None:
    read = _read(
        transcripts.lines(transcripts.CURSOR), "/h/.cursor/projects/home-ann-shed/agent-transcripts/c-1/c-1.jsonl"
    )
    assert (read.host, read.conversation, read.project) == ("cursor", "c-1", "home-ann-shed")
    assert _said(read) == [
        ("user", "Rename the shed."),
        ("assistant", "I rename it.\n\n[StrReplace: shed.py]\n\n[Shell: git diff]"),
    ]
    assert _turns(read)[0].time == datetime(2026, 4, 28, 7, 15, tzinfo=UTC)


def test_a_last_line_that_is_not_complete_waits_and_a_damaged_one_is_left_out() -> None:
    whole = transcripts.lines(transcripts.CODEX)
    cut = whole[: whole.rindex(b'"Done."') + 3]
    assert _said(_read(cut)) == _said(_read(whole))[:-1]
    damaged = whole.replace(b'"type": "turn_context"', b'"type": turn_context', 1)
    assert _said(_read(damaged)) == _said(_read(whole))
    assert [_read(data).broken_lines for data in (whole, cut, damaged)] == [0, 0, 1]


@pytest.mark.parametrize(
    ("records", "path"),
    [
        (transcripts.CLAUDE_CODE, f"/x/{transcripts.SESSION}.jsonl"),
        (transcripts.CURSOR, "/h/agent-transcripts/c-1/c-1.jsonl"),
        ([json.loads(line) for line in transcripts.GEMINI_LINES.splitlines()], "/x/chats/s.jsonl"),
    ],
    ids=["claude-code", "cursor", "gemini"],
)
def test_broken_lines_of_a_transcript_are_counted(records: list[dict[str, Any]], path: str) -> None:
    good = transcripts.lines(records)
    first, rest = good.split(b"\n", 1)
    broken = _read(first + b'\n{"role": "user", "mess\n\n[]\n' + rest + b'{"role": "assi', path)
    assert _said(broken) == _said(_read(good, path))
    assert (broken.broken_lines, _read(good, path).broken_lines) == (2, 0)
    assert _read(transcripts.GEMINI_WHOLE, "/x/chats/s.json").broken_lines == 0


def test_a_turn_without_a_time_has_that_of_the_turn_before_it() -> None:
    said = [dict(record) for record in transcripts.CODEX]
    timed = [turn.time for turn in _turns(_read(transcripts.lines(said)))]
    for at in (5, 13):  # the first thing that the user says, and the first yes
        del said[at]["timestamp"]
    assert [turn.time for turn in _turns(_read(transcripts.lines(said)))] == [timed[1], timed[1], timed[1], *timed[3:]]


def test_what_is_no_transcript_is_refused_and_an_empty_one_has_nothing() -> None:
    for other in (b'{"a": 1}\n', b"# Notes\n", json.dumps([1, 2]).encode()):
        with pytest.raises(UnreadableDocument, match="no transcript of claude-code"):
            read_transcript(other, Path("x.jsonl"))
    assert read_transcript(b"", Path("x.jsonl")) is None
    assert read_transcript(transcripts.lines(transcripts.CODEX[:5]), Path("x.jsonl")) is None
    with pytest.raises(InvalidInput, match="host is 'emacs'"):
        read_transcript(b"", Path("x.jsonl"), host="emacs")
    assert host_of(b'{"role": "user", "content": "a message of an export"}\n') is None


def test_a_fork_of_a_codex_conversation_has_the_turns_of_its_origin() -> None:
    meta = transcripts.codex("session_meta", {"id": "fork", "forked_from_id": "0199-codex", "cwd": "/home/ann/g"})
    later = [transcripts.codex_says("user", "Now the beans.", minute=50)]
    fork = _turns(_read(transcripts.lines([meta, *transcripts.CODEX, *later])))
    origin = _turns(_read(transcripts.lines(transcripts.CODEX)))
    assert [turn.key for turn in fork[:6]] == [turn.key for turn in origin]
    assert fork[6].text == "Now the beans."


@pytest.mark.parametrize(
    "added",
    [
        "<hook_context>&lt;graphpalace-memory&gt;\nMemory has\n&lt;/graphpalace-memory&gt;</hook_context>",
        "<graphpalace-memory>\nMemory has\n</graphpalace-memory>\n",
        "&lt;graphpalace-memory&gt;\nMemory has\n&lt;/graphpalace-memory&gt;",
    ],
)
def test_what_a_hook_has_added_to_a_prompt_is_not_taken_for_what_the_user_said(added: str) -> None:
    said = transcripts.gemini("user", [{"text": f"Is the water warm?\n\n{added}"}], "g1")
    alone = transcripts.gemini("user", [{"text": added}], "g0")
    data = json.dumps({**json.loads(transcripts.GEMINI_WHOLE), "messages": [alone, said]}).encode()
    assert _said(_read(data, "/x/chats/s.json")) == [("user", "Is the water warm?")]
