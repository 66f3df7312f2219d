"""Put the files of a fresh store in the place of the old ones, so that a stop halfway leaves one of the two, whole."""

from __future__ import annotations

import shutil
from pathlib import Path

from graphpalace.errors import NotEnoughDisk
from graphpalace.managed_neo4j.folder import LOG_BYTES, SLACK_BYTES

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
