"""neo4j-graphrag's HybridRetriever: a vector and a full-text index of the Neo4j that NEO4J_URI names; all its defaults.

Signs that Lucene's query language knows are escaped, as the retriever gives the words of a question to it as they are,
so that "why?" or "1/2" would be an error or mean something else.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import neo4j  # pyright: ignore[reportMissingImports]
from neo4j_graphrag.indexes import create_fulltext_index, create_vector_index  # pyright: ignore[reportMissingImports]
from neo4j_graphrag.retrievers import HybridRetriever  # pyright: ignore[reportMissingImports]
from protocol import Document, Peer, Question, serve

_LABEL, _VECTORS, _WORDS = "PeerNote", "peer_note_vectors", "peer_note_words"
_DIMENSION, _BATCH = 384, 500
_LUCENE = re.compile(r'([+\-!(){}\[\]^"~*?:\\/]|&&|\|\|)')
_CREATE = f"UNWIND $rows AS row CREATE (note:{_LABEL}) SET note = row"
_INDEXED = "CALL db.awaitIndexes(300)"
_SEEN = "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()"


class Hybrid(Peer):
    """Notes with a label of their own, in a database that others use too."""

    def __init__(self, _folder: Path) -> None:
        password = os.environ.get("NEO4J_PASSWORD")
        auth = ("neo4j", password) if password else None
        self._driver = neo4j.GraphDatabase.driver(os.environ["NEO4J_URI"], auth=auth)
        self._driver.execute_query(f"MATCH (note:{_LABEL}) DETACH DELETE note")
        create_vector_index(
            self._driver,
            _VECTORS,
            label=_LABEL,
            embedding_property="embedding",
            dimensions=_DIMENSION,
            similarity_fn="cosine",
        )
        create_fulltext_index(self._driver, _WORDS, label=_LABEL, node_properties=["text"])
        self._driver.execute_query(_INDEXED)
        self._retriever = HybridRetriever(self._driver, _VECTORS, _WORDS)

    def ingest(self, documents: Sequence[Document]) -> None:
        rows = [{"name": each["id"], "text": each["text"], "embedding": each["vector"]} for each in documents]
        for at in range(0, len(rows), _BATCH):
            self._driver.execute_query(_CREATE, rows=rows[at : at + _BATCH])
        self._driver.execute_query(_INDEXED)
        self._driver.execute_query(_SEEN)

    def search(self, asked: Question) -> list[str]:
        query = _LUCENE.sub(r"\\\1", asked.text)
        found = self._retriever.get_search_results(query_text=query, query_vector=asked.vector, top_k=asked.top_k)
        return [record["node"]["name"] for record in found.records]

    def shown(self, asked: Question) -> str:
        query = _LUCENE.sub(r"\\\1", asked.text)
        answer = self._retriever.search(query_text=query, query_vector=asked.vector, top_k=asked.top_k)
        return "\n".join(item.content for item in answer.items)  # as its GraphRAG puts them into a prompt


if __name__ == "__main__":
    serve(Hybrid)
