"""Finds the files to ingest below some paths, without those that `.gitignore` files exclude."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from graphpalace.errors import InvalidInput, NotFound
from graphpalace.ingest.files.decoding import BINARY_PROBE_BYTES, looks_binary, marked_encoding


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The rules that apply in a folder: those of its own `.gitignore` and those of the folders above it.

    As in git, the deepest file with a matching pattern decides, and within a file the last matching pattern.
    """

    files: tuple[tuple[Path, Any], ...] = ()

    @classmethod
    def above(cls, folder: Path) -> IgnoreRules:
        """Return the rules of the folders above, from the root of the repository down; outside a repository, none.

        If those rules exclude the folder itself, the caller named it on purpose, and none of them applies in it.
        """
        chain = [folder, *folder.parents]
        depth = next((number for number, parent in enumerate(chain) if (parent / ".git").exists()), 0)
        rules = cls()
        for parent in reversed(chain[1 : depth + 1]):
            rules = rules.within(parent)
        ways = [rules.ignores(parent, is_dir=True) for parent in chain[:depth]]
        return cls() if any(ways) else rules

    def within(self, folder: Path) -> IgnoreRules:
        """Return these rules together with those of the folder's own `.gitignore`, if it is readable."""
        try:
            data = (folder / ".gitignore").read_bytes()
        except OSError:
            return self
        text = data.decode(marked_encoding(data) or "utf-8", errors="replace")
        return IgnoreRules((*self.files, (folder, _spec(text.splitlines()))))

    def ignores(self, path: Path, *, is_dir: bool) -> bool:
        """Return whether a path below these folders is excluded. Do not call it for paths in an ignored folder."""
        for folder, spec in reversed(self.files):
            if not path.is_relative_to(folder) or path == folder:
                continue
            verdict = spec.check_file(path.relative_to(folder).as_posix() + ("/" if is_dir else "")).include
            if verdict is not None:
                return verdict
        return False


def _spec(lines: list[str]) -> Any:
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:  # like git, skip patterns that cannot be parsed
        return GitIgnoreSpec.from_lines(line for line in lines if _readable(line))


def _readable(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


MAX_TEXT_BYTES = 64 * 2**20
MAX_EXPORT_BYTES = 1024 * 2**20  # the export of years of conversations is one file, and pictures make others large
_MAY_BE_LARGE = frozenset({".json", ".jsonl", ".ndjson", ".pdf", ".docx", ".ipynb", ".mbox", ".mbx"})

# Documents and archives that no reader opens. Other binary files are recognised by their content.
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


Reason = Literal[
    "binary",
    "excluded folder",
    "hidden",
    "hidden folder",
    "ignored",
    "ignored folder",
    "link out of the folder",
    "link to a folder",
    "over max_files",
    "too large",
    "unreadable",
    "unsupported",
]


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to ingest.

    Attributes:
        path: Absolute path without links.
        root: Absolute path that the caller gave, without links; if the caller gave the file itself, its folder.
        folders: Folder names between the root and the file, or the link to it, outermost first.
    """

    path: Path
    root: Path
    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file or folder that is left out, and why. Of what is in such a folder, nothing is told."""

    path: Path
    reason: Reason


def discover(
    paths: Sequence[Path],
    *,
    exclude_dirs: Sequence[str] = (),
    max_files: int = 0,
    respect_gitignore: bool = True,
    follow_links: bool = False,
) -> Iterator[FoundFile | SkippedFile]:
    """Yield the files below the given paths, path by path, and within a folder by name.

    Hidden files and folders (whose names start with a dot) are skipped, like excluded and ignored ones; a path that the
    caller names is always used. Links to folders are not followed. Links to files are followed if they lead below the
    given paths. Everything that is skipped is reported, except what is in a folder that is. A file is known by its path
    without links, and is yielded once: where it is, or, if it is found by links only, where the first of them is.

    Args:
        paths: Files and folders.
        exclude_dirs: Names of folders to skip at any depth.
        max_files: Most files to yield, >= 0; 0 means no limit. The others are reported as skipped.
        respect_gitignore: Whether to skip what `.gitignore` files exclude.
        follow_links: Whether links to files elsewhere are followed too.
    Raises:
        NotFound: If a path does not exist; raised before the first file.
        InvalidInput: If `max_files` is negative.
    """
    if max_files < 0:
        raise InvalidInput(
            f"max_files is {max_files}; it must be 0 (no limit) or more", field="max_files", value=max_files
        )
    for given in paths:
        if not os.path.lexists(given):
            raise NotFound(f"{given} does not exist", path=str(given))
    roots = [real_path(path) for path in paths]
    homes = None if follow_links else roots
    named = frozenset(roots)
    walks = (_walk(root, frozenset(exclude_dirs), respect_gitignore, homes, named) for root in roots)
    return _limited(_links_last(chain.from_iterable(walks)), max_files)


def real_path(path: Path) -> Path:
    """Return the absolute path without links. What does not exist stays as it is."""
    return Path(os.path.realpath(path))  # unlike resolve(), it never raises


def _links_last(candidates: Iterator[FoundFile | SkippedFile]) -> Iterator[FoundFile | SkippedFile]:
    """Yield what links lead to after the files, which are known by where they are."""
    links = []
    for candidate in candidates:
        if isinstance(candidate, FoundFile) and candidate.path.is_symlink():
            links.append(candidate)
        else:
            yield candidate
    for link in links:
        end = real_path(link.path)
        yield replace(link, path=end) if end.exists() else link  # a broken link is said to be unreadable


def _limited(candidates: Iterator[FoundFile | SkippedFile], max_files: int) -> Iterator[FoundFile | SkippedFile]:
    found = 0
    seen: set[Path] = set()
    for candidate in candidates:
        if candidate.path in seen:
            continue
        seen.add(candidate.path)
        if isinstance(candidate, FoundFile):
            if max_files and found >= max_files:
                yield SkippedFile(candidate.path, "over max_files")
                continue
            reason = _objection(candidate.path)
            if reason is not None:
                yield SkippedFile(candidate.path, reason)
                continue
            found += 1
        yield candidate


def _walk(
    root: Path, excluded: frozenset[str], gitignore: bool, homes: list[Path] | None, named: frozenset[Path]
) -> Iterator[FoundFile | SkippedFile]:
    """Yield the file, or every file below the folder. An explicit stack is used, since folders may nest very deeply.

    Args:
        homes: Folders that links may lead into; None allows any.
        named: Paths that the caller gave, which are not reported as left out of another of them.
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
                yield SkippedFile(path, "link out of the folder")
            else:
                yield FoundFile(path, root, path.relative_to(root).parts[:-1])
            continue
        try:
            with os.scandir(path) as entries:
                inside = [(entry.name, entry.is_dir(follow_symlinks=False), _links_to_dir(entry)) for entry in entries]
        except OSError:
            yield SkippedFile(path, "unreadable")
            continue
        own_rules = rules.within(path) if gitignore else rules
        kept = []
        for name, folder, link_to_dir in sorted(inside):
            child = path / name
            reason = _left_out(child, own_rules, excluded, is_folder=folder, is_link=link_to_dir)
            if reason is None:
                kept.append((child, own_rules, folder))
            elif child not in named:
                yield SkippedFile(child, reason)
        pending += reversed(kept)


def folder_left_out(name: str, excluded: Collection[str]) -> Reason | None:
    """Return why a folder of this name is left out wherever it is; None if it is not."""
    if name.startswith("."):
        return "hidden folder"
    return "excluded folder" if name in excluded else None


def _left_out(
    path: Path, rules: IgnoreRules, excluded: frozenset[str], *, is_folder: bool, is_link: bool
) -> Reason | None:
    """Return why a file or folder is left out whatever is in it; None if it is not.

    Args:
        is_folder: Whether it is a folder.
        is_link: Whether it is a link to a folder.
    """
    if is_folder and (reason := folder_left_out(path.name, excluded)):
        return reason
    if path.name.startswith("."):
        return "hidden folder" if is_link else "hidden"
    if is_link:
        return "link to a folder"
    if rules.ignores(path, is_dir=is_folder):
        return "ignored folder" if is_folder else "ignored"
    return None


def _leads_out(link: Path, homes: list[Path]) -> bool:
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError):  # a broken link or a link to itself; the file is reported as unreadable
        return False
    return not any(target.is_relative_to(home) for home in homes)


def _links_to_dir(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_symlink() and entry.is_dir()
    except OSError:  # a link to itself
        return False


def _objection(path: Path) -> Reason | None:
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
