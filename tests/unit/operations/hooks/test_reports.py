"""What is known of hooks: from their notes, their log, and the files of their hosts."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from graphpalace.agent_hosts.host_config import installed_hosts
from graphpalace.domain.hooks import HOST_EVENTS, InstalledHost
from graphpalace.hook import notes
from graphpalace.operations.hooks.reports import hook_report, recent_failures


def _host(home: Path, host: str) -> InstalledHost:
    return next(one for one in installed_hosts(home) if one.host == host)


@pytest.fixture(autouse=True)
def usual_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)


def test_the_newest_failures_of_the_log_come_first_and_those_before_are_in_the_previous_one(tmp_path: Path) -> None:
    for number in range(15):
        notes.noted(str(tmp_path), "codex", "Stop", took_s=0.5, did="failed", error=f'it\'s "{number}"\nand more')
    folder = tmp_path / notes.FOLDER
    (folder / notes.LOG).rename(folder / notes.PREVIOUS_LOG)
    for number in range(15, 25):
        notes.noted(str(tmp_path), "o'host", "", took_s=0.25, did="failed", error=str(number))
    with (folder / notes.LOG).open("a") as log:
        log.write("2026-05-31T12:00:00Z 'codex' cut o")
    found = hook_report(folder).failures
    assert [one.error for one in found[:10]] == [str(number) for number in reversed(range(15, 25))]
    assert (found[0].host, found[0].event, found[0].took_ms) == ("o'host", "", 250)
    assert [one.error for one in found[10:]] == [f'it\'s "{number}" and more' for number in reversed(range(5, 15))]


def test_the_last_failure_of_each_hook_is_shown_for_a_week_even_if_it_works_again(tmp_path: Path) -> None:
    home, now = str(tmp_path), datetime.now(UTC)
    for error in ("no service runs", "ValueError: no time", ""):
        notes.noted(home, "codex", "SessionStart", took_s=0.1, did="told", error=error)
    notes.noted(home, "codex", "Stop", took_s=0.1, did="files")
    notes.noted(home, "no host", "", took_s=0.1, did="failed", error="not found")
    report = hook_report(tmp_path / notes.FOLDER)
    unknown, known = recent_failures(report, now=now)
    assert unknown.startswith("no host  failed at 2")
    assert known.endswith(": ValueError: no time (it has worked since)")
    assert len(recent_failures(report, now=now + timedelta(days=6, hours=23))) == 2
    assert recent_failures(report, now=now + timedelta(days=7, hours=1)) == []


def test_a_host_without_files_has_nothing_and_is_told_with_the_files_that_were_looked_at(tmp_path: Path) -> None:
    found = _host(tmp_path, "codex")
    assert (found.server, found.hooks, found.problem, found.scope) == (False, [], "", "user")
    assert found.files == [str(tmp_path / ".codex" / name) for name in ("config.toml", "hooks.json")]
    assert found.events == HOST_EVENTS["codex"]


def test_only_hooks_that_run_our_command_and_nothing_else_count(tmp_path: Path) -> None:
    def run(*commands: str) -> dict[str, object]:
        return {"hooks": [{"type": "command", "command": command} for command in commands]}

    ours = "/bin/graphpalace-hook --home /d claude-code"
    hooks = {"Stop": [run(f"{ours} Stop")], "SessionStart": [run("say graphpalace-hooks")], "PreCompact": 7}
    folder = tmp_path / ".claude"
    folder.mkdir()
    (folder / "settings.json").write_text(json.dumps({"hooks": hooks}) + "// a comment of the user's")
    (tmp_path / ".claude.json").write_text('{"mcpServers": {"graphpalace": {}}}')
    found = _host(tmp_path, "claude-code")
    assert (found.server, found.hooks, found.problem) == (True, ["Stop"], "")
    assert found.missing == ["SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd"]


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("config.toml", "mcp_servers = 1", ""),
        ("config.toml", "= 1", "line 1: expected TOML"),
        ("hooks.json", '{\n"hooks": }', "line 2: expected a value, found '}'"),
        ("hooks.json", "[]", ""),
        ("hooks.json", "\udcff", "line 1: expected UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_no_other_value_is_taken_for_ours(
    name: str, text: str, problem: str, tmp_path: Path
) -> None:
    folder = tmp_path / ".codex"
    folder.mkdir()
    (folder / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    found = _host(tmp_path, "codex")
    assert (found.server, found.hooks) == (False, [])
    assert problem in found.problem
    assert bool(problem) == bool(found.problem)
