"""LangChain's InMemoryVectorStore, whose embeddings come from a table of the texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from langchain_core.documents import Document as Text  # pyright: ignore[reportMissingImports]
from langchain_core.embeddings import Embeddings  # pyright: ignore[reportMissingImports]
from langchain_core.vectorstores import InMemoryVectorStore  # pyright: ignore[reportMissingImports]
from protocol import Document, Peer, Question, serve


class Table(Embeddings):
    """The vector of each text."""

    def __init__(self) -> None:
        self.vectors: dict[str, list[float]] = {}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.vectors[text] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.vectors[text]


class Store(Peer):
    """A store in memory."""

    def __init__(self, _folder: Path) -> None:
        self._table = Table()
        self._store = InMemoryVectorStore(self._table)

    def ingest(self, documents: Sequence[Document]) -> None:
        self._table.vectors |= {each["text"]: each["vector"] for each in documents}
        self._store.add_documents([Text(page_content=each["text"], id=each["id"]) for each in documents])

    def search(self, asked: Question) -> list[str]:
        return [str(found.id) for found in self._found(asked)]

    def shown(self, asked: Question) -> str:
        return "\n\n".join(found.page_content for found in self._found(asked))  # as its retriever tool

    def _found(self, asked: Question) -> list[Text]:
        self._table.vectors[asked.text] = asked.vector
        return self._store.similarity_search(asked.text, asked.top_k)


if __name__ == "__main__":
    serve(Store)
