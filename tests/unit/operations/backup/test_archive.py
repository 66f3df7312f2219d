"""The file of a backup, with and without a key."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from graphpalace.domain.backup import BackupManifest, BackupPart
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.operations.backup.archive import NODES, RELATIONSHIPS, Archive, ArchiveWriter
from graphpalace.operations.backup.encryption import MAGIC, DecryptingFile, EncryptingFile, read_key

KEY = bytes(range(32))
LINES = [f'[{number},["Drawer"],{{"text":"{"word " * 30}{number}"}}]\n'.encode() for number in range(5000)]


def written(path: Path, key: bytes | None, **changed: object) -> BackupManifest:
    writer = ArchiveWriter(path, key)
    parts: list[BackupPart] = []
    for name, lines in ((NODES, LINES), (RELATIONSHIPS, [])):
        with writer.part(name) as part:
            part.add(lines)
        parts.append(part.written())
    given = {
        "version": "1",
        "schema_version": "0020",
        "migrations": {"0020": "ab"},
        "made_at": "2026-01-01T00:00:00+00:00",
        "palaces": ["main"],
    }
    manifest = BackupManifest(**(given | changed), nodes=parts[0], relationships=parts[1])  # type: ignore[arg-type]
    writer.finish(manifest)
    return manifest


@pytest.mark.parametrize("key", [None, KEY])
def test_what_is_written_is_read_again(tmp_path: Path, key: bytes | None) -> None:
    path = tmp_path / "a.backup"
    manifest = written(path, key)
    archive = Archive(path, key)
    assert archive.manifest == manifest
    assert list(archive.lines(NODES)) == LINES
    assert list(archive.check())[-1] == len(LINES)
    archive.close()
    assert (b"word" in path.read_bytes(), path.stat().st_mode & 0o077) == (False, 0)


@pytest.mark.parametrize("key", [None, KEY])
def test_every_byte_that_is_changed_or_missing_is_noticed(tmp_path: Path, key: bytes | None) -> None:
    path = tmp_path / "a.backup"
    written(path, key)
    whole = path.read_bytes()
    places = [*range(0, len(whole), max(len(whole) // 60, 1)), len(whole) - 1]
    spoilt = [whole[:at] for at in places] + [whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :] for at in places]
    unnoticed = 0
    for data in spoilt:
        path.write_bytes(data)
        try:
            archive = Archive(path, key)
            for _ in archive.check():
                pass
        except InvalidInput:
            continue
        unnoticed += 1
    # The CRC and the hashes cover what is read; without a key, some bytes of a ZIP's directory mean nothing to readers.
    assert unnoticed <= (1 if key is None else 0)


def test_another_key_is_not_called_damage(tmp_path: Path) -> None:
    path = tmp_path / "a.backup"
    written(path, KEY)
    with pytest.raises(InvalidInput, match="another key"):
        Archive(path, bytes(32))
    with pytest.raises(InvalidInput, match="is encrypted: name the file"):
        Archive(path, None)


def test_pieces_cannot_change_places(tmp_path: Path) -> None:
    inner = io.BytesIO()
    file = EncryptingFile(inner, KEY)
    file.write(bytes(3 * 2**16))
    file.finish()
    sealed, size = inner.getvalue(), 2**16 + 16
    head = len(MAGIC) + 48
    swapped = (
        sealed[:head] + sealed[head + size : head + 2 * size] + sealed[head : head + size] + sealed[head + 2 * size :]
    )
    assert DecryptingFile(io.BytesIO(sealed), KEY, path="a").read() == bytes(3 * 2**16)
    with pytest.raises(InvalidInput, match="changed or cut off"):
        DecryptingFile(io.BytesIO(swapped), KEY, path="a").read()


@pytest.mark.parametrize("size", [0, 1, 2**16 - 1, 2**16, 2**16 + 1])
def test_files_of_every_length_come_back(size: int) -> None:
    inner = io.BytesIO()
    file = EncryptingFile(inner, KEY)
    file.write(b"x" * size)
    file.finish()
    assert DecryptingFile(inner, KEY, path="a").read() == b"x" * size


def test_a_key_has_64_hexadecimal_digits(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(KEY.hex() + "\n")
    assert read_key(file) == KEY
    file.write_text("secret")
    with pytest.raises(InvalidInput, match=r"64 hexadecimal digits.*openssl rand -hex 32"):
        read_key(file)
    with pytest.raises(NotFound, match="cannot be read"):
        read_key(tmp_path / "no")


def test_a_later_format_and_another_zip_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.backup"
    with monkeypatch.context() as patch:
        patch.setattr("graphpalace.domain.backup.FORMAT", 2)
        written(path, None, version="99.0")
    with pytest.raises(Conflict, match=r"GraphPalace 99\.0 wrote the backup"):
        Archive(path, None)
    path.write_bytes(b"no zip at all")
    with pytest.raises(InvalidInput, match="no backup of GraphPalace"):
        Archive(path, None)
