"""What is known of a running process: when it was created, which tells it apart from a later one, and its memory."""

import os
import sys


def created_at(pid: int) -> float | None:
    """Return when a running process was created, in seconds since 1970, or None if there is no such process.

    A process that has ended and was not collected by its parent yet does not count. Linux is asked without `psutil`,
    and with as few imports as possible, because they take longer than a command may take to find the service.
    """
    return _from_proc(pid) if sys.platform == "linux" else _from_psutil(pid)


def _from_proc(pid: int) -> float | None:
    try:
        # The second field is the program's name, in parentheses, and may contain anything.
        state, *fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
        if state in ("Z", "X"):
            return None
        booted = next(int(line.split()[1]) for line in _read("/proc/stat").splitlines() if line.startswith("btime"))
        return booted + int(fields[18]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, StopIteration):
        return None


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def _from_psutil(pid: int) -> float | None:
    import psutil

    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    except psutil.Error:
        return None


def memory_bytes(pid: int) -> int | None:
    """Return how much memory of a running process is in use (RSS), or None if there is no such process."""
    if sys.platform == "linux":
        try:
            return int(_read(f"/proc/{pid}/statm").split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, IndexError):
            return None
    import psutil

    try:
        return psutil.Process(pid).memory_info().rss
    except psutil.Error:
        return None
