"""Let a wheel know the commit that it was built from, for `graphpalace --version`."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CommitHook(BuildHookInterface[Any]):
    """Writes the file `commit` beside the modules, where the source is a clone."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file; an editable installation has none, as it follows its clone."""
        if version == "editable":
            return
        try:
            asked = ["git", "-C", self.root, "describe", "--always", "--dirty", "--exclude", "*"]
            commit = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            return
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / "commit"
        path.write_text(commit, "utf-8")
        build_data["force_include"][str(path)] = "graphpalace/commit"
