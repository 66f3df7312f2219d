"""The bundled model on ONNX Runtime where that is better, and in torch otherwise."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import structlog

from graphpalace.domain.vectors import Matrix
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import EmbeddingFailed, ManagedServerError

_LOG = structlog.get_logger("graphpalace.embeddings")
_FEW = 4  # up to this many texts, a CPU has finished before torch is imported


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
