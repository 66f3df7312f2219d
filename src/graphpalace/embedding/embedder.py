"""The interface of an embedding model, and how texts reach it: divided among threads, long ones in windows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.drawers.records import DrawerRecord
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


_LONG = 512  # tokens up to which a text has one vector; about as long as the longest passages of ingested documents
_WINDOW = 128  # tokens
_ASCII, _LETTER, _SIGN = 0.28, 0.4, 1.0  # tokens of a character: of English, of other alphabets, of scripts such as Han
_HAN = 0x2E80
# A window ends at the last of these in its second half: a blank line, a line, a sentence, a word.
_ENDS = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"[.!?](?=\s)|[\u3002\uff01\uff1f]"), re.compile(r"\s"))


def windows_of(text: str) -> list[str]:
    """Return the windows of a text that is longer than what a model reads, in order; [] for any other text.

    Together they are the whole text, without blank ones.

    >>> [len(window) for window in windows_of("ab " * 800)], windows_of("ab " * 500)
    ([456, 456, 456, 456, 456, 120], [])
    """
    if len(text) <= _LONG:  # no character is more than a token
        return []
    tokens = np.cumsum(_tokens(text))
    if tokens[-1] <= _LONG:
        return []
    windows: list[str] = []
    start, before = 0, 0.0
    while start < len(text):
        middle, most = np.searchsorted(tokens, (before + _WINDOW / 2, before + _WINDOW), side="right").tolist()
        end = len(text) if most >= len(text) else _end(text, max(middle, start + 1), max(most, start + 1))
        windows.append(text[start:end])
        start, before = end, float(tokens[end - 1])
    return [window for window in windows if window.strip()]


def embed_whole(embedder: Embedder, texts: Sequence[str]) -> list[Matrix]:
    """Return the vectors of each text: its own, and then those of its windows if it is long.

    Blocks; call it in a thread.
    """
    windows = [windows_of(text) for text in texts]
    vectors = embedder.embed([one for text, some in zip(texts, windows, strict=True) for one in (text, *some)])
    ends = np.cumsum([1 + len(some) for some in windows])
    return np.split(vectors, ends[:-1]) if texts else []


def give_vectors(embedder: Embedder, drawers: Sequence[DrawerRecord], texts: Sequence[str]) -> None:
    """Give drawers the vectors of their texts. Blocks; call it in a thread."""
    for drawer, (own, *windows) in zip(drawers, embed_whole(embedder, texts), strict=True):
        drawer.vector, drawer.windows = own, np.stack(windows) if windows else None


def _tokens(text: str) -> Float64[np.ndarray, " chars"]:
    """Return an estimate of how many tokens each character is, without a tokenizer."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return np.select([codes < 128, codes < _HAN], [_ASCII, _LETTER], _SIGN)


def _end(text: str, middle: int, most: int) -> int:
    """Return where a window of a text ends, at least `middle` and at most `most`."""
    for pattern in _ENDS:
        found = [match.end() for match in pattern.finditer(text, middle, most)]
        if found:
            return found[-1]
    return most
