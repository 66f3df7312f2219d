"""Make a backup: read the database at one moment, write it into a file, and read the file again."""

from __future__ import annotations

import asyncio
import errno
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from graphpalace.domain.backup import BackupMade, BackupManifest, BackupPart, BackupProgress
from graphpalace.errors import Conflict, NotEnoughDisk, NotFound
from graphpalace.operations.backup.archive import NODES, RELATIONSHIPS, Archive, ArchiveWriter, PartWriter
from graphpalace.operations.backup.encryption import read_key
from graphpalace.operations.backup.folder import USUAL_NAME, backups_in, newest_in
from graphpalace.store.backup.moment import GraphReader, MomentReader
from graphpalace.store.backup.values import line_of
from graphpalace.store.connection.database import Database

_DRAFT = ".unfinished"
_LEFT_S = 24 * 3600.0  # a draft this old was left by a backup that was killed
_AT_ONCE = 500
_MOST_BYTES = 2**20

Progress = Callable[[BackupProgress], None]


class Backup:
    """Makes backups of a database.

    Args:
        version: Of GraphPalace, for the manifest.
        folder: Where backups are made that no other place is named for.
        keep: How many of them stay.
        key_file: File with the key to encrypt with; None: backups are not encrypted.
        longest_pause_s: For how long writers may have to wait.
    """

    def __init__(
        self,
        database: Database,
        *,
        version: str,
        folder: Path,
        keep: int,
        key_file: Path | None,
        longest_pause_s: float,
    ) -> None:
        self._moments = MomentReader(database, longest_s=longest_pause_s)
        self._graph = GraphReader(database)
        self._version = version
        self._folder = folder
        self._keep = keep
        self._key_file = key_file

    async def make(self, to: Path | None = None, *, progress: Progress = lambda _: None) -> BackupMade:
        """Make a backup, and read it again. It appears when it is complete.

        Args:
            to: A file that does not exist, or a folder; None: the usual folder, in which the oldest backups are
                deleted afterwards.

        Raises:
            Conflict: If the file exists, or no moment was found at which nobody writes.
            NotFound: If the folder or the key file does not exist.
            NotEnoughDisk: If the file does not fit on the disk.
        """
        began, now = time.monotonic(), datetime.now(UTC)
        path = self._target(to, now)
        key = None if self._key_file is None else read_key(self._key_file)
        draft = path.with_name(f".{path.name}{_DRAFT}")
        try:
            (manifest, paused_s) = await self._moments.read(lambda: self._write(draft, key, progress))
            await asyncio.to_thread(_read_again, draft, key, manifest, progress)
            draft.replace(path)
        except OSError as error:
            if error.errno == errno.ENOSPC:
                message = f"the disk of {path.parent} is full; nothing is left of the backup, and older ones are whole"
                raise NotEnoughDisk(message, path=str(path)) from error
            raise Conflict(f"the backup {path} cannot be written: {error.strerror}", path=str(path)) from error
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
        return BackupMade(
            path=str(path),
            bytes=path.stat().st_size,
            nodes=manifest.nodes.rows,
            relationships=manifest.relationships.rows,
            palaces=manifest.palaces,
            encrypted=key is not None,
            made_at=manifest.made_at,
            seconds=time.monotonic() - began,
            paused_s=paused_s,
            deleted=() if to is not None else self._delete_oldest(),
        )

    def newest_at(self) -> datetime | None:
        """Return when the newest backup in the usual folder was made; None if there is none."""
        return newest_in(self._folder)

    def _target(self, to: Path | None, now: datetime) -> Path:
        if to is None:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = (self._folder if to is None else to.expanduser()).absolute()
        if path.is_dir():
            path /= now.strftime(USUAL_NAME)
        if path.exists():
            raise Conflict(f"{path} exists already; name a file that does not exist yet", path=str(path))
        if not path.parent.is_dir():
            raise NotFound(f"{path.parent} does not exist; create it first", path=str(path.parent))
        return path

    async def _write(self, draft: Path, key: bytes | None, progress: Progress) -> BackupManifest:
        migrations, palaces = await self._graph.migrations(), await self._graph.palaces()
        writer = ArchiveWriter(draft, key)
        try:
            made_at = datetime.now(UTC).isoformat(timespec="seconds")
            nodes = await _fill(writer, NODES, self._graph.nodes(), 0, progress)
            relationships = await _fill(writer, RELATIONSHIPS, self._graph.relationships(), nodes.rows, progress)
            manifest = BackupManifest(
                version=self._version,
                schema_version=max(migrations, default=""),
                migrations=migrations,
                made_at=made_at,
                palaces=palaces,
                nodes=nodes,
                relationships=relationships,
            )
            writer.finish(manifest)
        except BaseException:
            writer.abandon()
            raise
        return manifest

    def _delete_oldest(self) -> tuple[str, ...]:
        """Delete backups beyond those that are kept, and drafts that were left long ago; return the former."""
        old = backups_in(self._folder)[: -self._keep]
        for path in old:
            path.unlink()
        for draft in self._folder.glob(f".graphpalace-*{_DRAFT}"):
            if time.time() - draft.stat().st_mtime > _LEFT_S:
                draft.unlink()
        return tuple(str(path) for path in old)


async def _fill(
    writer: ArchiveWriter, name: str, rows: AsyncIterator[list[object]], done: int, progress: Progress
) -> BackupPart:
    with writer.part(name) as part:
        lines: list[bytes] = []
        size = 0
        async for row in rows:
            lines.append(line := line_of(row))
            size += len(line)
            if len(lines) == _AT_ONCE or size > _MOST_BYTES:
                await _add(part, lines)
                lines, size = [], 0
                progress(BackupProgress("reading", done + part.rows))
        await _add(part, lines)
    return part.written()


async def _add(part: PartWriter, lines: list[bytes]) -> None:
    """Compress lines in a thread, which is at its end when this is, even if it is cancelled."""
    adding = asyncio.ensure_future(asyncio.to_thread(part.add, lines))
    try:
        await asyncio.shield(adding)
    finally:
        await asyncio.wait({adding})


def _read_again(draft: Path, key: bytes | None, written: BackupManifest, progress: Progress) -> None:
    archive = Archive(draft, key)
    try:
        total = written.nodes.rows + written.relationships.rows
        for done in archive.check():
            progress(BackupProgress("checking", done, total))
        if archive.manifest != written:
            raise Conflict(f"the backup {draft} is not what was written: its disk may be failing", path=str(draft))
    finally:
        archive.close()
