"""What workers compute: the documents of files, the vectors of texts, and the names in texts.

Each worker makes a model when it first needs it, and keeps it for its other tasks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import chain
from math import ceil
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import numpy as np

from graphpalace.cluster.ray_cluster import RayCluster
from graphpalace.domain.drawers.document import Document
from graphpalace.domain.drawers.files import ReadLimits, SplitOptions
from graphpalace.domain.vectors import Matrix
from graphpalace.embedding.embedder import Embedder
from graphpalace.entities.mention import Mention, ReadableText, Recogniser
from graphpalace.errors import NotFound, UnreadableDocument
from graphpalace.ingest.files.file_reader import FileReader

_T = TypeVar("_T")
_FEWEST, _MOST = 16, 128  # texts of one task: its way costs milliseconds, and what is lost with a worker is repeated
_SHARES = 4  # tasks of a batch for each core, so that all cores finish at nearly the same time


class ClusterEmbedder:
    """An embedding model on the workers; this process does not load it."""

    def __init__(self, cluster: RayCluster, embedder: Embedder, make: Callable[[], Embedder]) -> None:
        """Create it.

        Args:
            embedder: The same model, of which only the name and the dimension are used.
            make: Makes the model on a worker; Ray must be able to send it.
        """
        self.name = embedder.name
        self.dimension = embedder.dimension
        self._cluster = cluster
        self._make = make

    def load(self) -> None:
        """Load the model on one worker, to see that this is possible. Others load it when they need it."""
        self._cluster.run(_load, self.name, self._make)

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each text, in order. Blocks; call it in a thread."""
        return self._computed(texts, questions=False)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each question, in order. Blocks; call it in a thread."""
        return self._computed(texts, questions=True)

    def _computed(self, texts: Sequence[str], *, questions: bool) -> Matrix:
        parts = _parts(texts, self._cluster.cores)
        found = self._cluster.map(_embed, [(self.name, self._make, part, questions) for part in parts])
        return np.concatenate(found) if found else np.empty((0, self.dimension), np.float32)


class ClusterRecogniser:
    """A recogniser of names on the workers."""

    def __init__(self, cluster: RayCluster, recogniser: Recogniser, make: Callable[[], Recogniser | None]) -> None:
        """Create it.

        Args:
            recogniser: The same one, of which only the version is used.
            make: Makes it on a worker; Ray must be able to send it.
        """
        self.version = recogniser.version
        self._cluster = cluster
        self._make = make

    def names(self, texts: Sequence[ReadableText]) -> list[list[Mention]]:
        """Return the mentions in each text. Blocks; call it in a thread."""
        parts = _parts(texts, self._cluster.cores)
        return list(chain.from_iterable(self._cluster.map(_names, [(self._make, part) for part in parts])))


class ClusterReader:
    """Reads files on the workers that have the same file in the same place, and all others in this process."""

    def __init__(self, cluster: RayCluster, options: SplitOptions, limits: ReadLimits) -> None:
        self._cluster = cluster
        self._options = options
        self._limits = limits
        self._own = FileReader(options, limits)

    @property
    def slow_s(self) -> float:
        """Processor time in seconds that slow files have taken so far."""
        return self._own.slow_s

    def read(self, path: Path, folders: tuple[str, ...] = (), uri: str | None = None) -> list[Document]:
        """Return the documents of a file. Arguments and errors are those of `FileReader.read`."""
        seen = _stamp(path)
        if seen is None:
            return self._own.read(path, folders, uri)
        kinds = self._options, self._limits
        answer = self._cluster.run(_read, kinds, self.slow_s, seen, (path, folders, uri or path.absolute().as_uri()))
        if answer is None:
            return self._own.read(path, folders, uri)
        documents, took_s = answer
        self._own.slow_s += took_s
        if isinstance(documents, list):
            return documents
        raise documents

    def close(self) -> None:
        """Stop the reading of files in this process."""
        self._own.close()

    def __enter__(self) -> ClusterReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._own.__exit__(kind, error, trace)


def _parts(texts: Sequence[_T], cores: int) -> list[Sequence[_T]]:
    """Divide texts among tasks."""
    size = min(max(ceil(len(texts) / (cores * _SHARES)), _FEWEST), _MOST)
    return [texts[start : start + size] for start in range(0, len(texts), size)]


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one or an earlier state of it; None if there is no such file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


# The functions below run on workers.

_kept: dict[Any, Any] = {}  # what this worker has made; Ray gives no worker to two programs


def _made(key: Any, make: Callable[[], _T]) -> _T:
    if key not in _kept:
        os.environ["OMP_NUM_THREADS"] = "1"  # there is a worker for each core
        _kept[key] = make()
    return _kept[key]


def _load(name: str, make: Callable[[], Embedder]) -> None:
    _made(name, make).load()


def _embed(name: str, make: Callable[[], Embedder], texts: Sequence[str], questions: bool) -> Matrix:
    model = _made(name, make)
    model.load()
    return model.embed_questions(texts) if questions else model.embed(texts)


def _names(make: Callable[[], Recogniser | None], texts: Sequence[ReadableText]) -> list[list[Mention]]:
    recogniser = _made(Recogniser, make)
    assert recogniser is not None
    return recogniser.names(texts)


def _read(
    kinds: tuple[SplitOptions, ReadLimits],
    slow_s: float,
    seen: tuple[int, int],
    file: tuple[Path, tuple[str, ...], str],
) -> tuple[list[Document] | NotFound | UnreadableDocument, float] | None:
    """Return the documents of a file, or why it cannot be read, and how long it took if it is slow.

    None: this machine does not have the file.
    """
    if _stamp(file[0]) != seen:
        return None
    reader = _made(kinds, lambda: FileReader(*kinds))
    reader.slow_s = slow_s
    documents: list[Document] | NotFound | UnreadableDocument
    try:
        documents = reader.read(*file)
    except (NotFound, UnreadableDocument) as error:
        documents = error
    return documents, reader.slow_s - slow_s
