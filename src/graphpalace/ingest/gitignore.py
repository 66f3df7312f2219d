"""Tells which files `.gitignore` files leave out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphpalace.ingest.decoding import marked_encoding


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The rules that hold in a folder: those of its own `.gitignore` and those of the folders above it.

    As in git the deepest file that has an opinion decides, and within it the last pattern that fits.
    """

    files: tuple[tuple[Path, Any], ...] = ()

    @classmethod
    def above(cls, folder: Path) -> IgnoreRules:
        """Return the rules of the folders above, from the root of the repository down; none outside of one.

        Where those rules leave out the folder itself, it was named on purpose, and none of them holds in it.
        """
        chain = [folder, *folder.parents]
        depth = next((number for number, parent in enumerate(chain) if (parent / ".git").exists()), 0)
        rules = cls()
        for parent in reversed(chain[1 : depth + 1]):
            rules = rules.within(parent)
        ways = [rules.ignores(parent, is_dir=True) for parent in chain[:depth]]
        return cls() if any(ways) else rules

    def within(self, folder: Path) -> IgnoreRules:
        """Return these rules and those of the folder's own `.gitignore`, if it has one that can be read."""
        try:
            data = (folder / ".gitignore").read_bytes()
        except OSError:
            return self
        text = data.decode(marked_encoding(data) or "utf-8", errors="replace")
        return IgnoreRules((*self.files, (folder, _spec(text.splitlines()))))

    def ignores(self, path: Path, *, is_dir: bool) -> bool:
        """Return whether a path below these folders is left out. What is in an ignored folder must not be asked."""
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
    except ValueError:  # git passes over a pattern that it cannot read, and so do these rules
        return GitIgnoreSpec.from_lines(line for line in lines if _readable(line))


def _readable(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
