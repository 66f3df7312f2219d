"""An embedding model whose calls are timed, counted and traced, without their texts."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.domain.vectors import Matrix
from graphpalace.embedding.embedder import Embedder
from graphpalace.telemetry.model_calls import model_call
from graphpalace.telemetry.spans import span


class WatchedEmbedder:
    """Passes all calls to another embedder."""

    def __init__(self, embedder: Embedder) -> None:
        """Watch an embedder."""
        self.name = embedder.name
        self.dimension = embedder.dimension
        self._embedder = embedder

    def load(self) -> None:
        """Load the model."""
        with span("load model", model=self.name):
            self._embedder.load()

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each text, in their order. Blocks; call it in a thread."""
        with model_call(self.name, "texts", texts=len(texts)):
            return self._embedder.embed(texts)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each question, in their order. Blocks; call it in a thread."""
        with model_call(self.name, "questions", texts=len(texts)):
            return self._embedder.embed_questions(texts)
