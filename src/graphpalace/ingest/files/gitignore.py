"""Finds out which files `.gitignore` files exclude."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphpalace.ingest.files.decoding import marked_encoding


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
