"""Creates the embedding model that the settings name, or several as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from pathlib import Path

import numpy as np

from graphpalace.domain.vectors import Matrix, Vector, unit_rows
from graphpalace.embedding.embedder import Embedder
from graphpalace.embedding.endpoint import EndpointEmbedder
from graphpalace.embedding.local import HOW_TO_INSTALL, LocalEmbedder, torch_is_installed
from graphpalace.embedding.measured_models import bge_centre
from graphpalace.embedding.multilingual import MultilingualEmbedder
from graphpalace.embedding.onnx import OnnxEmbedder, OnnxOrTorch
from graphpalace.embedding.onnx_models import ONNX_MODELS, ensure_onnx_files
from graphpalace.errors import DownloadFailed, SettingsInvalid, WrongDimension
from graphpalace.settings.sections.embeddings import (
    BGE_MODEL,
    BUNDLED_DIMENSION,
    BUNDLED_MODEL,
    JOINED_MODEL,
    MULTILINGUAL_MODEL,
    NAMED_MODELS,
    QUANTIZED_MODEL,
    EmbeddingSettings,
    Precision,
)


@dataclass(frozen=True, slots=True)
class JoinedPart:
    """One of the models.

    Attributes:
        weight: How much its cosine counts, above 0; those of all parts add up to 1.
        centre: What is taken from each of its vectors before they are compared, or None. The vectors of a model that
            all point in one direction have high cosines even if the texts have nothing in common; without the mean of
            all texts, these are near 0 (Mu and Viswanath, "All-but-the-Top", 2018).
    """

    embedder: Embedder
    weight: float
    centre: Vector | None = None


class JoinedEmbedder:
    """A model that consists of others.

    A vector is that of each part, of length sqrt(weight), one after the other. So the product of two vectors is the
    weighted mean of the cosines by the parts, and a vector has length one.

    Args:
        name: Name of the model.
        parts: The models, in the order in which their numbers are stored.
        dimension: Expected length of a vector.
    """

    def __init__(self, name: str, parts: Sequence[JoinedPart], *, dimension: int) -> None:
        self.name = name
        self.dimension = dimension
        self._parts = parts

    def load(self) -> None:
        """Load all models now.

        Raises:
            WrongDimension: If their vectors together do not have the expected length.
            DownloadFailed: If the files of one cannot be downloaded.
            EmbeddingFailed: If one cannot be loaded. Each may raise what else its own `load` does.
        """
        together = sum(part.embedder.dimension for part in self._parts)
        if self.dimension != together:
            raise WrongDimension(
                f"embeddings.dimension is {self.dimension}; {self.name} has dimension {together}",
                field="embeddings.dimension",
                expected=together,
            )
        for part in self._parts:
            try:
                part.embedder.load()
            except DownloadFailed as error:
                raise DownloadFailed(
                    f"{error.message} They are of the embedding model {self.name}. Without a network, set "
                    f"embeddings.model to {BUNDLED_MODEL}, which needs no download."
                ) from error

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each text, in order. Blocks; call it in a thread."""
        return self._joined(lambda embedder: embedder.embed(texts))

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each question, in order. Blocks; call it in a thread."""
        return self._joined(lambda embedder: embedder.embed_questions(texts))

    def _joined(self, vectors_by: Callable[[Embedder], Matrix]) -> Matrix:
        self.load()
        found = [(part, vectors_by(part.embedder)) for part in self._parts]
        return np.concatenate(
            [np.float32(sqrt(part.weight)) * _centred(rows, part.centre) for part, rows in found], axis=1
        )


def _centred(rows: Matrix, centre: Vector | None) -> Matrix:
    return rows if centre is None else unit_rows(rows - centre)


_CPU_BATCH, _BATCH = 16, 128
_IN_ONNX = (*ONNX_MODELS, JOINED_MODEL)
_ONLY_ONNX = {*_IN_ONNX} - {BUNDLED_MODEL}
_MINILM_SHARE = 0.5  # of MiniLM's cosine in that of the joined model
_RETRY_AFTER_S = 3600.0
# In bfloat16, torch embeds 79 texts/s where ONNX Runtime embeds 55, and takes up to ten seconds to load. From this many
# texts on, it has made up for that.
_WORTH_TORCH = 2000
_CPU_FLAGS = Path("/proc/cpuinfo")


def embedder_of(
    settings: EmbeddingSettings,
    *,
    device: str,
    fast_in_bfloat16: Callable[[str], bool],
    cache_dir: Path,
    repository_url: str | None = None,
) -> Embedder:
    """Return the configured model. It is loaded when it is first used.

    Args:
        device: Torch device for a model in this process.
        fast_in_bfloat16: Returns whether a device multiplies bfloat16 faster than float32.
        cache_dir: Folder for the files of ONNX Runtime.
        repository_url: A Maven repository that has them; None uses Maven Central.
    Raises:
        SettingsInvalid: If the runtime cannot compute this model in this precision, or needs torch, which is missing.
    """
    if settings.base_url:
        return EndpointEmbedder(
            settings.model,
            base_url=settings.base_url,
            api_key=settings.api_key.get_secret_value(),
            dimension=settings.dimension,
            batch_size=batch_size_of(settings.embed_batch_size),
        )
    _check_runtime(settings)
    onnx = partial(
        _onnx,
        batch_size=batch_size_of(settings.embed_batch_size, device="cpu"),
        cache_dir=cache_dir,
        repository_url=repository_url,
    )
    if settings.model == MULTILINGUAL_MODEL:
        return MultilingualEmbedder(dimension=settings.dimension)
    if settings.model == JOINED_MODEL:
        parts = [
            JoinedPart(onnx(QUANTIZED_MODEL), _MINILM_SHARE),
            JoinedPart(onnx(BGE_MODEL), 1 - _MINILM_SHARE, bge_centre()),
        ]
        return JoinedEmbedder(JOINED_MODEL, parts, dimension=settings.dimension)
    if settings.model in _ONLY_ONNX or settings.runtime == "onnx" or not torch_is_installed():
        return onnx(settings.model, dimension=settings.dimension)
    torch = LocalEmbedder(
        settings.model,
        dimension=settings.dimension,
        device=device,
        batch_size=batch_size_of(settings.embed_batch_size, device=device),
        precision=lambda: _precision_of(settings.precision, device, fast_in_bfloat16),
    )
    if _needs_torch(settings):
        return torch
    few = onnx(settings.model, dimension=settings.dimension, retry_after_s=_RETRY_AFTER_S)
    return OnnxOrTorch(few, torch, torch_after=_torch_after(settings.precision, device))


def batch_size_of(size: int, *, device: str | None = None) -> int:
    """Return how many texts to embed in one batch; for 0, the fastest number on the device.

    On a CPU, a batch of 16 needs little padding, and its values stay in the cache of a core.
    """
    return size or (_CPU_BATCH if device == "cpu" else _BATCH)


def _onnx(
    name: str,
    *,
    dimension: int = BUNDLED_DIMENSION,
    batch_size: int,
    cache_dir: Path,
    repository_url: str | None,
    retry_after_s: float = 0,
) -> OnnxEmbedder:
    model = ONNX_MODELS[name]
    return OnnxEmbedder(
        name,
        model,
        dimension=dimension,
        files=partial(
            ensure_onnx_files,
            model.artifact,
            cache_dir=cache_dir,
            repository_url=repository_url,
            retry_after_s=retry_after_s,
        ),
        batch_size=batch_size,
    )


def _check_runtime(settings: EmbeddingSettings) -> None:
    """Raise SettingsInvalid if the runtime cannot compute the model as the settings say."""
    if settings.model == MULTILINGUAL_MODEL:
        if settings.runtime != "auto":
            raise SettingsInvalid(
                f'embeddings.runtime is "{settings.runtime}"; {settings.model} has only one runtime: use "auto"',
                field="embeddings.runtime",
            )
    elif settings.runtime == "onnx" and settings.model not in _IN_ONNX:
        raise SettingsInvalid(
            f'embeddings.runtime "onnx" computes only {", ".join(_IN_ONNX)}, not {settings.model}',
            field="embeddings.runtime",
        )
    elif settings.runtime == "torch" and settings.model in _ONLY_ONNX:
        raise SettingsInvalid(
            f'embeddings.runtime "torch" cannot compute {settings.model}: use "auto" or "onnx", or set '
            f"embeddings.model to {BUNDLED_MODEL}",
            field="embeddings.runtime",
        )
    in_torch = settings.model != MULTILINGUAL_MODEL and settings.model not in _ONLY_ONNX and settings.runtime != "onnx"
    if not in_torch and settings.precision == "bfloat16":
        raise SettingsInvalid(
            f'embeddings.precision "bfloat16" needs torch, but these settings do not compute {settings.model} with '
            f"torch; {BUNDLED_MODEL} can be computed with it",
            field="embeddings.precision",
        )
    if in_torch and _needs_torch(settings) and not torch_is_installed():
        raise _torch_is_missing(settings)


def _needs_torch(settings: EmbeddingSettings) -> bool:
    """Return whether no other runtime can compute a model that torch can compute."""
    return settings.model != BUNDLED_MODEL or settings.runtime == "torch" or settings.precision == "bfloat16"


def _torch_is_missing(settings: EmbeddingSettings) -> SettingsInvalid:
    if settings.model != BUNDLED_MODEL:
        field, value, instead = "model", settings.model, f"choose one of {', '.join(NAMED_MODELS)}"
    elif settings.runtime == "torch":
        field, value, instead = "runtime", settings.runtime, 'use "auto" or "onnx"'
    else:
        field, value, instead = "precision", settings.precision, 'use "auto" or "float32"'
    return SettingsInvalid(
        f'embeddings.{field} is "{value}", which needs torch and sentence-transformers: {HOW_TO_INSTALL}, or {instead}',
        field=f"embeddings.{field}",
    )


def _torch_after(precision: Precision, device: str) -> int | None:
    """Return after how many texts torch is faster than ONNX Runtime on this machine; None: never."""
    if device != "cpu":
        return 0
    if precision != "auto":
        return None
    try:  # `fast_in_bfloat16` would import torch
        return _WORTH_TORCH if "avx512_bf16" in _CPU_FLAGS.read_text("utf-8") else None
    except OSError:
        return None


def _precision_of(name: Precision, device: str, fast_in_bfloat16: Callable[[str], bool]) -> str:
    """Return the precision. `auto` means bfloat16 on a device that multiplies it faster, and float32 otherwise.

    On a CPU with AVX-512 BF16, the bundled model is about twice as fast in bfloat16, and the cosine to the vectors of
    float32 is at least .9999.
    """
    if name != "auto":
        return name
    return "bfloat16" if fast_in_bfloat16(device) else "float32"
