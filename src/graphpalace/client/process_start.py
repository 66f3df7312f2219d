"""When a process was created, which tells it apart from a later process with the same number."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path


def created_at(pid: int) -> float | None:
    """Return when a running process was created, in seconds since 1970, or None if there is no such process.

    A process that has ended and was not collected by its parent yet does not count. Linux is asked without `psutil`,
    because importing that takes longer than a command may take to find the service.
    """
    return _from_proc(pid) if sys.platform == "linux" else _from_psutil(pid)


def _from_proc(pid: int) -> float | None:
    with suppress(OSError, ValueError, IndexError):
        # The second field is the program's name, in parentheses, and may contain anything.
        state, *fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        if state in ("Z", "X"):
            return None
        with Path("/proc/stat").open(encoding="utf-8") as lines:
            booted = next(int(line.split()[1]) for line in lines if line.startswith("btime"))
        return booted + int(fields[18]) / os.sysconf("SC_CLK_TCK")
    return None


def _from_psutil(pid: int) -> float | None:
    import psutil

    with suppress(psutil.Error):
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    return None
