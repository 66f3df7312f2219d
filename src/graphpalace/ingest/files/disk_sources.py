"""Which of the sources that a wing has are on the disk, where, and which of them have gone."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from graphpalace.domain.drawers.files import path_of
from graphpalace.ingest.files.discover import real_path
from graphpalace.ingest.files.recognise import Recognised, StoredSource, recognise

_ALIKE = 0.5  # least share of equal lines of what is one source although it was changed
_MOST_LINES_BYTES = 16 * 2**20  # of a file whose lines are compared


def sources_on_disk(
    stored: Iterable[StoredSource], files: Mapping[str, Sequence[str]], *, within: Sequence[Path] | None = None
) -> list[StoredSource]:
    """Return sources with their places without links, and whether they are missing.

    Args:
        stored: As a wing has them, with the hash of the content that was stored.
        files: Hashes that the document of each file of an ingest may have, by its URI; all or none are those of another
            file.
        within: Folders below which files may be looked for; None: anywhere.
    """
    first = {found: hashes[0] for hashes in files.values() for found in hashes}
    there = _existing_files(files)
    folders = None if within is None else [real_path(folder.expanduser()) for folder in within]
    real: dict[Path, Path] = {}

    def without_links(path: Path) -> Path:
        folder = real.get(path.parent)
        if folder is None:
            folder = real[path.parent] = real_path(path.parent)
        found = folder / path.name
        return real_path(found) if found.is_symlink() and found.exists() else found

    def looked_for(source: StoredSource) -> StoredSource:
        place, missing = source.uri, False
        base, mark, part = source.uri.partition("#")
        named = path_of(base)
        if named is not None:
            path = without_links(named)
            place = path.as_uri() + mark + part
            allowed = folders is None or any(path.is_relative_to(folder) for folder in folders)
            missing = path.as_uri() not in files and allowed and is_missing(path, there)
        content = source.content_hash
        return replace(source, place=place, content_hash=first.get(content or "", content), missing=missing)

    return [looked_for(source) for source in stored]


def recognised_files(files: Mapping[str, Sequence[str]], stored: Sequence[StoredSource]) -> Recognised:
    """Return which sources the files of an ingest are.

    Args:
        files: As for `sources_on_disk`.
        stored: As that returns them.
    """
    return recognise(first_hashes(files), stored, alike=_alike, exists=_exists)


def first_hashes(files: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return one hash for each file, by which equal contents are known; empty for files that cannot be read."""
    return {uri: hashes[0] if hashes else "" for uri, hashes in files.items()}


def gone_sources(
    stored: Iterable[StoredSource],
    *,
    uris: Mapping[str, str],
    files: Mapping[str, str],
    seen: Collection[str],
    roots: Sequence[Path],
    read: Collection[str],
    left_folders: Iterable[str],
) -> list[str]:
    """Return the URIs of sources that no longer exist, in order.

    They lay under the paths of the ingest, or in a folder that was moved there, or were copied there. What is on the
    disk is not gone, whether the ingest has read it or not; but a part that a file no longer has is.

    Args:
        uris: Of the documents that closets hold now, by the closet.
        files: Hash of the content of each file of the ingest, by its URI.
        seen: URIs of the documents of the ingest.
        roots: Paths of the ingest.
        read: URIs of the files that were read.
        left_folders: URIs of folders that were moved away.
    """
    below = [real_path(root).as_uri() for root in roots]
    left = [folder for folder in left_folders if _exists(folder.rpartition("/")[0])]
    contents = set(files.values())

    def is_gone(source: StoredSource) -> bool:
        uri = uris.get(source.closet, source.place)
        file = uri.partition("#")[0]
        if not source.missing or file in files:
            return file in read and uri not in seen
        inside = any(file == root or file.startswith(f"{root.rstrip('/')}/") for root in below + left)
        return inside or source.content_hash in contents

    return sorted({source.uri for source in stored if is_gone(source)})


def is_missing(path: Path, there: Mapping[tuple[int, int], str]) -> bool:
    """Return whether a file is not on the disk under exactly this name. What cannot be looked at is not missing.

    Args:
        there: Paths of other files by device and inode. Where case does not matter, a file that was renamed from
            `Notes.md` to `notes.md` is found under both names.
    """
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    if stat.S_ISDIR(found.st_mode):
        return True
    other = there.get((found.st_dev, found.st_ino))
    return other is not None and other != str(path) and other.casefold() == str(path).casefold()


def _exists(uri: str) -> bool:
    path = path_of(uri)
    return path is not None and path.exists()


def _existing_files(uris: Iterable[str]) -> dict[tuple[int, int], str]:
    found = {}
    for path in map(path_of, uris):
        if path is not None:
            with suppress(OSError):
                state = path.stat()
                found[state.st_dev, state.st_ino] = str(path)
    return found


def _alike(one: str, other: str) -> bool:
    """Return whether two files have at least half of their lines in common."""
    try:
        first, second = (Counter(_lines(uri)) for uri in (one, other))
    except OSError:
        return False
    return (first & second).total() >= _ALIKE * max(1, first.total(), second.total())


def _lines(uri: str) -> list[bytes]:
    path = path_of(uri)
    if path is None:
        return []
    with path.open("rb") as file:
        return [line for line in file.read(_MOST_LINES_BYTES).splitlines() if line.strip()]
