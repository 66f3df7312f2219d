"""mem0 as far as it goes without a language model: `add(..., infer=False)` keeps texts as they are; Qdrant in a folder.

Its client of a language model is made, but nothing is asked of it. Vectors come from a table of the texts.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from protocol import Document, Peer, Question, as_shown, serve

_DIMENSION = 384
_USER = "reader"


class Memory(Peer):
    """The memory of one user."""

    def __init__(self, folder: Path) -> None:
        os.environ |= {"MEM0_DIR": str(folder), "MEM0_TELEMETRY": "False"}  # read when it is imported
        from mem0 import Memory as Opened  # pyright: ignore[reportMissingImports]

        nobody = {"provider": "openai", "config": {"api_key": "nobody"}}
        store = {"collection_name": "notes", "path": str(folder / "qdrant"), "embedding_model_dims": _DIMENSION}
        self._vectors: dict[str, list[float]] = {}
        self._memory = Opened.from_config(
            {
                "llm": nobody,
                "embedder": nobody,
                "vector_store": {"provider": "qdrant", "config": store | {"on_disk": True}},
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._memory.embedding_model = _Table(self._vectors)

    def ingest(self, documents: Sequence[Document]) -> None:
        for each in documents:
            self._vectors[each["text"]] = each["vector"]
            added = self._memory.add(each["text"], user_id=_USER, infer=False, metadata={"document": each["id"]})
            if not added["results"]:
                raise RuntimeError(f"{each['id']} was not stored")

    def search(self, asked: Question) -> list[str]:
        return [found["metadata"]["document"] for found in self._found(asked)["results"]]

    def shown(self, asked: Question) -> str:
        return as_shown(self._found(asked))

    def _found(self, asked: Question) -> dict[str, Any]:
        self._vectors[asked.text.strip()] = asked.vector
        return self._memory.search(asked.text, top_k=asked.top_k, filters={"user_id": _USER})


class _Table:
    """The vector of each text, in place of a model."""

    def __init__(self, vectors: dict[str, list[float]]) -> None:
        self._vectors = vectors

    def embed(self, text: str, _memory_action: str | None = None) -> list[float]:
        return self._vectors[text]

    def embed_batch(self, texts: Sequence[str], _memory_action: str | None = None) -> list[list[float]]:
        return [self._vectors[text] for text in texts]


if __name__ == "__main__":
    serve(Memory)
