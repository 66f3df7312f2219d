"""A file cache of embeddings, by model and content of the text."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

import numpy as np
import structlog

from graphpalace.domain.vectors import Matrix
from graphpalace.embedding.embedder import Embedder

_LOG = structlog.get_logger("graphpalace.embeddings")
_KEYS_A_QUERY = 500
_SCHEMA = "CREATE TABLE IF NOT EXISTS embeddings (key BLOB PRIMARY KEY, vector BLOB NOT NULL, used_at REAL NOT NULL)"
_BY_AGE = "CREATE INDEX IF NOT EXISTS by_age ON embeddings (used_at)"

_DELETE_OLDEST = "DELETE FROM embeddings WHERE key IN (SELECT key FROM embeddings ORDER BY used_at, key LIMIT ?)"


class CachedEmbedder:
    """An embedder that computes a vector only if it is not in the file. Several processes may share a file.

    If the file cannot be read or written, every vector is computed.

    Args:
        embedder: Computes the missing vectors.
        file: An SQLite database; it and its folder are created if they are missing.
        variant: What the vectors depend on besides the name and dimension of the model, for example the precision.
        most_bytes: Size of all vectors together, in bytes. Beyond it, the least recently used vectors are deleted.
    """

    def __init__(self, embedder: Embedder, file: Path, *, variant: str = "", most_bytes: int) -> None:
        self.name = embedder.name
        self.dimension = embedder.dimension
        self._embedder = embedder
        self._file = file
        self._prefix = f"{embedder.name}\0{embedder.dimension}\0{variant}\0".encode()
        self._most_rows = most_bytes // (4 * embedder.dimension)

    def load(self) -> None:
        """Load the model."""
        self._embedder.load()

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each text, in their order. Blocks; call it in a thread."""
        return self._cached(texts, self._embedder.embed, self._prefix)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each question, in their order. Blocks; call it in a thread."""
        return self._cached(texts, self._embedder.embed_questions, self._prefix + b"question\0")

    def _cached(self, texts: Sequence[str], compute: Callable[[list[str]], Matrix], prefix: bytes) -> Matrix:
        keys = [sha256(prefix + text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        known = self._known(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            computed = dict(zip(missing, compute(list(missing.values())), strict=True))
            self._keep(computed)
            known |= computed
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for row, key in enumerate(keys):
            vectors[row] = known[key]
        return vectors

    def _known(self, keys: Sequence[bytes]) -> dict[bytes, np.ndarray]:
        found: dict[bytes, np.ndarray] = {}
        try:
            with self._opened() as file:
                for start in range(0, len(keys), _KEYS_A_QUERY):
                    part = keys[start : start + _KEYS_A_QUERY]
                    marks = ", ".join("?" * len(part))
                    rows = file.execute(f"SELECT key, vector FROM embeddings WHERE key IN ({marks})", part)  # noqa: S608  only question marks
                    found |= {key: np.frombuffer(vector, np.float32) for key, vector in rows}
                now = time.time()
                file.executemany("UPDATE embeddings SET used_at = ? WHERE key = ?", ((now, key) for key in found))
        except (sqlite3.Error, OSError) as error:
            self._done_without(error)
        return {key: vector for key, vector in found.items() if len(vector) == self.dimension}

    def _keep(self, computed: dict[bytes, np.ndarray]) -> None:
        now = time.time()
        rows = [(key, np.asarray(vector, np.float32).tobytes(), now) for key, vector in computed.items()]
        try:
            with self._opened() as file:
                file.executemany("INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?)", rows)
                (count,) = file.execute("SELECT count(*) FROM embeddings").fetchone()
                if count > self._most_rows:
                    file.execute(_DELETE_OLDEST, (count - self._most_rows,))
        except (sqlite3.Error, OSError) as error:
            self._done_without(error)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self._file, timeout=5)) as file, file:
            file.execute(_SCHEMA)
            file.execute(_BY_AGE)
            yield file

    def _done_without(self, error: Exception) -> None:
        _LOG.warning("embedding_cache_failed", file=str(self._file), reason=str(error))
