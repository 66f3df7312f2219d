"""`graphpalace install` and `uninstall` change a host's own files, and nothing else in them."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphpalace.domain.hooks import HOST_EVENTS
from graphpalace.error_codes import EXIT
from graphpalace.hook import notes
from tests.acceptance.commands import Ran, environ_of, in_process
from tests.hook_inputs import EVENTS

CONFIGURED = {  # by host: its files for the user, with servers of others and one hook, OTHERS
    "claude-code": {
        ".claude.json": '{"numStartups":3,"mcpServers":{"other":{"command":"npx"}},"projects":{"/a":{"b":"ü"}}}',
        ".claude/settings.json": '{\n    "hooks": {\n        "Stop": [{"hooks": [OTHERS]}]\n    }\n}\n',
    },
    "codex": {
        ".codex/config.toml": '# mine\nmodel = "gpt-6"   # quick\n\n[mcp_servers.other]\ncommand = "npx"\n\n[f]\nx = 1',
        ".codex/hooks.json": '{"hooks": {"Stop": [{"hooks": [OTHERS]}], "SessionStart": []}}',
    },
    "cursor": {
        ".cursor/mcp.json": '{\r\n\t"mcpServers": {\r\n\t}\r\n}\r\n',
        ".cursor/hooks.json": '{"version": 1, "hooks": {"stop": [{"command": "say done"}], "afterFileEdit": []}}\n',
    },
    "gemini": {
        ".gemini/settings.json": '// mine\n{\n  "hooks": {\n    "AfterAgent": [{"hooks": [OTHERS]}] // speaks\n  }\n}',
    },
}
PROJECT = {
    "claude-code": {".mcp.json", ".claude/settings.json"},
    "codex": {".codex/config.toml", ".codex/hooks.json"},
    "cursor": {".cursor/mcp.json", ".cursor/hooks.json"},
    "gemini": {".gemini/settings.json"},
}
HOOKS = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "cursor": ".cursor/hooks.json",
    "gemini": ".gemini/settings.json",
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's home."""
    folder = tmp_path / "höme of ann"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """The data folder."""
    folder = tmp_path / "the data"
    folder.mkdir()
    return folder


@pytest.fixture
def run(
    data_dir: Path, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """Run `graphpalace` in a project."""
    project = tmp_path / "project"
    project.mkdir()
    environ = environ_of({"data_dir": str(data_dir)})
    del environ["GRAPHPALACE_CONFIG"]  # it would be told to the host
    return in_process(environ | {"GRAPHPALACE_PALACE__NAME": "work"}, project, monkeypatch, capsys)


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def configure(home: Path, host: str) -> dict[str, bytes]:
    for name, text in CONFIGURED[host].items():
        path = home / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.replace("OTHERS", '{"type": "command", "command": "say done"}').encode())
        path.chmod(0o640)
    return files_in(home)


def said(data: bytes) -> Any:
    text = "\n".join(line.partition("//")[0] for line in data.decode().splitlines())
    return json.loads(text)


def commands(hooks: dict[str, Any], host: str, event: str) -> list[str]:
    groups = hooks[event]
    if host == "cursor":
        return [one["command"] for one in groups]
    return [one["command"] for group in groups for one in group["hooks"]]


@pytest.mark.parametrize("host", EVENTS)
def test_a_host_gets_server_and_hooks_once_and_is_as_before_afterwards(
    host: str, home: Path, data_dir: Path, run: Callable[..., Ran]
) -> None:
    before = configure(home, host)
    dry = run("install", host, "--dry-run")
    assert dry.code == 0
    assert "+++ " in dry.out
    assert (files_in(home), list(data_dir.iterdir())) == (before, [])
    unasked = run("install", host)
    assert unasked.code == EXIT["VALIDATION_ERROR"]
    assert "give --yes" in unasked.err
    assert files_in(home) == before

    done = run("install", host, "--yes")
    assert done.code == 0, done.err
    after = files_in(home)
    assert {name.removesuffix(".before-graphpalace") for name in after} == before.keys()
    for name, data in before.items():
        assert after[f"{name}.before-graphpalace"] == data
        assert {(home / one).stat().st_mode & 0o777 for one in (name, f"{name}.before-graphpalace")} == {0o640}
    servers, hooks = _servers(after, host), _hooks(after, host)
    assert servers["graphpalace"]["args"][0] == "mcp"
    assert servers["graphpalace"]["env"]["GRAPHPALACE_NEO4J__DATA_DIR"] == str(data_dir)
    assert ("other" in servers) == (host in ("claude-code", "codex"))
    for event in HOST_EVENTS[host]:  # pyright: ignore[reportArgumentType]
        ours = [one for one in commands(hooks, host, event.name) if "graphpalace-hook" in one]
        assert len(ours) == 1
        assert shlex.split(ours[0])[1:] == ["--home", str(data_dir), "--palace", "work", host, event.name]
    assert sum("say done" in commands(hooks, host, event) for event in hooks) == 1
    assert run("install", host, "--yes").out == f"{host} is installed already\n"
    assert files_in(home) == after

    listed = json.loads(run("install", "--list", "--json").out)["installed"]
    mine = next(one for one in listed if (one["host"], one["scope"]) == (host, "user"))
    assert (mine["server"], mine["missing"], mine["problem"]) == (True, [], "")
    assert run("uninstall", host, "--dry-run").code == 0
    assert files_in(home) == after
    assert run("uninstall", host, "--yes").code == 0
    assert files_in(home) == before
    assert run("uninstall", host, "--yes").out == f"{host} is not installed\n"


@pytest.mark.parametrize("host", EVENTS)
def test_what_others_write_after_the_install_stays(host: str, home: Path, run: Callable[..., Ran]) -> None:
    assert run("install", host, "--project", "--yes").code == 0
    project = Path.cwd()
    assert files_in(project).keys() == PROJECT[host]
    assert not files_in(home)
    for name in PROJECT[host]:  # others add a server and a hook, before and after ours
        path = project / name
        if path.suffix == ".toml":
            path.write_text('[mcp_servers.a]\ncommand = "a"\n\n' + path.read_text() + "\n[later]\nx = 1 # x\n")
            continue
        value = json.loads(path.read_text())
        value["later"] = {"x": 1}
        for event, groups in value.get("hooks", {}).items():
            other = {"command": f"say {event}", "type": "command"}
            groups.insert(0, other if host == "cursor" else {"hooks": [other]})
            if host != "cursor":
                groups[-1]["hooks"].append(other)
        path.write_text(json.dumps(value))
    assert run("uninstall", host, "--project", "--yes").code == 0
    left = files_in(project)
    assert left.keys() == PROJECT[host]
    assert not any(b"graphpalace" in data for data in left.values())
    for name, data in left.items():
        if name.endswith(".toml"):
            assert tomllib.loads(data.decode()) == {"mcp_servers": {"a": {"command": "a"}}, "later": {"x": 1}}
            assert b"x = 1 # x\n" in data
            continue
        value = json.loads(data)
        assert value["later"] == {"x": 1}
        for event in value.get("hooks", {}):
            assert set(commands(value["hooks"], host, event)) == {f"say {event}"}
    # Taken up again and removed, when nothing of ours is known to the data folder.
    assert run("install", host, "--project", "--yes").code == 0
    assert run("uninstall", host, "--project", "--yes", GRAPHPALACE_NEO4J__DATA_DIR=str(home / "none")).code == 0
    assert not any(b"graphpalace" in data for data in files_in(project).values())


@pytest.mark.parametrize(
    ("host", "name", "text", "why"),
    [
        ("claude-code", ".claude/settings.json", '{\n  "a": 1,\n}\n', "line 3: expected a key in double quotes"),
        ("gemini", ".gemini/settings.json", '{"a": "b\n"}', "line 1: expected a text that ends on its line"),
        ("gemini", ".gemini/settings.json", '{"hooks": "\xff"}', "line 1: expected UTF-8"),
        ("codex", ".codex/config.toml", "a = 1\nb = \n", "line 2: expected TOML"),
        ("cursor", ".cursor/hooks.json", "hooks\n", "line 1: expected a value"),
    ],
)
def test_a_broken_file_is_named_with_its_line_and_left_as_it_is(
    host: str, name: str, text: str, why: str, home: Path, run: Callable[..., Ran]
) -> None:
    check_refused(host, home / name, text.encode("latin-1"), why, run, "install", "uninstall")
    listed = json.loads(run("install", "--list", "--json").out)["installed"]
    assert why in next(one for one in listed if (one["host"], one["scope"]) == (host, "user"))["problem"]


@pytest.mark.parametrize(
    ("host", "name", "text", "why"),
    [
        ("cursor", ".cursor/hooks.json", '{"hooks": {"stop": {}}}', "line 1: expected an array as hooks.stop"),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": []}', "line 1: expected an object as mcpServers"),
        ("cursor", ".cursor/mcp.json", "[]", "line 1: expected an object"),
        ("codex", ".codex/config.toml", 'mcp_servers = {a = {command = "b"}}\n', "expected tables [mcp_servers.NAME]"),
        ("codex", ".codex/config.toml", "mcp_servers = 1\n", "expected a table as mcp_servers"),
    ],
)
def test_a_file_with_something_else_in_the_place_is_left_as_it_is(
    host: str, name: str, text: str, why: str, home: Path, run: Callable[..., Ran]
) -> None:
    check_refused(host, home / name, text.encode(), why, run, "install")


def check_refused(host: str, path: Path, data: bytes, why: str, run: Callable[..., Ran], *commands: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    for command in commands:
        ran = run(command, host, "--yes")
        assert ran.code == EXIT["SETTINGS_INVALID"], ran
        assert str(path) in ran.err
        assert why in ran.err
        assert files_in(path.parent) == {path.name: data}


def test_links_stay_links_and_other_places_of_configuration_are_respected(
    home: Path, tmp_path: Path, run: Callable[..., Ran]
) -> None:
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "cursor.json").write_text("{}\n")
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").symlink_to(dotfiles / "cursor.json")
    assert run("install", "cursor", "--yes").code == 0
    assert (home / ".cursor" / "mcp.json").is_symlink()
    assert "graphpalace" in (dotfiles / "cursor.json").read_text()
    elsewhere = {"CLAUDE_CONFIG_DIR": str(tmp_path / "claude"), "CODEX_HOME": str(tmp_path / "codex")}
    assert run("install", "claude-code", "--yes", **elsewhere).code == 0
    assert run("install", "codex", "--yes", **elsewhere).code == 0
    assert files_in(tmp_path / "claude").keys() == {".claude.json", "settings.json"}
    assert files_in(tmp_path / "codex").keys() == {"config.toml", "hooks.json"}


def test_what_is_installed_is_listed_with_its_last_run_and_last_problem(
    home: Path, data_dir: Path, run: Callable[..., Ran]
) -> None:
    assert run("install").code == run("install", "emacs", "--yes").code == EXIT["VALIDATION_ERROR"]
    assert "it must be one of claude-code, codex, cursor, gemini" in run("uninstall", "emacs").err
    run("install", "codex", "--yes")
    command = commands(_hooks(files_in(home), "codex"), "codex", "Stop")[0]
    done = subprocess.run(["sh", "-c", command], input="{}", capture_output=True, text=True, check=False, cwd=home)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    notes.noted(str(data_dir), "codex", "SessionStart", took_s=0.05, did="told")
    shown = run("install", "--list").out
    (line,) = [line for line in shown.splitlines() if line.startswith("codex ")]
    assert re.search(r"the user\s+yes\s+4 of 4\s.*no service runs", line)
    assert "cursor: beforeSubmitPrompt:" in shown
    report = json.loads(run("install", "--list", "--json").out)["hooks"]
    assert {one["event"]: one["failures"] for one in report["runs"]} == {"SessionStart": 0, "Stop": 1}


def _servers(files: dict[str, bytes], host: str) -> dict[str, Any]:
    if host == "codex":
        return tomllib.loads(files[".codex/config.toml"].decode())["mcp_servers"]
    name = next(name for name in CONFIGURED[host] if name != ".claude/settings.json")
    return said(files[name])["mcpServers"]


def _hooks(files: dict[str, bytes], host: str) -> dict[str, Any]:
    return said(files[HOOKS[host]])["hooks"]
