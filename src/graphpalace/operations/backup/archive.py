"""The file of a backup: a ZIP of three files, which is encrypted as a whole if there is a key."""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, BinaryIO, cast

from graphpalace.domain.backup import BackupManifest, BackupPart, read_backup_manifest
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.operations.backup.encryption import MAGIC, DecryptingFile, EncryptingFile
from graphpalace.private_files import open_private

NODES, RELATIONSHIPS, MANIFEST = "nodes.jsonl", "relationships.jsonl", "manifest.json"
_QUICK = 1  # of zlib; vectors, the most of a palace, hardly get smaller
_BUFFER = 2**20


class ArchiveWriter:
    """Writes the file of a backup. Only its owner may read it."""

    def __init__(self, path: Path, key: bytes | None) -> None:
        self._file = open_private(path)
        self._encrypting = None if key is None else EncryptingFile(self._file, key)
        inner = self._file if self._encrypting is None else io.BufferedWriter(self._encrypting, _BUFFER)
        self._buffer = inner
        self._zip = zipfile.ZipFile(cast(IO[bytes], inner), "w", zipfile.ZIP_DEFLATED, compresslevel=_QUICK)

    @contextmanager
    def part(self, name: str) -> Iterator[PartWriter]:
        """Write one of the files."""
        with self._zip.open(name, "w", force_zip64=True) as part:
            yield PartWriter(cast(BinaryIO, part))

    def finish(self, manifest: BackupManifest) -> None:
        """Write the manifest, and the file to the disk."""
        self._zip.writestr(MANIFEST, manifest.text())
        self._zip.close()
        self._buffer.flush()
        if self._encrypting is not None:
            self._encrypting.finish()
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def abandon(self) -> None:
        """Close the file as it is."""
        for each in (self._zip, self._buffer, self._file):
            with suppress(Exception):  # such as a full disk, once more
                each.close()


class PartWriter:
    """Writes lines."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._hash = sha256()
        self.rows = 0

    def add(self, lines: list[bytes]) -> None:
        """Append lines."""
        data = b"".join(lines)
        self._file.write(data)
        self._hash.update(data)
        self.rows += len(lines)

    def written(self) -> BackupPart:
        """Return how much was written."""
        return BackupPart(self.rows, self._hash.hexdigest())


class Archive:
    """The file of a backup that exists."""

    def __init__(self, path: Path, key: bytes | None) -> None:
        """Open the file.

        Raises:
            NotFound: If there is no such file.
            InvalidInput: If it is no backup, is damaged, or is encrypted with another key.
        """
        self.path = path.expanduser().absolute()
        self._open = ExitStack()
        try:
            file = self._open.enter_context(self.path.open("rb"))
        except OSError as error:
            raise NotFound(f"{path} cannot be read: {error.strerror}", path=str(path)) from None
        try:
            encrypted = file.read(len(MAGIC)) == MAGIC
            if encrypted and key is None:
                raise InvalidInput(
                    f"{path} is encrypted: name the file with its key by --key-file, or as [backup] key_file",
                    field="key_file",
                )
            inner = file
            if encrypted and key is not None:
                inner = io.BufferedReader(DecryptingFile(file, key, path=str(path)), _BUFFER)
            with self._whole():
                self._zip = zipfile.ZipFile(cast(IO[bytes], inner))
                self.manifest = read_backup_manifest(self._zip.read(MANIFEST), path=str(path))
        except BaseException:
            self._open.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._open.close()

    def lines(self, name: str) -> Iterator[bytes]:
        """Yield the lines of one of the files.

        Raises:
            InvalidInput: If it is damaged.
        """
        with self._whole(), self._zip.open(name) as part:
            yield from io.BufferedReader(part, _BUFFER)  # pyright: ignore[reportArgumentType]  # typeshed wants RawIOBase

    def check(self) -> Iterator[int]:
        """Compare the content with the manifest; yield now and then how many rows are checked.

        Raises:
            InvalidInput: If it differs.
        """
        done = 0
        for name, part in ((NODES, self.manifest.nodes), (RELATIONSHIPS, self.manifest.relationships)):
            found, rows = sha256(), 0
            for line in self.lines(name):
                found.update(line)
                rows += 1
                if rows % 10_000 == 0:
                    yield done + rows
            done += rows
            if BackupPart(rows, found.hexdigest()) != part:
                raise InvalidInput(f"{self.path} is damaged: {name} is not what its manifest says", field="file")
        yield done

    @contextmanager
    def _whole(self) -> Iterator[None]:
        try:
            yield
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            KeyError,
            OSError,
            NotImplementedError,
            RuntimeError,
        ) as error:
            raise InvalidInput(
                f"{self.path} is no backup of GraphPalace, or it is damaged: {error or type(error).__name__}",
                field="file",
            ) from error
