"""The process of a hook imports little, notes how it ended, and never takes more of the disk than it may."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from graphpalace.hook import notes

# Each of these takes a third of the start of Python, or more.
_HEAVY = {
    "asyncio",
    "dataclasses",
    "email",
    "http",
    "inspect",
    "pathlib",
    "platformdirs",
    "pydantic",
    "socket",
    "subprocess",
    "threading",
    "typing",
}


def test_a_hook_imports_nothing_that_takes_long() -> None:
    code = "import sys, graphpalace.hook.main; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not _HEAVY & set(done.stdout.split())


def test_runs_are_counted_and_the_last_failure_stays_known(tmp_path: Path) -> None:
    home = str(tmp_path)
    for error in ("", "no\nservice   runs", ""):
        notes.noted(home, "codex", "Stop", took_s=0.0423, did="files", error=error)
    run = json.loads((tmp_path / "hooks" / "codex.Stop.json").read_text())
    assert (run["runs"], run["failures"], run["error"], run["failure"]) == (3, 1, None, "no service runs")
    assert run["took_ms"] == 42.3
    lines = (tmp_path / "hooks" / "hooks.log").read_text().splitlines()
    assert len(lines) == 1
    assert lines[0].endswith("'codex' 'Stop' 0.042 s: no service runs")
    assert (tmp_path / "hooks" / "hooks.log").stat().st_mode & 0o077 == 0


def test_a_damaged_note_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "hooks").mkdir()
    for content in ("{", "[1]", '{"runs": "many"}'):
        (tmp_path / "hooks" / "codex.Stop.json").write_text(content)
        notes.noted(str(tmp_path), "codex", "Stop", took_s=0, did="files")
        assert json.loads((tmp_path / "hooks" / "codex.Stop.json").read_text())["runs"] == 1


@pytest.mark.parametrize(
    ("host", "event"), [("../x", "Stop"), ("codex", "a/b"), ("", ""), ("codex", "x" * 300), ("ü", "Stop")]
)
def test_names_that_no_host_has_are_not_made_into_files(host: str, event: str, tmp_path: Path) -> None:
    notes.noted(str(tmp_path), host, event, took_s=0, did="failed", error="unknown")
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["hooks.log"]


def test_the_log_and_what_is_left_stay_within_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes, "_LOG_BYTES", 4000)
    monkeypatch.setattr(notes, "_MOST_UNFILED", 3)
    for number in range(60):
        notes.noted(str(tmp_path), "codex", "Stop", took_s=0, did="failed", error=f"{number} " + "x" * 5000)
        notes.leave_unfiled(str(tmp_path), "codex", "", {"transcript_path": f"/{number % 5}"})
    sizes = [(tmp_path / "hooks" / name).stat().st_size for name in (notes.LOG, notes.PREVIOUS_LOG)]
    assert max(sizes) < 5000
    assert len(list((tmp_path / "hooks" / "unfiled").iterdir())) == 3


def test_a_data_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    notes.noted(str(file), "codex", "Stop", took_s=0, did="failed", error="x")
    notes.leave_unfiled(str(file), "codex", "", {})
    assert file.read_text() == "mine"


def test_the_command_says_what_it_is_for_and_ends_well_whatever_it_is_given(tmp_path: Path) -> None:
    hook = str(Path(sys.executable).with_name("graphpalace-hook"))

    def ran(*words: str) -> str:
        done = subprocess.run([hook, *words], input="{}", capture_output=True, text=True, check=False, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert "graphpalace-hook [--home DIR]" in ran("--help")
    home = str(tmp_path / "none")
    for words in (["codex"], ["codex", "Stop", "more"], ["--deadline-s", "soon", "codex", "Stop"], ["--home"]):
        assert ran("--home", home, *words) == ""
    assert "no service runs" in (tmp_path / "none" / "hooks" / "hooks.log").read_text()
    broken = tmp_path / "graphpalace.toml"
    broken.write_text("[neo4j")
    assert ran("--config", str(broken), "codex", "Stop") == ""
