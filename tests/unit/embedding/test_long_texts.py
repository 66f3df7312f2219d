from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphpalace.domain.vectors import Matrix
from graphpalace.embedding.embedder import embed_whole, windows_of


class _Lengths:
    """A model whose vectors say how long a text is."""

    name, dimension = "lengths", 1

    def load(self) -> None: ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        return np.array([[len(text)] for text in texts], np.float32)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        return self.embed(texts)


_pieces = st.lists(st.text(st.characters(codec="utf-8"), max_size=30), max_size=6).map(" ".join)


@given(_pieces, st.integers(1, 400))
def test_the_windows_hold_the_whole_text_in_order(piece: str, times: int) -> None:
    text = f"{piece}\n" * times
    windows, rest = windows_of(text), text
    for window in windows:
        blank = rest[: rest.index(window)]
        assert not blank.strip()  # nothing is left out between two windows
        rest = rest[len(blank) + len(window) :]
        assert window.strip()
    assert len(windows) != 1
    if windows:
        assert not rest.strip()


@pytest.mark.parametrize("end", ["\n\n", "\n", ". ", " "])
def test_a_window_ends_where_something_ends(end: str) -> None:
    words = f"word word word{end}" * 200
    assert all(window.endswith(end.rstrip(" ") or end) for window in windows_of(words)[:-1])


@pytest.mark.parametrize("text", ["", "   ", "a short text", "word " * 365, "\u6f22" * 512])
def test_what_a_model_reads_as_a_whole_has_no_windows(text: str) -> None:
    assert windows_of(text) == []


@pytest.mark.parametrize(("sign", "most"), [("a", 458), ("\u0436", 320), ("\u6f22", 128)])
def test_a_window_is_as_long_as_a_model_reads_in_any_script(sign: str, most: int) -> None:
    windows = windows_of(sign * 5000)
    assert max(map(len, windows)) <= most
    assert "".join(windows) == sign * 5000


def test_a_long_text_has_its_own_vector_and_one_for_each_window() -> None:
    long = "word " * 1000
    windows = windows_of(long)
    short, whole, last = embed_whole(_Lengths(), ["ab", long, "abc"])
    assert short.tolist() == [[2]]
    assert last.tolist() == [[3]]
    assert whole.ravel().tolist() == [len(long), *map(len, windows)]
    assert embed_whole(_Lengths(), []) == []
