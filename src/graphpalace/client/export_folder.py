"""The folder of an export: written completely or not at all, and checked before it is read."""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from graphpalace.domain.transfer.kinds import KINDS
from graphpalace.domain.transfer.manifest import MANIFEST, ExportedFile, ExportedPalace, Manifest, read_manifest
from graphpalace.domain.transfer.rows import check_row
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.private_files import create_private_folder, open_private, write_private

Row = dict[str, Any]

MOST_ROWS = 1000  # in a batch
_MOST_BYTES = 4 * 2**20  # of a batch; the service takes 32 MiB unless its settings say otherwise
_LONGEST_LINE = 24 * 2**20
_CHUNK = 2**20


def check_target(folder: Path) -> Path:
    """Return the absolute path of a folder that can become an export.

    Raises:
        Conflict: If it exists and is not empty, or is a file.
        NotFound: If the folder that it is to be in does not exist.
    """
    found = folder.expanduser().absolute()
    if found.exists() and not found.is_dir():
        raise Conflict(f"{folder} is a file; an export is a folder of its own", path=str(folder))
    if found.exists() and any(found.iterdir()):
        raise Conflict(f"{folder} is not empty; choose a folder that does not exist yet", path=str(folder))
    if not found.parent.is_dir():
        raise NotFound(f"{found.parent} does not exist; create it first", path=str(found.parent))
    return found


class ExportWriter:
    """Writes an export beside its folder, which appears when the export is complete. Only its owner may read it."""

    def __init__(self, folder: Path) -> None:
        """Prepare a folder.

        Raises:
            Conflict, NotFound: As `check_target`.
        """
        self.folder = check_target(folder)
        self._draft = self.folder.with_name(f".{self.folder.name}.unfinished-{secrets.token_hex(4)}")
        create_private_folder(self._draft)
        self._open: dict[str, IO[bytes]] = {}
        self._hashes: dict[str, Any] = {}
        self.rows: dict[str, int] = {}

    def add(self, file: str, rows: Sequence[Row]) -> None:
        """Append rows to a file."""
        if file not in KINDS:
            raise InvalidInput(f"the export has rows of {file!r}, which this version does not know", field="file")
        if file not in self._open:
            self._open[file] = open_private(self._draft / f"{file}.jsonl")
            self._hashes[file] = sha256()
            self.rows[file] = 0
        for row in rows:
            line = json.dumps(row, ensure_ascii=False).encode() + b"\n"
            self._open[file].write(line)
            self._hashes[file].update(line)
        self.rows[file] += len(rows)

    def begin_again(self, file: str) -> None:
        """Drop the rows of a file."""
        if file in self._open:
            self._open.pop(file).close()
        self.add(file, [])

    def finish(self, exported: ExportedPalace) -> None:
        """Write the manifest, and let the folder appear."""
        self._close()
        files = {
            name: ExportedFile(self.rows[name], self._hashes[name].hexdigest()) for name in KINDS if name in self.rows
        }
        write_private(self._draft / MANIFEST, Manifest(exported, files).text())
        with suppress(FileNotFoundError):
            self.folder.rmdir()  # it is empty
        self._draft.rename(self.folder)

    def abandon(self) -> None:
        """Delete what was written, unless the export is complete."""
        self._close()
        shutil.rmtree(self._draft, ignore_errors=True)

    def _close(self) -> None:
        for file in self._open.values():
            file.close()
        self._open.clear()


class ExportFolder:
    """An export that can be imported."""

    def __init__(self, folder: Path) -> None:
        """Read the manifest.

        Raises:
            NotFound: If there is no such folder, or it has no manifest.
            InvalidInput: If the manifest is not valid.
            Conflict: If a later version of GraphPalace wrote it.
        """
        self.folder = folder.expanduser().absolute()
        if not self.folder.is_dir():
            raise NotFound(f"{folder} is no folder; an export is one", path=str(folder))
        path = self.folder / MANIFEST
        if not path.is_file():
            raise NotFound(f"{folder} has no {MANIFEST}: it is no export, or an unfinished one", path=str(folder))
        if path.stat().st_size > _CHUNK:
            raise InvalidInput(f"{path} is too large for a manifest", field=MANIFEST)
        self.manifest = read_manifest(path.read_bytes(), path=str(path))

    def check(self) -> Iterator[str]:
        """Compare the files with the manifest, and check their rows; yield the name of each that is as it should be.

        Raises:
            InvalidInput: If a file is missing or additional, or was changed, or a line is no row of its kind.
        """
        there = {path.name for path in self.folder.iterdir() if path.name.endswith(".jsonl")}
        listed = {f"{name}.jsonl" for name in self.manifest.files}
        if missing := sorted(listed - there):
            raise InvalidInput(f"{self.folder / missing[0]} is missing: the export is not complete", field=missing[0])
        if more := sorted(there - listed):
            raise InvalidInput(f"{self.folder / more[0]} is not in the manifest", field=more[0])
        for name, file in self.manifest.files.items():
            path = self.folder / f"{name}.jsonl"
            found, rows = sha256(), 0
            with path.open("rb") as opened:
                while chunk := opened.read(_CHUNK):
                    found.update(chunk)
                    rows += chunk.count(b"\n")
            if found.hexdigest() != file.sha256:
                raise InvalidInput(
                    f"{path} was changed or damaged: it has {rows} lines, and the manifest says {file.rows}"
                    if rows != file.rows
                    else f"{path} was changed or damaged: its SHA-256 is not the one in the manifest",
                    field=path.name,
                )
            for number, (row, _) in enumerate(self._lines(name), 1):  # so that nothing of a wrong export is imported
                check_row(KINDS[name], row, where=f"{path.name} line {number}")
            yield name

    def rows(self, file: str) -> Iterator[Row]:
        """Yield the rows of a file one by one, which `check` has checked; nothing if the export does not have it.

        Raises:
            InvalidInput: If a line is no JSON, or too long.
        """
        return (row for row, _ in self._lines(file))

    def _lines(self, file: str) -> Iterator[tuple[Row, int]]:
        """Yield the rows of a file with the lengths of their lines in bytes."""
        if file not in self.manifest.files:
            return
        path = self.folder / f"{file}.jsonl"
        with path.open("rb") as opened:
            number = 0
            while line := opened.readline(_LONGEST_LINE):
                number += 1
                where = f"{path.name} line {number}"
                if not line.endswith(b"\n"):
                    raise InvalidInput(f"{where} is longer than {_LONGEST_LINE >> 20} MiB or cut off", field=path.name)
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    raise InvalidInput(f"{where} is no JSON", field=path.name) from None
                yield row, len(line)

    def batches(self, file: str) -> Iterator[list[Row]]:
        """Yield the rows of a file in batches of at most 4 MiB, or one row that is larger."""
        batch: list[Row] = []
        size = 0
        for row, length in self._lines(file):
            if batch and (len(batch) == MOST_ROWS or size + length > _MOST_BYTES):
                yield batch
                batch, size = [], 0
            batch.append(row)
            size += length
        if batch:
            yield batch
