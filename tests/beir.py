"""Tiny collections in BEIR form."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.words import WordEmbedder


def write_collection(
    folder: Path,
    documents: Sequence[Mapping[str, Any]],
    queries: Sequence[Mapping[str, Any]],
    judged: Sequence[tuple[str, str, int]],
    *,
    vectors: np.ndarray | None = None,
    query_vectors: np.ndarray | None = None,
) -> Path:
    """Write a collection and return its folder.

    Shorter vectors get the length of the tests' embedder by zeros, which change no cosine, so that spare palaces fit.
    """
    (folder / "qrels").mkdir(parents=True)
    for name, records in (("corpus", documents), ("queries", queries)):
        text = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    lines = ["query-id\tcorpus-id\tscore", *(f"{query}\t{document}\t{score}" for query, document, score in judged)]
    (folder / "qrels" / "test.tsv").write_text("\n".join(lines) + "\n")
    for name, matrix in (("corpus", vectors), ("queries", query_vectors)):
        if matrix is not None:
            rows = np.zeros((len(matrix), max(WordEmbedder.dimension, matrix.shape[1])), matrix.dtype)
            rows[:, : matrix.shape[1]] = matrix
            np.save(folder / f"{name}.npy", rows)
    return folder
