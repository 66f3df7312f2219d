"""NeuralCache, which reranks what something else has found: here the fifty nearest by cosine, which it is given.

All of its defaults but these: vectors of 384 dimensions, and deterministic, so that each run has the same answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from neuralcache.config import Settings  # pyright: ignore[reportMissingImports]
from neuralcache.rerank import Reranker  # pyright: ignore[reportMissingImports]
from neuralcache.types import Document as Text  # pyright: ignore[reportMissingImports]
from protocol import Document, Peer, Question, as_shown, serve

_DIMENSION, _CANDIDATES, _MOST_CHARS = 384, 50, 8192


class Cache(Peer):
    """A reranker, and the documents that it chooses from."""

    def __init__(self, folder: Path) -> None:
        self._reranker = Reranker(Settings(narrative_dim=_DIMENSION, deterministic=True, storage_dir=str(folder)))
        self._texts: list[Text] = []
        self._vectors = np.zeros((0, _DIMENSION), np.float32)

    def ingest(self, documents: Sequence[Document]) -> None:
        rows = np.array([each["vector"] for each in documents], np.float32)
        self._vectors = np.concatenate([self._vectors, rows / np.linalg.norm(rows, axis=1, keepdims=True)])
        self._texts += [
            Text(id=each["id"], text=each["text"][:_MOST_CHARS], embedding=each["vector"]) for each in documents
        ]

    def search(self, asked: Question) -> list[str]:
        return [found.id for found in self._found(asked)]

    def shown(self, asked: Question) -> str:
        return as_shown([found.model_dump(exclude={"embedding"}) for found in self._found(asked)])

    def feedback(self, asked: Question, useful: Sequence[str]) -> int:
        shown = {found.id: found for found in self._found(asked)}
        helped = [one for one in useful if one in shown]
        if helped:
            self._reranker.update_feedback(helped, shown, success=1.0)
        return len(helped)

    def _found(self, asked: Question) -> list[Text]:
        vector = np.array(asked.vector, np.float32)
        near = np.argsort(-(self._vectors @ vector), kind="stable")[:_CANDIDATES]
        texts = [self._texts[at] for at in near]
        return self._reranker.score(vector, texts, mmr_lambda=0.5, query_text=asked.text)[: asked.top_k]


if __name__ == "__main__":
    serve(Cache)
