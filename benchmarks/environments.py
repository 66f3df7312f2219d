"""Environments of peers that are installed from the package index, apart from ours."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from benchmarks.result import ROOT
from benchmarks.workbench import say
from graphpalace.settings.load import cache_dir, load

_OF_PIP = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence.pth", "__pycache__")
_OLDEST = (3, 11)


def python_with(package: str, version: str, *also: str, oldest: tuple[int, int] = _OLDEST) -> Path:
    """Return the Python of an environment with a package, which is made at the first call and kept in the cache.

    Args:
        also: Further requirements, pinned.
        oldest: The version of Python that the package needs.

    Raises:
        RuntimeError: If there is no such Python.
        CalledProcessError: If the package cannot be installed.
    """
    return _environment(f"{package}-{version}", [f"{package}=={version}", *also], oldest=oldest)


def own_python() -> Path:
    """Return the Python of an environment with all that GraphPalace needs as users have it, but not GraphPalace itself.

    Raises:
        CalledProcessError: If something cannot be installed.
    """
    lock = ROOT / "requirements-runtime.lock"
    name = f"graphpalace-{sha256(lock.read_bytes()).hexdigest()[:12]}"
    return _environment(name, ["--no-deps", "-r", lock.name])


def installed_mib(python: Path) -> float:
    """Return the size of what was installed into an environment, without pip and without compiled modules."""
    bare = ("import sysconfig; print(sysconfig.get_path('purelib'))",)
    done = subprocess.run([str(python), "-c", *bare], check=True, capture_output=True, text=True)
    sizes = (file.stat().st_size for file in _files(Path(done.stdout.strip())))
    return sum(sizes) / 2**20


def _files(folder: Path) -> Iterator[Path]:
    for entry in folder.iterdir():
        if not entry.name.startswith(_OF_PIP):
            if entry.is_dir() and not entry.is_symlink():
                yield from _files(entry)
            else:
                yield entry


def _environment(name: str, requirements: Sequence[str], *, oldest: tuple[int, int] = _OLDEST) -> Path:
    """Return the Python of an environment with some requirements."""
    home = cache_dir(load()) / "benchmarks" / name
    python, done = home / "bin" / "python", home / "complete"
    wanted = " ".join(requirements)
    if not done.exists() or done.read_text("utf-8") not in ("", wanted):  # empty: made before it was written down
        base = _base(oldest)
        say(f"installing {name}")
        shutil.rmtree(home, ignore_errors=True)
        home.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([base, "-m", "venv", str(home)], check=True)
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*command, *requirements], check=True, stdout=sys.stderr, cwd=ROOT)
        done.write_text(wanted, "utf-8")
    return python


def _base(oldest: tuple[int, int]) -> str:
    """Return a Python that is new enough: this one, or one of the search path or of pyenv."""
    if sys.version_info >= oldest:
        return sys.executable
    for python in _others(oldest):
        check = f"import sys; raise SystemExit(sys.version_info < {oldest})"
        if subprocess.run([python, "-c", check], check=False, capture_output=True).returncode == 0:
            return python
    raise RuntimeError(f"it needs Python {oldest[0]}.{oldest[1]}, and there is none")


def _others(oldest: tuple[int, int]) -> Iterable[str]:
    names = [f"python{oldest[0]}.{minor}" for minor in range(oldest[1], oldest[1] + 4)]
    yield from (path for name in names if (path := shutil.which(name)))
    if root := os.environ.get("PYENV_ROOT"):
        yield from (str(path) for name in names for path in sorted(Path(root).glob(f"versions/*/bin/{name}")))
