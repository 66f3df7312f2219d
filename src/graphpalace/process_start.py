"""What is known of a running process: what tells it apart from a later one of its number, and its memory."""

import os
import sys


def created_at(pid: int) -> float | None:
    """Return when a running process was created, in seconds since 1970, or None if there is no such process.

    A process that has ended and was not collected by its parent yet does not count. Linux is asked without `psutil`,
    and with as few imports as possible, because they take longer than a command may take to find the service.
    """
    return _from_proc(pid) if sys.platform == "linux" else _from_psutil(pid)


def birth(pid: int) -> str | None:
    """Return a mark that only this process has, or None if it does not run.

    Setting the machine's clock changes what `created_at` returns on Linux, but not this.
    """
    if sys.platform == "linux":
        ticks = _ticks(pid)
        return None if ticks is None else f"{_boot()} {ticks}"
    created = created_at(pid)
    return None if created is None else str(created)


def is_process(pid: int, *, born: str, created: float) -> bool:
    """Return whether a process runs and is the one that was noted.

    Args:
        born: Its mark; empty if an earlier version, which had none, made the note.
        created: When it was created, in seconds since 1970.
    """
    if born:
        return birth(pid) == born
    found = created_at(pid)
    return found is not None and abs(found - created) < 1


def _from_proc(pid: int) -> float | None:
    ticks = _ticks(pid)
    try:
        booted = next(int(line.split()[1]) for line in _read("/proc/stat").splitlines() if line.startswith("btime"))
    except (OSError, ValueError, IndexError, StopIteration):
        return None
    return None if ticks is None else booted + ticks / os.sysconf("SC_CLK_TCK")


def _boot() -> str:
    try:
        return _read("/proc/sys/kernel/random/boot_id").strip()
    except OSError:  # some sandboxes hide it; another process of this number then rarely has the same mark
        return ""


def _ticks(pid: int) -> int | None:
    """Return when a running process was created, in ticks since the machine started."""
    try:
        # The second field is the program's name, in parentheses, and may contain anything.
        state, *fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
        return None if state in ("Z", "X") else int(fields[18])
    except (OSError, ValueError, IndexError):
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
