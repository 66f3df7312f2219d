"""A worktree belongs to its repository, wherever it is and whether or not it is still there."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from tests import transcripts

from graphpalace.ingest.transcripts.hosts import read_transcript
from graphpalace.ingest.transcripts.project import project_name, slug_project
from graphpalace.operations.hooks.hosts import host_input


def _git(folder: Path, *arguments: str) -> None:
    settings = ("user.name=a", "user.email=a@a.example", "protocol.file.allow=always", "init.defaultBranch=main")
    options = [part for setting in settings for part in ("-c", setting)]
    subprocess.run(["git", *options, *arguments], cwd=folder, check=True, capture_output=True)


def _repository(folder: Path) -> Path:
    folder.mkdir(parents=True)
    _git(folder, "init", "-q")
    _git(folder, "commit", "-q", "--allow-empty", "-m", "begin")
    return folder


@pytest.mark.parametrize(
    ("folder", "project"),
    [
        ("/srv/ferry", "ferry"),
        ("/srv/ferry/", "ferry"),
        ("/srv/ferry/.claude/worktrees/brisk-otter", "ferry"),
        ("/srv/ferry/.claude/worktrees/brisk-otter/src/deck", "ferry"),
        ("/srv/ferry/.claude/worktrees/a/.claude/worktrees/b", "ferry"),
        ("/srv/ferry/.worktrees/tides", "ferry"),
        ("/srv/ferry/.claude/worktrees", "worktrees"),
        ("/srv/ferry/.claude", ".claude"),
        ("/home/cleo/.cursor/worktrees/ferry/x7Qa", "ferry"),
        ("/home/cleo/.codex/worktrees/91ab/ferry/src", "ferry"),
        ("/.claude/worktrees/brisk-otter", "brisk-otter"),
        (r"C:\Users\cleo\ferry", "ferry"),
        ("C:\\Users\\cleo\\ferry\\.claude\\worktrees\\brisk-otter\\", "ferry"),
        ("D:/code/ferry/.claude/worktrees/brisk-otter", "ferry"),
        (r"\\box\share\ferry", "ferry"),
        ("ferry", "ferry"),
        ("/", None),
        ("C:\\", None),
        ("..", None),
        ("", None),
        ("a\0b", None),
        (None, None),
    ],
)
def test_the_path_alone_names_the_project(folder: str | None, project: str | None) -> None:
    assert project_name(folder) == project


def test_a_worktree_elsewhere_belongs_to_its_repository_until_it_is_removed(tmp_path: Path) -> None:
    ferry = _repository(tmp_path / "ferry")
    elsewhere = tmp_path / "trees" / "tides"
    _git(ferry, "worktree", "add", "-q", str(elsewhere))
    (elsewhere / "deck").mkdir()
    (ferry / "deck").mkdir()
    for inside in (elsewhere, elsewhere / "deck", elsewhere / "gone" / "away"):
        assert project_name(str(inside)) == "ferry"
    assert [project_name(str(inside)) for inside in (ferry, ferry / "deck")] == ["ferry", "deck"]
    _git(ferry, "worktree", "remove", "--force", str(elsewhere))
    assert project_name(str(elsewhere)) == "tides"


def test_worktrees_of_a_bare_repository_and_of_a_submodule(tmp_path: Path) -> None:
    ferry = _repository(tmp_path / "ferry")
    for bare, project in (("boats.git", "boats"), ("harbour/.bare", "harbour")):
        (tmp_path / bare).parent.mkdir(exist_ok=True)
        _git(tmp_path, "clone", "-q", "--bare", str(ferry), str(tmp_path / bare))
        _git(tmp_path / bare, "worktree", "add", "-q", str(tmp_path / f"tree of {project}"), "main")
        assert project_name(str(tmp_path / f"tree of {project}")) == project
    whole = _repository(tmp_path / "whole")
    _git(whole, "submodule", "add", "-q", str(ferry), "parts/hull")
    assert project_name(str(whole / "parts" / "hull")) == "hull"
    _git(whole / "parts" / "hull", "worktree", "add", "-q", str(tmp_path / "keel"))
    assert project_name(str(tmp_path / "keel")) == "hull"


@pytest.mark.parametrize("content", [b"", b"gitdir:", b"gitdir: /nowhere", b"\xff\xfe", b"x" * 9000])
def test_a_file_of_git_that_names_no_worktree_is_left_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".git").write_bytes(content)
    assert project_name(str(tmp_path)) == tmp_path.name


def test_a_pipe_in_place_of_the_file_of_git_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".git")
    assert project_name(str(tmp_path)) == tmp_path.name


def test_hooks_and_transcripts_of_every_host_name_the_same_project(tmp_path: Path) -> None:
    cwd = "/home/ann/greenhouse/.claude/worktrees/brisk-otter"
    claude = [record | {"cwd": cwd} if "cwd" in record else record for record in transcripts.CLAUDE_CODE]
    codex = [transcripts.codex("session_meta", {"id": "c", "cwd": cwd}), *transcripts.CODEX[1:]]
    chats = tmp_path / "greenhouse-2" / "chats"
    chats.mkdir(parents=True)
    (chats.parent / ".project_root").write_text(cwd)
    for host, data, path in (
        ("claude-code", transcripts.lines(claude), Path("x.jsonl")),
        ("codex", transcripts.lines(codex), Path("x.jsonl")),
        ("gemini", transcripts.GEMINI_WHOLE, chats / "session.json"),
    ):
        read = read_transcript(data, path, host=host)
        assert read is not None
        assert (read.project, host_input(host, {"cwd": cwd}).wing) == ("greenhouse", "greenhouse")
    slug = "home-ann-greenhouse-claude-worktrees-brisk-otter"
    cursor = Path(f"/h/projects/{slug}/agent-transcripts/c-1/c-1.jsonl")
    read = read_transcript(transcripts.lines(transcripts.CURSOR), cursor)
    assert read is not None
    assert read.project == slug_project(slug) == host_input("cursor", {"cwd": cwd}).wing == "home-ann-greenhouse"
