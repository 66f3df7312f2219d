"""Finds the files to ingest below some paths."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal

from graphpalace.errors import InvalidInput, NotFound
from graphpalace.ingest.decoding import BINARY_PROBE_BYTES, looks_binary
from graphpalace.ingest.gitignore import IgnoreRules

MAX_TEXT_BYTES = 64 * 2**20
MAX_EXPORT_BYTES = 1024 * 2**20  # the export of years of conversations is one file
_MAY_BE_LARGE = frozenset({".json", ".jsonl", ".ndjson", ".pdf", ".docx"})

# Documents and archives that no reader opens; other files that are not text are told by their content.
_UNSUPPORTED = frozenset(
    (
        ".7z",
        ".bz2",
        ".doc",
        ".epub",
        ".gz",
        ".odp",
        ".ods",
        ".odt",
        ".ppt",
        ".pptx",
        ".rar",
        ".rtf",
        ".svg",
        ".tar",
        ".tgz",
        ".xls",
        ".xlsx",
        ".xz",
        ".zip",
        ".zst",
    )
)


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to ingest.

    Attributes:
        path: Where it is, absolute.
        root: The path given by the caller, absolute; the file's folder where the file itself was given.
        folders: Folder names between the root and the file, outermost first.
    """

    path: Path
    root: Path
    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that was looked at and cannot be ingested."""

    path: Path
    reason: Literal["binary", "too large", "unsupported", "unreadable", "link out of the folder", "over max_files"]


def discover(
    paths: Sequence[Path],
    *,
    exclude_dirs: Sequence[str] = (),
    max_files: int = 0,
    respect_gitignore: bool = True,
    follow_links: bool = False,
) -> Iterator[FoundFile | Skipped]:
    """Yield the files below the given paths while walking: each path in turn, and in a folder by name.

    Hidden files and folders (those whose names begin with a dot) are passed over without a word, as are excluded
    and ignored ones; a path that the caller names is taken in any case. Links to folders are not followed. Links to
    files are if they lead to somewhere below the given paths, else they come as skipped. No file comes twice.

    Args:
        paths: Files and folders.
        exclude_dirs: Names of folders to pass over at any depth.
        max_files: Most files to find, >= 0; 0 for no limit. The others come as skipped.
        respect_gitignore: Whether to leave out what `.gitignore` files leave out.
        follow_links: Whether links to files elsewhere are followed too.
    Raises:
        NotFound: If a path is not there; before the first file.
        InvalidInput: If `max_files` is negative.
    """
    if max_files < 0:
        raise InvalidInput(
            f"max_files is {max_files}; it must be 0 (no limit) or more", field="max_files", value=max_files
        )
    roots = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100  resolve() would follow symbolic links
    for given, root in zip(paths, roots, strict=True):
        if not os.path.lexists(root):
            raise NotFound(f"{given} does not exist", path=str(given))
    homes = None if follow_links else [root.resolve() for root in roots]
    walks = (_walk(root, frozenset(exclude_dirs), respect_gitignore, homes) for root in roots)
    return _limited(chain.from_iterable(walks), max_files)


def _limited(candidates: Iterator[FoundFile | Skipped], max_files: int) -> Iterator[FoundFile | Skipped]:
    found = 0
    seen: set[Path] = set()
    for candidate in candidates:
        if candidate.path in seen:
            continue
        seen.add(candidate.path)
        if isinstance(candidate, FoundFile):
            if max_files and found >= max_files:
                yield Skipped(candidate.path, "over max_files")
                continue
            reason = _objection(candidate.path)
            if reason is not None:
                yield Skipped(candidate.path, reason)
                continue
            found += 1
        yield candidate


def _walk(
    root: Path, excluded: frozenset[str], gitignore: bool, homes: list[Path] | None
) -> Iterator[FoundFile | Skipped]:
    """Yield the file, or every file below the folder. A stack of its own: folders nest deeper than Python recurses.

    Args:
        homes: Where links may lead; None: anywhere.
    """
    if not root.is_dir():
        yield FoundFile(root, root.parent)
        return
    rules = IgnoreRules.above(root) if gitignore else IgnoreRules()
    pending: list[tuple[Path, IgnoreRules, bool]] = [(root, rules, True)]
    while pending:
        path, rules, is_dir = pending.pop()
        if not is_dir:
            if homes is not None and path.is_symlink() and _leads_out(path, homes):
                yield Skipped(path, "link out of the folder")
            else:
                yield FoundFile(path, root, path.relative_to(root).parts[:-1])
            continue
        try:
            with os.scandir(path) as entries:
                inside = [(entry.name, entry.is_dir(follow_symlinks=False), _links_to_dir(entry)) for entry in entries]
        except OSError:
            yield Skipped(path, "unreadable")
            continue
        own_rules = rules.within(path) if gitignore else rules
        for name, folder, link_to_dir in sorted(inside, reverse=True):
            if name.startswith(".") or link_to_dir or (folder and name in excluded):
                continue
            child = path / name
            if not own_rules.ignores(child, is_dir=folder):
                pending.append((child, own_rules, folder))


def _leads_out(link: Path, homes: list[Path]) -> bool:
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError):  # it leads nowhere, or to itself; then the file is unreadable
        return False
    return not any(target.is_relative_to(home) for home in homes)


def _links_to_dir(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_symlink() and entry.is_dir()
    except OSError:  # a link to itself
        return False


def _objection(path: Path) -> Literal["binary", "too large", "unsupported", "unreadable"] | None:
    suffix = path.suffix.lower()
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode) or suffix in _UNSUPPORTED:
            return "unsupported"
        if state.st_size > (MAX_EXPORT_BYTES if suffix in _MAY_BE_LARGE else MAX_TEXT_BYTES):
            return "too large"
        with path.open("rb") as file:
            head = file.read(BINARY_PROBE_BYTES)
    except OSError:
        return "unreadable"
    if suffix in {".pdf", ".docx"} or head.startswith(b"%PDF-"):
        return None
    return "binary" if looks_binary(head) else None
