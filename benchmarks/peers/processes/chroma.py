"""Chroma alone, in a file, with cosine as its distance: one collection, vectors given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import chromadb  # pyright: ignore[reportMissingImports]
from protocol import Document, Peer, Question, as_shown, serve

_BATCH = 1000


class Chroma(Peer):
    """A persistent collection."""

    def __init__(self, folder: Path) -> None:
        settings = chromadb.Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(str(folder / "chroma"), settings=settings)
        self._collection = client.create_collection("notes", configuration={"hnsw": {"space": "cosine"}})

    def ingest(self, documents: Sequence[Document]) -> None:
        for at in range(0, len(documents), _BATCH):
            batch = documents[at : at + _BATCH]
            self._collection.add(
                ids=[each["id"] for each in batch],
                documents=[each["text"] for each in batch],
                embeddings=[each["vector"] for each in batch],
            )

    def search(self, asked: Question) -> list[str]:
        return self._collection.query(query_embeddings=[asked.vector], n_results=asked.top_k)["ids"][0]

    def shown(self, asked: Question) -> str:
        return as_shown(self._collection.query(query_embeddings=[asked.vector], n_results=asked.top_k))


if __name__ == "__main__":
    serve(Chroma)
