"""Embeddings are computed once for a text, as long as there is room for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.words import WordEmbedder

from graphpalace.domain.vectors import Matrix
from graphpalace.embedding.cache import CachedEmbedder

_ROW_BYTES = 4 * 384


class CountingEmbedder(WordEmbedder):
    """Notes the texts that it computes."""

    def __init__(self, name: str = "words") -> None:
        self.name = name
        self.computed: list[str] = []

    def embed(self, texts: Sequence[str]) -> Matrix:
        self.computed += texts
        return super().embed(texts)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "embeddings.sqlite"


def test_what_was_embedded_before_is_not_computed_again_and_the_vectors_are_the_same(file: Path) -> None:
    texts = ["ships sail", "bread", "ships sail"]
    first, second = CountingEmbedder(), CountingEmbedder()
    computed = CachedEmbedder(first, file, most_bytes=2**20).embed(texts)
    found = CachedEmbedder(second, file, most_bytes=2**20).embed([*texts, "stars"])
    assert first.computed == ["ships sail", "bread"]
    assert second.computed == ["stars"]
    assert np.array_equal(found[:3], computed)
    assert np.array_equal(found, WordEmbedder().embed([*texts, "stars"]))


def test_another_model_or_variant_computes_for_itself(file: Path) -> None:
    CachedEmbedder(CountingEmbedder(), file, variant="float32", most_bytes=2**20).embed(["bread"])
    for embedder, variant in ((CountingEmbedder("other"), "float32"), (CountingEmbedder(), "bfloat16")):
        CachedEmbedder(embedder, file, variant=variant, most_bytes=2**20).embed(["bread"])
        assert embedder.computed == ["bread"]


def test_a_question_and_a_text_of_the_same_words_have_entries_of_their_own(file: Path) -> None:
    embedder = CountingEmbedder()
    cached = CachedEmbedder(embedder, file, most_bytes=2**20)
    for _ in range(2):
        cached.embed(["bread"])
        cached.embed_questions(["bread"])
    assert embedder.computed == ["bread", "bread"]


def test_what_was_not_used_for_longest_makes_room(file: Path) -> None:
    embedder = CountingEmbedder()
    cached = CachedEmbedder(embedder, file, most_bytes=2 * _ROW_BYTES)
    for text in ("a", "b", "a", "c"):  # c takes the place of b
        cached.embed([text])
    embedder.computed.clear()
    cached.embed(["a"])
    cached.embed(["c"])
    assert embedder.computed == []
    cached.embed(["b"])
    assert embedder.computed == ["b"]


def test_a_file_that_is_no_database_or_cannot_be_made_is_done_without(tmp_path: Path) -> None:
    broken, below_a_file = tmp_path / "broken.sqlite", tmp_path / "broken.sqlite" / "embeddings.sqlite"
    broken.write_bytes(b"not a database" * 100)
    for file in (broken, below_a_file):
        found = CachedEmbedder(CountingEmbedder(), file, most_bytes=2**20).embed(["bread"])
        assert np.array_equal(found, WordEmbedder().embed(["bread"]))


def test_no_text_gives_no_vector(file: Path) -> None:
    assert CachedEmbedder(CountingEmbedder(), file, most_bytes=2**20).embed([]).shape == (0, 384)
