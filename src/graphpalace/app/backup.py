"""Create the operations that make and restore backups."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from graphpalace import __version__
from graphpalace.settings.load import Settings, data_dir
from graphpalace.store.connection.database import Database

if TYPE_CHECKING:  # these import what encrypts, which most commands have no need to wait for
    from graphpalace.operations.backup.backup import Backup
    from graphpalace.operations.backup.restore import Restore


def backup_folder(settings: Settings) -> Path:
    """Return the usual folder of backups."""
    given = settings.backup.folder
    return Path(given).expanduser() if given else data_dir(settings) / "backups"


def make_backup(settings: Settings, database: Database, *, key_file: Path | None = None) -> Backup:
    """Return the operation that makes backups.

    Args:
        key_file: File with the key to encrypt with; None: that of the settings.
    """
    from graphpalace.operations.backup.backup import Backup

    given = settings.backup
    return Backup(
        database,
        version=__version__,
        folder=backup_folder(settings),
        keep=given.keep,
        key_file=key_file or _key_file(settings),
        longest_pause_s=given.longest_pause_s,
    )


def make_restore(settings: Settings, database: Database, *, key_file: Path | None = None) -> Restore:
    """Return the operation that restores backups.

    Args:
        key_file: File with the key of the backup; None: that of the settings.
    """
    from graphpalace.operations.backup.restore import Restore

    return Restore(database, key_file=key_file or _key_file(settings))


def _key_file(settings: Settings) -> Path | None:
    return Path(settings.backup.key_file) if settings.backup.key_file else None
