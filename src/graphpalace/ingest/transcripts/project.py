"""Names the project that a host worked on, by the folder that it worked in.

A worktree of git belongs to its repository. The folder itself tells that if it is there; else its path may, because
hosts make worktrees in places such as `.claude/worktrees/NAME` of the repository.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any

_MOST_BYTES = 4096  # of the file that names the repository of a worktree
_GITDIR = re.compile(rb"gitdir:[ \t]*([^\r\n]+)")
_PLACES = {".cursor": 2, ".codex": 3}  # in the home of the user; so many parts further is the name of the repository
_IN_SLUG = re.compile(r"-+claude-worktrees-.*", re.DOTALL)


def project_name(folder: Any) -> str | None:
    """Return the name of the project of a folder, of this or another operating system; None if there is none.

    Args:
        folder: Its path, as a transcript has it.

    >>> project_name("/home/ann/orchard"), project_name("C:\\\\work\\\\orchard\\\\.claude\\\\worktrees\\\\calm-owl")
    ('orchard', 'orchard')
    """
    if not isinstance(folder, str) or "\0" in folder:
        return None
    foreign = "\\" in folder and os.name != "nt"
    path = PureWindowsPath(folder) if "\\" in folder else PurePosixPath(folder)
    name = (None if foreign else _repository(Path(folder))) or _named_by_path(path) or path.name
    return name if name not in ("", "..") else None


def slug_project(slug: str) -> str | None:
    """Return the name of the project of a path that is spelled as one word, such as `home-ann-orchard`.

    >>> slug_project("home-ann-orchard-claude-worktrees-calm-owl")
    'home-ann-orchard'
    """
    return _IN_SLUG.sub("", slug) or None


def _named_by_path(path: PurePath) -> str | None:
    """Return the name of the repository whose worktree a path leads into, if the path has the form of one."""
    parts = path.parts[1:] if path.anchor else path.parts
    for at, part in enumerate(parts[:-1]):
        inside = part == ".worktrees" or (part.startswith(".") and parts[at + 1 : at + 2] == ("worktrees",))
        if inside and part in _PLACES:
            return next(iter(parts[at + _PLACES[part] :]), None)
        if inside and len(parts) > at + (1 if part == ".worktrees" else 2):
            return parts[at - 1] if at else None
    return None


def _repository(path: Path) -> str | None:
    """Return the name of the repository whose worktree a folder lies in; None if it lies in none."""
    if not path.is_absolute():
        return None
    for folder in (path, *path.parents):
        git = folder / ".git"
        try:
            if not git.exists():
                continue
            if not git.is_file():  # it is a folder, unless this is a worktree or a submodule
                return None
            with git.open("rb") as file:
                found = _GITDIR.match(file.read(_MOST_BYTES))
        except OSError:
            return None
        return _repository_of(folder, os.fsdecode(found[1].strip())) if found else None
    return None


def _repository_of(worktree: Path, gitdir: str) -> str | None:
    """Return the name of a repository by the folder that it keeps for a worktree, such as `REPO/.git/worktrees/NAME`.

    What is kept of a submodule lies elsewhere. A submodule is a project of its own.
    """
    kept = Path(os.path.normpath(worktree / gitdir))
    if kept.parent.name != "worktrees":
        return None
    common = kept.parent.parent
    if common.name.startswith("."):  # .git, or .bare beside the worktrees
        return common.parent.name or None
    return common.name.removesuffix(".git") or None
