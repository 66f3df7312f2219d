"""Let a wheel know the commit that it was built from, and refuse to build another version than its tag says."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CommitHook(BuildHookInterface[Any]):
    """Writes the file `commit` beside the modules, where the source is a clone."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file; an editable installation has none, as it follows its clone.

        Raises:
            ValueError: If the commit has a tag such as `v0.2.0`, and the version is another.
        """
        if version == "editable":
            return
        commit = _described(self.root, "--always", "--dirty", "--exclude", "*")
        if commit is None:
            return
        tag = _described(self.root, "--tags", "--exact-match", "--match", "v[0-9]*")
        if tag is not None and tag != f"v{self.metadata.version}":
            raise ValueError(
                f"the tag of this commit is {tag}, and __version__ in src/graphpalace/__init__.py is "
                f"{self.metadata.version!r}; they must be the same"
            )
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / "commit"
        path.write_text(commit, "utf-8")
        build_data["force_include"][str(path)] = "graphpalace/commit"


def _described(root: str, *options: str) -> str | None:
    """Return what git calls the commit; None if it is no clone, or nothing fits the options."""
    asked = ["git", "-C", root, "describe", *options]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
