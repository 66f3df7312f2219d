"""What `graphpalace mcp --print-config HOST` prints is what the host reads, and starts this command."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from graphpalace.error_codes import EXIT
from tests.acceptance.commands import GRAPHPALACE, Ran, apart, environ_of

# The key of the servers in the host's file, and whether a server must say that it is one of standard input and output.
_JSON = {
    "claude-code": ("mcpServers", True, "structured"),
    "claude-desktop": ("mcpServers", False, "text"),
    "cursor": ("mcpServers", False, "text"),
    "gemini": ("mcpServers", False, "text"),
    "vscode": ("servers", True, "structured"),
}


def printed(folder: Path, *words: str, **settings: str) -> Ran:
    environ = environ_of({"data_dir": str(folder / "höme")}) | settings
    del environ["GRAPHPALACE_CONFIG"]  # the printed environment would name it
    return apart(environ | {"GRAPHPALACE_PALACE__NAME": "work"}, folder, "mcp", "--print-config", *words)


def check_server(server: dict[str, Any], folder: Path, answers: str) -> None:
    assert Path(server["command"]).samefile(GRAPHPALACE)
    given = ["--answers", "text"] if answers == "text" else []
    assert server["args"] == ["mcp", *given, "--profile", "core,runs", "--read-only"]
    assert server["env"] == {"GRAPHPALACE_NEO4J__DATA_DIR": str(folder / "höme"), "GRAPHPALACE_PALACE__NAME": "work"}


@pytest.mark.parametrize("host", _JSON)
def test_a_host_that_reads_json_finds_the_server_under_its_key(host: str, tmp_path: Path) -> None:
    outer, kind, answers = _JSON[host]
    ran = printed(tmp_path, host, "--profile", "core,runs", "--read-only")
    assert ran.code == 0, ran.err
    assert "Put this into" in ran.err
    server = json.loads(ran.out)[outer]["graphpalace"]
    assert server.pop("type", None) == ("stdio" if kind else None)
    check_server(server, tmp_path, answers)


def test_codex_finds_the_server_in_toml_and_waits_until_the_service_has_started(tmp_path: Path) -> None:
    ran = printed(tmp_path, "codex", "--profile", "core,runs", "--read-only")
    server = tomllib.loads(ran.out)["mcp_servers"]["graphpalace"]
    assert server["startup_timeout_sec"] == 60
    check_server(server, tmp_path, "structured")


def test_a_host_that_is_not_known_is_refused_with_those_that_are(tmp_path: Path) -> None:
    ran = printed(tmp_path, "emacs")
    assert (ran.code, ran.out) == (EXIT["VALIDATION_ERROR"], ""), ran.err
    assert "it must be one of claude-code, claude-desktop, codex, cursor, gemini, vscode" in ran.err
    assert "fastest" in printed(tmp_path, "vscode", "--profile", "fastest").err
