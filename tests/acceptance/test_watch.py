"""`graphpalace watch` and `ingest` file the transcripts of agents."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests import transcripts
from tests.acceptance.commands import GRAPHPALACE, environ_of, in_process
from tests.spare_palaces import spare_name


def test_transcripts_are_filed_once_as_they_appear_and_together_with_other_files(
    tmp_path: Path,
    neo4j_settings: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    environ = environ_of(neo4j_settings, spare_name()) | {"HOME": str(tmp_path)}
    command = in_process(environ, tmp_path, monkeypatch, capsys)
    folder = tmp_path / ".claude" / "projects" / "-home-ann-greenhouse"
    folder.mkdir(parents=True)
    path = folder / f"{transcripts.SESSION}.jsonl"
    path.write_bytes(transcripts.lines(transcripts.CLAUDE_CODE[:5]))
    (folder / "notes.jsonl").write_text('{"a": 1}\n')

    def run(*words: str, code: int = 0) -> str:
        ran = command(*words)
        assert ran.code == code, ran
        return ran.out + ran.err

    assert "emacs is no folder, and none of the hosts" in run("watch", "emacs", code=3)
    assert "codex has kept no transcripts here" in run("watch", "codex", code=3)
    assert "wing is ' '" in run("watch", "claude-code", "--wing", " ", code=2)
    first = run("watch", "claude-code", "--once")
    assert f"greenhouse: 1 turn of conversation:claude-code/{transcripts.SESSION}" in first
    assert "1 transcript read, 1 with something new" in first
    assert run("watch", "claude-code", "--once") == "1 transcript read, none with something new\n"
    watching = subprocess.Popen([GRAPHPALACE, "watch", str(folder), "--json"], env=environ, stdout=subprocess.PIPE)
    try:
        assert watching.stdout is not None
        assert json.loads(watching.stdout.readline())["turns"] == 0  # what is there is filed already
        with path.open("ab") as opened:
            opened.write(transcripts.lines(transcripts.CLAUDE_CODE[5:]))
        turns = 0
        while turns < 5:
            turns += json.loads(watching.stdout.readline())["turns"]
        watching.send_signal(signal.SIGTERM)
        assert watching.wait(60) == 0
    finally:
        if watching.poll() is None:
            os.kill(watching.pid, signal.SIGKILL)
    (folder / "plan.md").write_text("# Plan\n\nOpen the valve earlier.\n")
    report = json.loads(run("ingest", str(folder), "--wing", "greenhouse", "--json"))
    assert (report["files_total"], report["documents_unchanged"], report["drawers_created"]) == (3, 1, 2)
    hits = json.loads(run("search", "pump cellar", "--wing", "greenhouse", "--json"))["hits"]
    assert hits[0]["text"] == "The pump is in the cellar."
    assert "6 drawers" in run("forget", "--conversation", f"claude-code/{transcripts.SESSION}", "--yes")
    assert "was forgotten on 20" in run("watch", "claude-code", "--once")
    assert "greenhouse: 6 turns of conversation" in run("watch", "claude-code", "--once", "--again")
    assert run("palace", "drop", environ["GRAPHPALACE_PALACE__NAME"], "--yes")
