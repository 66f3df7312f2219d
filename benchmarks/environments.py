"""Environments of peers that are installed from the package index, apart from ours."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.workbench import say
from graphpalace.settings.load import cache_dir, load


def python_with(package: str, version: str) -> Path:
    """Return the Python of an environment with a package, which is made at the first call and kept in the cache."""
    home = cache_dir(load()) / "benchmarks" / f"{package}-{version}"
    python, done = home / "bin" / "python", home / "complete"
    if not done.exists():
        say(f"installing {package} {version} into {home}")
        shutil.rmtree(home, ignore_errors=True)
        home.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*command, f"{package}=={version}"], check=True, stdout=sys.stderr)
        done.touch()
    return python
