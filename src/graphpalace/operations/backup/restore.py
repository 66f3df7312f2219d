"""Restore a backup into a database, completely or not at all as far as anybody can see."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from graphpalace.domain.backup import BackupManifest, BackupProgress, BackupRestored
from graphpalace.errors import Conflict, SchemaTooNew
from graphpalace.operations.backup.archive import NODES, RELATIONSHIPS, Archive
from graphpalace.operations.backup.encryption import read_key
from graphpalace.store.backup.filling import DatabaseFilling
from graphpalace.store.backup.values import row_of
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import SchemaStore, migrations, pending_of

Progress = Callable[[BackupProgress], None]


class Restore:
    """Restores backups into a database.

    Args:
        key_file: File with the key of encrypted backups.
    """

    def __init__(self, database: Database, *, key_file: Path | None) -> None:
        self._database = database
        self._key_file = key_file
        self._filling = DatabaseFilling(database)

    async def restore(
        self,
        path: Path,
        *,
        replace: bool,
        progress: Progress = lambda _: None,
    ) -> BackupRestored:
        """Check a backup, empty the database, and fill it. If this is interrupted, it is to be done again.

        Args:
            replace: Whether to delete what the database has.

        Raises:
            NotFound: If there is no such file.
            InvalidInput: If the file is damaged, or has another key. The database is not changed then.
            SchemaTooNew: If the backup is one of a later version. The database is not changed then.
            Conflict: If the database has something, and is not to be replaced.
        """
        began = time.monotonic()
        archive = Archive(path, None if self._key_file is None else read_key(self._key_file))
        try:
            manifest = archive.manifest
            check_schema(manifest, path)
            if not replace and (there := await self._filling.contents()):
                raise Conflict(
                    f"the database is not empty: it has {there}. Restore into an empty one, or delete what it has "
                    "with --replace",
                )
            total = manifest.nodes.rows + manifest.relationships.rows
            for done in archive.check():
                progress(BackupProgress("checking", done, total))
            await self._filling.begin(str(archive.path), migrations=manifest.migrations.keys())
            await self._filling.fill(
                _rows(archive, NODES),
                _rows(archive, RELATIONSHIPS),
                progress=lambda done: progress(BackupProgress("restoring", done, total)),
            )
        finally:
            archive.close()
        palaces = await self._filling.finish()
        applied = await SchemaStore(self._database).migrate()
        return BackupRestored(
            path=str(archive.path),
            nodes=manifest.nodes.rows,
            relationships=manifest.relationships.rows,
            palaces=palaces,
            version=manifest.version,
            made_at=manifest.made_at,
            applied=applied,
            seconds=time.monotonic() - began,
        )


def check_schema(manifest: BackupManifest, path: Path) -> None:
    """Check that this version knows the schema of a backup.

    Raises:
        SchemaTooNew: If a later version made it.
        MigrationChanged: If a migration of it is another one here.
    """
    try:
        pending_of(migrations(), dict(manifest.migrations))
    except SchemaTooNew:
        raise SchemaTooNew(
            f"{path} has the schema V{manifest.schema_version} of GraphPalace {manifest.version}, which this version "
            "does not know: upgrade GraphPalace, then restore it",
            schema_version=manifest.schema_version,
        ) from None


def _rows(archive: Archive, name: str) -> Iterator[list]:
    return map(row_of, archive.lines(name))
