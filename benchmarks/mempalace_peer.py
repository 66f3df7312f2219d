"""MemPalace in an environment and a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from benchmarks.environments import python_with
from graphpalace.domain.vectors import Matrix
from graphpalace.evaluation.collection import Collection, CollectionQuestion

VERSION = "3.11.0"


class MemPalace:
    """A running process that has stored its drawers.

    Attributes:
        stored_s: Seconds that storing took.
    """

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        assert process.stdin and process.stdout
        self._questions: IO[str] = process.stdin
        self._answers: IO[str] = process.stdout
        self._log = log
        self.stored_s: float = self._read()["stored_s"]

    def ask(self, question: int) -> tuple[float, list[str]]:
        """Return the milliseconds that the search took by the process's own clock, and the ids that it found."""
        print(question, file=self._questions, flush=True)
        answer = self._read()
        return answer["ms"], answer["ids"]

    def _read(self) -> dict[str, Any]:
        line = self._answers.readline()
        if not line:
            raise RuntimeError("MemPalace ended:\n" + self._log.read_text("utf-8", "replace")[-2000:])
        return json.loads(line)


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
    python = python_with("mempalace", VERSION)
    folder.mkdir()
    for name, rows, table in (("documents", documents, vectors), ("questions", questions, question_vectors)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        np.save(folder / f"{name}.npy", table)
    own = {"HOME": str(folder), "MEMPALACE_CONFIG_DIR": str(folder), "ANONYMIZED_TELEMETRY": "False"}
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("MEMPAL", "PYTHON"))} | own
    log = folder / "mempalace.log"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [str(python), str(Path(__file__).with_name("mempalace_process.py")), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
            text=True,
        )
        try:
            yield MemPalace(process, log)
        finally:
            process.terminate()
            process.wait(30)
