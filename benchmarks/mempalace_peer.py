"""MemPalace in an environment and a process of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.peer_list import MEMPALACE, PROCESSES
from benchmarks.peers.peer_process import PeerProcess
from graphpalace.domain.vectors import Matrix
from graphpalace.evaluation.collection import Collection, CollectionQuestion

VERSION = MEMPALACE.version


class MemPalace:
    """A running process that has stored its drawers.

    Attributes:
        stored_s: Seconds that storing took.
    """

    def __init__(self, process: PeerProcess, questions: Sequence[dict[str, Any]], *, stored_s: float) -> None:
        self._process = process
        self._questions = questions
        self.stored_s = stored_s

    def ask(self, question: int) -> tuple[float, list[str]]:
        """Return the milliseconds that the search took by the process's own clock, and the ids that it found."""
        answer = self._process.ask("search", **self._questions[question])
        return answer["ms"], answer["ids"]


def rankings(folder: Path, collection: Collection, *, depth: int) -> dict[str, list[str]]:
    """Return the documents that MemPalace finds for each question of a collection, best first.

    Args:
        folder: As of `mempalace`.
        collection: With embeddings, for MemPalace has no model here.
        depth: Documents of a ranking.
    """
    documents = [each for each in collection.documents if each.text.strip()]
    rows = [{"text": each.text, "wing": each.wing, "top_k": depth + len(each.exclude)} for each in collection.questions]
    with mempalace(
        folder,
        [{"id": each.id, "text": each.text, "wing": each.wing} for each in documents],
        np.array([each.vector for each in documents]),
        rows,
        np.array([each.vector for each in collection.questions]),
    ) as peer:
        return {each.id: kept(peer.ask(at)[1], each, depth=depth) for at, each in enumerate(collection.questions)}


def kept(ids: Iterable[str], question: CollectionQuestion, *, depth: int) -> list[str]:
    """Return the first documents that a question does not exclude, each once."""
    return [one for one in dict.fromkeys(ids) if one not in question.exclude][:depth]


@contextmanager
def mempalace(
    folder: Path,
    documents: Sequence[dict[str, str]],
    vectors: Matrix,
    questions: Sequence[dict[str, Any]],
    question_vectors: Matrix,
) -> Iterator[MemPalace]:
    """Store documents in a new MemPalace and give it, until the block ends.

    Args:
        folder: Does not exist yet; who gave it removes it.
        documents: Each with id, text and wing.
        questions: Each with text, wing (None: all) and top_k.
    """
    with PeerProcess(MEMPALACE.python(), PROCESSES / MEMPALACE.script, folder, {}) as process:
        stored = process.ask("ingest", documents=_with_vectors(documents, vectors))
        yield MemPalace(process, _with_vectors(questions, question_vectors), stored_s=stored["seconds"])


def _with_vectors(rows: Sequence[dict[str, Any]], vectors: Matrix) -> list[dict[str, Any]]:
    return [row | {"vector": vector.tolist()} for row, vector in zip(rows, vectors, strict=True)]
