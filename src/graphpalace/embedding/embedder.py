"""The interface of an embedding model, and how texts are divided among its threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import numpy as np

from graphpalace.domain.vectors import Matrix

FEW = 4  # least number of texts in a batch, except for the last one


class Embedder(Protocol):
    """The interface of an embedding model."""

    @property
    def name(self) -> str:
        """The name of the model, which is stored with the palace."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def load(self) -> None:
        """Load the model, which may take seconds the first time. Blocks; call it in a thread."""
        ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each text that is searched in, in order; load first.

        Blocks; call it in a thread.
        """
        ...

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each question, to be compared with vectors of `embed`.

        Some models were trained with another prefix for questions; for the others, this equals `embed`. Blocks; call it
        in a thread.
        """
        ...


def embed_in_threads(
    texts: Sequence[str],
    encode: Callable[[Sequence[str]], Matrix],
    pool: ThreadPoolExecutor,
    *,
    threads: int,
    batch_size: int,
    dimension: int,
) -> Matrix:
    """Return the vector of each text, in order.

    Args:
        encode: Returns the vectors of one batch; called from the threads of the pool.
        threads: Number of threads of the pool.
        batch_size: Most texts in one batch.
        dimension: Length of a vector.
    """
    longest_first = sorted(range(len(texts)), key=lambda at: len(texts[at]), reverse=True)
    batches = list(_cut(longest_first, threads, batch_size))
    vectors = np.empty((len(texts), dimension), np.float32)
    found = pool.map(encode, ([texts[at] for at in batch] for batch in batches))
    for batch, rows in zip(batches, found, strict=True):
        vectors[batch] = rows
    return vectors


def _cut(places: list[int], threads: int, batch_size: int) -> Iterator[list[int]]:
    """Divide places into batches that get smaller, so that all threads finish at nearly the same time.

    Each batch takes an equal share of half of what is left (guided self-scheduling, Polychronopoulos and Kuck 1987).
    """
    start = 0
    while start < len(places):
        size = min(max((len(places) - start) // (2 * threads), FEW), batch_size)
        yield places[start : start + size]
        start += size
