"""The data folder of the managed Neo4j: space, lock, why it cannot be used, and its exchange for a fresh store."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from graphpalace.errors import ManagedServerError, NotEnoughDisk, SettingsInvalid

_UNUSABLE = {
    errno.ENOTDIR,
    errno.EEXIST,
    errno.EISDIR,
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.EINVAL,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.EOPNOTSUPP,
}
LOG_BYTES = 256 * 2**20  # Neo4j allocates this much for the transaction log of each of its databases
SLACK_BYTES = 96 * 2**20  # Neo4j enlarges a file by up to 64 MiB at a time
_DATABASES = ("neo4j", "system")
_LOCK_S = 600


def needed_bytes(home: Path) -> int:
    """Return the free disk space in bytes that a start needs. The first start needs more, for the transaction logs."""
    logs = home / "data" / "transactions"
    missing = [name for name in _DATABASES if not any((logs / name).glob("neostore.transaction.db.*"))]
    return SLACK_BYTES + LOG_BYTES * len(missing)


def trouble(data_dir: Path) -> str | None:
    """Return why a data folder cannot be used, or None if no reason is found. The folder need not exist yet."""
    folder = data_dir.absolute()
    try:
        existing = next(path for path in (folder, *folder.parents) if path.exists())
    except OSError as error:
        return f"{folder}: {error.strerror}"
    if not existing.is_dir():
        return f"{existing} is a file"
    return None if os.access(existing, os.W_OK | os.X_OK) else f"{existing} cannot be written to"


@contextmanager
def usable(data_dir: Path) -> Iterator[None]:
    """Turn an OSError of the data folder into an error that names the setting.

    Raises:
        SettingsInvalid: If the folder is a file, or cannot be read or written.
        NotEnoughDisk: If the disk is full.
    """
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise NotEnoughDisk(f"The disk is full at {data_dir}. Free disk space, or move the data folder.") from error
        missing = error.errno == errno.ENOENT and not data_dir.is_dir()  # it cannot be created, as in /proc
        if error.errno not in _UNUSABLE and not missing:
            raise
        why = trouble(data_dir) or f"{error.filename} cannot be created: {error.strerror}"
        raise SettingsInvalid(
            f"neo4j.data_dir is {str(data_dir)!r}, which cannot be used: {why}. Set data_dir under [neo4j] in"
            " graphpalace.toml or GRAPHPALACE_NEO4J__DATA_DIR to a folder that this user can write to",
            field="neo4j.data_dir",
            value=str(data_dir),
        ) from error


@contextmanager
def alone(data_dir: Path, home: Path, tell: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock that lets only one process at a time start or stop the server of a data folder.

    Args:
        home: The subfolder in which Neo4j stores everything; it is created if it is missing.
        tell: Called with a sentence if another process holds the lock.

    Raises:
        ManagedServerError: If another process holds it for ten minutes.
        SettingsInvalid, NotEnoughDisk: As `usable`.
    """
    with usable(data_dir):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = FileLock(home / "server.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            tell("waiting for another graphpalace process that is starting or stopping Neo4j")
            _wait_for(lock)
        try:
            yield
        finally:
            lock.release()


def _wait_for(lock: FileLock) -> None:
    try:
        lock.acquire(timeout=_LOCK_S)
    except Timeout as error:
        message = f"Another graphpalace process has been starting or stopping Neo4j for {_LOCK_S} s. Try again later."
        raise ManagedServerError(message, lock=lock.lock_file) from error


_TRANSACTION_LOG = "neostore.transaction.db.*"


def draft_folder(home: Path) -> Path:
    """Return the data folder in which the fresh store is made."""
    return home / "compacting"


def clear(home: Path) -> None:
    """Finish or undo a change of stores that was cut off, and delete what it left."""
    data, old = home / "data", old_folder(home)
    if old.exists():
        if not data.exists():
            old.rename(data)
        shutil.rmtree(old, ignore_errors=True)
    shutil.rmtree(draft_folder(home), ignore_errors=True)


def exchange(home: Path) -> None:
    """Take over the store that was made in the draft folder, and delete the old one with the logs of its server."""
    data, old = home / "data", old_folder(home)
    data.rename(old)
    (draft_folder(home) / "neo4j" / "data").rename(data)
    shutil.rmtree(old)
    shutil.rmtree(draft_folder(home))
    shutil.rmtree(home / "logs", ignore_errors=True)


def store_bytes(home: Path) -> int:
    """Return the size of all files of the store."""
    return sum(path.stat().st_size for path in (home / "data").rglob("*") if path.is_file())


def check_space(home: Path) -> None:
    """Check that a second store fits on the disk.

    Raises:
        NotEnoughDisk: If it does not.
    """
    logs = sum(path.stat().st_size for path in (home / "data" / "transactions").rglob(_TRANSACTION_LOG))
    needed = store_bytes(home) - logs + 2 * LOG_BYTES + 2 * SLACK_BYTES
    free = shutil.disk_usage(home).free
    if free < needed:
        raise NotEnoughDisk(
            f"compact makes a second store, which needs {needed >> 20} MiB, and {home} has {free >> 20} MiB free."
            " Free disk space, or move the data folder.",
            needed_bytes=needed,
            free_bytes=free,
        )


def old_folder(home: Path) -> Path:
    """Return where the old store lies while the fresh one takes its place."""
    return home / "data.old"
