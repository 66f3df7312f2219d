"""A model on ONNX Runtime, which needs no torch, or in torch where that is better."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import psutil
import structlog

from graphpalace.domain.vectors import Matrix, unit_rows
from graphpalace.embedding.embedder import Embedder, embed_in_threads
from graphpalace.embedding.onnx_models import OnnxFiles, OnnxModel
from graphpalace.errors import EmbeddingFailed, ManagedServerError, WrongDimension
from graphpalace.settings.sections.embeddings import BUNDLED_DIMENSION

_LOG = structlog.get_logger("graphpalace.embeddings")
_FEW = 4  # up to this many texts, a CPU has finished before torch is imported


class OnnxEmbedder:
    """A model on ONNX Runtime. It is loaded when it is first used.

    Each text is computed by one thread, and many texts are divided among as many threads as there are cores.

    Args:
        name: Name of the model.
        model: How its vectors are computed.
        files: Returns the files of the model; called once, by `load`.
        batch_size: Most texts that are padded to one length and computed together. A quantized model always takes one.
        dimension: Expected length of a vector.
    """

    def __init__(
        self,
        name: str,
        model: OnnxModel,
        *,
        files: Callable[[], OnnxFiles],
        batch_size: int,
        dimension: int = BUNDLED_DIMENSION,
    ) -> None:
        self.name = name
        self.dimension = dimension
        self._model = model
        self._files = files
        self._batch_size = 1 if model.quantized else batch_size
        self._threads = _cores()
        self._session: Any = None
        self._tokenizer: Any = None
        self._pool: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()

    def load(self) -> None:
        """Load the model now.

        Raises:
            EmbeddingFailed: If it cannot be loaded.
            WrongDimension: If its vectors do not have the expected length.
            ManagedServerError: If its files cannot be downloaded; see `ensure_onnx_files`.
        """
        if self.dimension != BUNDLED_DIMENSION:
            raise WrongDimension(
                f"embeddings.dimension is {self.dimension}; {self.name} has dimension {BUNDLED_DIMENSION}",
                field="embeddings.dimension",
                expected=BUNDLED_DIMENSION,
            )
        with self._lock:
            if self._session is None:
                files = self._files()
                try:
                    self._tokenizer = _tokenizer(files, most_tokens=self._model.most_tokens)
                    self._session = _session(files)
                except Exception as error:
                    raise EmbeddingFailed(f"{files.model} cannot be loaded: {error}", model=self.name) from error
                self._pool = ThreadPoolExecutor(self._threads, "embed")

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each text, in order. Blocks; call it in a thread."""
        self.load()
        assert self._pool is not None
        if len(texts) == 1:
            return unit_rows(self._encode(texts))
        vectors = embed_in_threads(
            texts,
            self._encode,
            self._pool,
            threads=self._threads,
            batch_size=self._batch_size,
            dimension=self.dimension,
        )
        return unit_rows(vectors)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each question, in order. Blocks; call it in a thread."""
        return self.embed([self._model.question_prefix + text for text in texts])

    def _encode(self, texts: Sequence[str]) -> Matrix:
        encoded = self._tokenizer.encode_batch_fast(list(texts))
        tokens = np.array([each.ids for each in encoded], np.int64)
        mask = np.array([each.attention_mask for each in encoded], np.int64)
        given = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        (states,) = self._session.run(None, given)
        if self._model.pooling == "first":
            return states[:, 0]
        return np.einsum("bs,bsd->bd", mask.astype(np.float32), states) / mask.sum(axis=1, keepdims=True)


def _tokenizer(files: OnnxFiles, *, most_tokens: int) -> Any:
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(files.tokenizer))
    tokenizer.enable_truncation(most_tokens)
    tokenizer.enable_padding()  # to the longest text of a batch
    return tokenizer


def _session(files: OnnxFiles) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # the texts are divided among threads, as in `LocalEmbedder`
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(files.model), options, providers=["CPUExecutionProvider"])


def _cores() -> int:
    """Return the number of cores that this process may use, without counting a core's second thread."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if (most := os.environ.get("OMP_NUM_THREADS", "")).isdecimal():  # as in a worker that has one core
        allowed = min(allowed, max(int(most), 1))
    return min(allowed, psutil.cpu_count(logical=False) or allowed)


class OnnxOrTorch:
    """Two runtimes of the same model: ONNX Runtime, and torch if ONNX Runtime cannot load the model.

    Args:
        onnx: The model on ONNX Runtime.
        torch: The model in torch, which is loaded when it is first needed.
        torch_after: Number of texts, given many at a time, after which torch embeds them, because it computes faster
            here; 0 is from the first on. Loading torch takes longer than embedding a few texts. None is never.
    """

    def __init__(self, onnx: Embedder, torch: Embedder, *, torch_after: int | None) -> None:
        self.name = torch.name
        self.dimension = torch.dimension
        self._onnx = onnx
        self._torch = torch
        self._torch_after = torch_after
        self._embedded = 0  # of texts that were given many at a time
        self._few: Embedder | None = None
        self._lock = threading.Lock()

    def load(self) -> None:
        """Load the model for few texts. If ONNX Runtime cannot load it, say so in the log and load it in torch."""
        with self._lock:
            if self._few is not None:
                return
            try:
                self._onnx.load()
                self._few = self._onnx
            except (EmbeddingFailed, ManagedServerError) as error:
                _LOG.warning("embedding_without_onnx", model=self.name, reason=str(error), instead="torch")
                self._torch.load()
                self._few = self._torch

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each text, in order. Blocks; call it in a thread."""
        return self._runtime_for(len(texts)).embed(texts)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each question, in order. Blocks; call it in a thread."""
        return self._runtime_for(len(texts)).embed_questions(texts)

    def _runtime_for(self, count: int) -> Embedder:
        self.load()
        assert self._few is not None
        if count <= _FEW or self._torch_after is None:
            return self._few
        with self._lock:
            before, self._embedded = self._embedded, self._embedded + count
        return self._torch if before >= self._torch_after else self._few
