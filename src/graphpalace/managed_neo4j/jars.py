"""The jar files of Neo4j: pinned by checksum, stored in a cache, downloaded if missing."""

from __future__ import annotations

import hashlib
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path

from filelock import FileLock

from graphpalace.errors import NotEnoughDisk, SettingsInvalid
from graphpalace.maven import Jar, Progress, fetch_jars

_HERE = files("graphpalace.managed_neo4j")
_MARGIN_BYTES = 64 * 1024 * 1024
_HASHERS = 4


def ensure_jars(
    version: str, *, cache_dir: Path, repository_url: str | None = None, progress: Progress | None = None
) -> list[Path]:
    """Return the paths of all jars of a version, after downloading those that are missing or damaged.

    A jar is hashed once and then recognised by its size and modification time, so later starts hash nothing.

    Args:
        version: A pinned version of Neo4j.
        cache_dir: Cache folder of the user; the jars are stored in its subfolder `jars`.
        repository_url: A Maven repository; None uses Maven Central.
        progress: Called during the download, from one thread at a time.
    Raises:
        ArtifactMissing, ChecksumMismatch, DownloadFailed, NotEnoughDisk, SettingsInvalid
    """
    jars = read_manifest(version)
    folder = cache_dir / "jars"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "jars.lock"):
        stamps = _read_stamps(folder)
        missing = _missing(jars, folder, stamps)
        if missing:
            _check_disk(folder, sum(jar.size_bytes for jar in missing))
            for jar in missing:
                (folder / jar.location).unlink(missing_ok=True)
            try:
                fetch_jars(missing, folder=folder, repository_url=repository_url, progress=progress)
            finally:  # downloaded jars were checked on arrival
                _write_stamps(folder, stamps | _times(missing, folder))
        elif stamps != _read_stamps(folder):
            _write_stamps(folder, stamps)
    return [folder / jar.location for jar in jars]


def missing_jars(version: str, *, cache_dir: Path) -> list[Jar]:
    """Return the jars that are not in the cache. Only sizes are compared."""
    folder = cache_dir / "jars"
    return [jar for jar in read_manifest(version) if _size(folder / jar.location) != jar.size_bytes]


def verify_jars(version: str, *, cache_dir: Path) -> list[str]:
    """Hash every jar and return the coordinates of the missing and damaged ones. The next start downloads them."""
    folder = cache_dir / "jars"
    if not folder.is_dir():
        return [jar.coordinate for jar in read_manifest(version)]
    with FileLock(folder / "jars.lock"):
        stamps = _read_stamps(folder)
        jars = read_manifest(version)
        for jar in jars:
            stamps.pop(jar.location, None)
        bad = _missing(jars, folder, stamps)
        _write_stamps(folder, stamps)
    return [jar.coordinate for jar in bad]


def _missing(jars: list[Jar], folder: Path, stamps: dict[str, list[int | str]]) -> list[Jar]:
    """Return the jars that must be downloaded, and update the stamps of all jars."""
    here = [jar for jar in jars if _size(folder / jar.location) == jar.size_bytes]
    unproven = [jar for jar in here if stamps.get(jar.location) != _stamp(jar, folder)]
    with ThreadPoolExecutor(_HASHERS) as pool:
        hashes = dict(zip(unproven, pool.map(lambda jar: _sha256(folder / jar.location), unproven), strict=True))
    sound = {jar for jar in here if hashes.get(jar, jar.sha256) == jar.sha256}
    for jar in jars:
        if jar in sound:
            stamps[jar.location] = _stamp(jar, folder)
        else:
            stamps.pop(jar.location, None)
    return [jar for jar in jars if jar not in sound]


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _stamp(jar: Jar, folder: Path) -> list[int | str]:
    return [(folder / jar.location).stat().st_mtime_ns, jar.sha256]


def _times(jars: list[Jar], folder: Path) -> dict[str, list[int | str]]:
    return {jar.location: _stamp(jar, folder) for jar in jars if _size(folder / jar.location) == jar.size_bytes}


def _read_stamps(folder: Path) -> dict[str, list[int | str]]:
    try:
        return json.loads((folder / "verified.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _write_stamps(folder: Path, stamps: dict[str, list[int | str]]) -> None:
    draft = folder / "verified.json.part"
    draft.write_text(json.dumps(stamps, indent=0, sort_keys=True), encoding="utf-8")
    draft.replace(folder / "verified.json")


def _check_disk(folder: Path, bytes_to_fetch: int) -> None:
    needed, free = bytes_to_fetch + _MARGIN_BYTES, shutil.disk_usage(folder).free
    if free < needed:
        message = f"Neo4j needs {needed >> 20} MiB in {folder}, which has {free >> 20} MiB free."
        raise NotEnoughDisk(
            f"{message} Free disk space, or set another cache folder.", needed_bytes=needed, free_bytes=free
        )


def pinned_versions() -> list[str]:
    """Return the versions of Neo4j that GraphPalace can start, oldest first."""
    names = [entry.name for entry in _HERE.iterdir() if entry.name.endswith(".sha256")]
    versions = [name.removeprefix("neo4j-").removesuffix(".sha256") for name in names]
    return sorted(versions, key=lambda version: [int(part) for part in version.split(".")])


def read_manifest(version: str) -> list[Jar]:
    """Return the pinned jars of a version of Neo4j, in the order of the class path.

    Raises:
        SettingsInvalid: If the version is not pinned.
    """
    if version not in pinned_versions():
        known = ", ".join(pinned_versions())
        raise SettingsInvalid(f"GraphPalace cannot start Neo4j {version}. Choose one of {known}.", version=version)
    lines = (_HERE / f"neo4j-{version}.sha256").read_text(encoding="utf-8").splitlines()
    rows = (line.split() for line in lines if line and not line.startswith("#"))
    return [Jar(coordinate, sha256, int(size)) for sha256, size, coordinate in rows]
