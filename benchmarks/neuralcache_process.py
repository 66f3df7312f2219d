"""Run by NeuralCache's own Python, which knows nothing of GraphPalace: rerank the same documents some times.

Arguments: a folder with `documents.npy` and `question.npy`, the mode of the gate, how many times. Prints the
milliseconds of each time and the ids of the best ten. All of NeuralCache's defaults but these: deterministic, so that
both sides have the same answer; nothing is written to disk, which saves it time; vectors of 384 dimensions.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np
from neuralcache.config import Settings  # pyright: ignore[reportMissingImports]
from neuralcache.rerank import Reranker  # pyright: ignore[reportMissingImports]
from neuralcache.types import Document  # pyright: ignore[reportMissingImports]


def main() -> None:
    """Rerank."""
    folder, mode, turns = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    vectors, question = np.load(folder / "documents.npy"), np.load(folder / "question.npy")
    settings = Settings(
        narrative_dim=vectors.shape[1],
        deterministic=True,
        gating_mode=mode,
        storage_persistence_enabled=False,
        storage_dir=str(folder),
    )
    reranker = Reranker(settings)
    documents = [Document(id=f"d{at:04}", text="", embedding=row) for at, row in enumerate(vectors.tolist())]
    spent_ms, found = [], []
    for _ in range(turns):
        started = time.perf_counter()
        found = reranker.score(question, documents, mmr_lambda=0.5)[:10]
        spent_ms.append((time.perf_counter() - started) * 1000)
    print(json.dumps({"ms": spent_ms, "ids": [one.id for one in found]}))


if __name__ == "__main__":
    main()
