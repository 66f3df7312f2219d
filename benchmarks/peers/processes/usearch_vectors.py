"""usearch: vectors only, in an index that knows no texts; cosine, all else by default."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from protocol import Document, Peer, Question, serve
from usearch.index import Index  # pyright: ignore[reportMissingImports]

_DIMENSION = 384


class Vectors(Peer):
    """An index, and the id of each of its rows."""

    def __init__(self, _folder: Path) -> None:
        self._index = Index(ndim=_DIMENSION, metric="cos")
        self._ids: list[str] = []

    def ingest(self, documents: Sequence[Document]) -> None:
        rows = np.array([each["vector"] for each in documents], np.float32)
        self._index.add(np.arange(len(self._ids), len(self._ids) + len(rows)), rows)
        self._ids += [each["id"] for each in documents]

    def search(self, asked: Question) -> list[str]:
        found = self._index.search(np.array(asked.vector, np.float32), asked.top_k)
        return [self._ids[key] for key in found.keys]


if __name__ == "__main__":
    serve(Vectors)
