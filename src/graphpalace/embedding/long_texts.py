"""Vectors of texts that are longer than what a model reads: one for each window of the text.

The best window tells how near a question is to a text, so that a long text is also found by its end.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.records import DrawerRecord
from graphpalace.domain.vectors import Matrix
from graphpalace.embedding.embedder import Embedder

_LONG = 512  # tokens up to which a text has one vector; about as long as the longest passages of ingested documents
_WINDOW, _SHARED = 250, 30  # tokens of a window, and of it those that it shares with the one before
_ASCII, _LETTER, _SIGN = 0.28, 0.5, 1.0  # tokens of a character: of English, of other alphabets, of scripts such as Han
_HAN = 0x2E80


def windows_of(text: str) -> list[str]:
    """Return the windows of a text that is longer than what a model reads, in order; [] for any other text.

    Together they have the whole text. Windows begin and end at white space where there is some.

    >>> [len(window) for window in windows_of("ab " * 800)], windows_of("ab " * 500)
    ([893, 893, 827], [])
    """
    tokens = np.cumsum(_tokens(text))
    if not len(tokens) or tokens[-1] <= _LONG:
        return []
    starts = np.searchsorted(tokens, np.arange(0.0, tokens[-1] - _SHARED, _WINDOW - _SHARED))
    ends = np.searchsorted(tokens, tokens[np.maximum(starts - 1, 0)] + _WINDOW)
    cut = [(_after_space(text, start), _after_space(text, end)) for start, end in zip(starts, ends, strict=True)]
    return [window for start, end in cut if (window := text[start:end].strip())]


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


def _after_space(text: str, at: int, *, most: int = 80) -> int:
    """Return the place after the white space that follows a place, if some follows soon."""
    if at in (0, len(text)):
        return at
    found = next((place for place in range(at, min(at + most, len(text))) if text[place].isspace()), None)
    return at if found is None else found + 1
