"""Run by MemPalace's own Python, which knows nothing of GraphPalace: store drawers, then answer questions.

Reads `documents.jsonl`, `documents.npy`, `questions.jsonl` and `questions.npy` from the folder that is its only
argument, and prints how long storing took; then, for each number of a question on standard input, the milliseconds that
the search took and the ids of what it found, best first. The default backend and all of MemPalace's defaults; vectors
come from a table of the texts in place of its model.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

_BATCH = 1000


def main() -> None:
    """Store and answer."""
    folder = Path(sys.argv[1])
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what libraries print is no answer
    documents, questions = (_lines(folder / f"{name}.jsonl") for name in ("documents", "questions"))
    table = {
        each["text"]: vector
        for name, texts in (("documents", documents), ("questions", questions))
        for each, vector in zip(texts, np.load(folder / f"{name}.npy"), strict=True)
    }
    _embed_by(table)

    from mempalace.palace import get_collection  # pyright: ignore[reportMissingImports]
    from mempalace.searcher import search_memories  # pyright: ignore[reportMissingImports]

    palace = str(folder / "palace")
    started = time.perf_counter()
    drawers = get_collection(palace)
    for at in range(0, len(documents), _BATCH):
        batch = documents[at : at + _BATCH]
        drawers.upsert(
            ids=[each["id"] for each in batch],
            documents=[each["text"] for each in batch],
            metadatas=[{"wing": each["wing"], "room": "all", "source_file": each["id"]} for each in batch],
        )
    print(json.dumps({"stored_s": time.perf_counter() - started}), file=answers)
    for line in sys.stdin:
        asked = questions[int(line)]
        started = time.perf_counter()
        found = search_memories(asked["text"], palace, wing=asked["wing"], n_results=asked["top_k"])
        took_ms = (time.perf_counter() - started) * 1000
        if "error" in found:
            raise RuntimeError(found["error"])
        print(json.dumps({"ms": took_ms, "ids": [hit["drawer_id"] for hit in found["results"]]}), file=answers)


def _lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _embed_by(table: dict[str, Any]) -> None:
    """Replace the forward pass of MemPalace's model; a text that is not in the table is an error."""
    from mempalace import embedding  # pyright: ignore[reportMissingImports]

    original = embedding._build_ef_class

    def build() -> type:
        class Table(original()):
            def __call__(self, input: list[str]) -> list[Any]:  # Chroma asks for the name
                return [table[text] if text != "probe" else next(iter(table.values())) for text in input]

        return Table

    embedding._build_ef_class = build


if __name__ == "__main__":
    main()
