"""What a benchmark found, and where it was measured."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Result:
    """One benchmark's outcome.

    Attributes:
        ratio: Candidate against baseline; `figures` says of what, and in which direction the target is met.
        target: Bound of the ratio.
        met: Whether the ratio keeps its target, and so does every figure that has a target of its own.
    """

    name: str
    ratio: float
    target: float
    met: bool
    figures: dict[str, Any]
    commit: str
    machine: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return what `--json` prints."""
        return _rounded(asdict(self))


def commit() -> str:
    """Return the short hash of the checkout, marked where files differ from it; "unknown" outside of one.

    Results that an earlier benchmark has just written are no difference.
    """
    try:
        head = _git("rev-parse", "--short", "HEAD")
        return head + ("+changes" if _git("status", "--porcelain", "--", ".", ":!benchmarks/results") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def machine(*, neo4j: str, java: str) -> dict[str, Any]:
    """Describe this machine and the versions that the figures depend on."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "os": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "torch": _torch(),
        "neo4j": neo4j,
        "java": java,
        "load_1min": round(os.getloadavg()[0], 1),  # more than the benchmark's own says that others ran beside it
    }


def _torch() -> str:
    try:
        return version("torch")
    except PackageNotFoundError:
        return "none"


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def _rounded(value: Any) -> Any:
    """Return floats with four significant digits, which is more than they are good for."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list) else value
