"""Several models as one: one product of two vectors is the weighted mean of the cosines by each of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from pathlib import Path

import numpy as np
import pytest

from graphpalace import maven
from graphpalace.domain.search.evidence import COSINE_IS_EVIDENCE
from graphpalace.domain.vectors import Matrix
from graphpalace.embedding.embedder import Embedder
from graphpalace.embedding.factory import JoinedEmbedder, JoinedPart, embedder_of
from graphpalace.embedding.measured_models import bge_centre, scale_of
from graphpalace.errors import DownloadFailed, SettingsInvalid, WrongDimension
from graphpalace.settings.load import cache_dir, load
from graphpalace.settings.sections.embeddings import (
    BGE_MODEL,
    BUNDLED_MODEL,
    DEFAULT_MODEL,
    JOINED_MODEL,
    NAMED_MODELS,
    QUANTIZED_MODEL,
    EmbeddingSettings,
)

pytestmark = pytest.mark.slow


class Table:
    """A model that has the vectors of two texts, and turns that of a question."""

    name, dimension = "table", 2

    def __init__(self, **vectors: tuple[float, float]) -> None:
        self._vectors = vectors
        self.loads = 0

    def load(self) -> None:
        self.loads += 1

    def embed(self, texts: Sequence[str]) -> Matrix:
        return np.array([self._vectors[text] for text in texts], np.float32).reshape(-1, 2)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        return self.embed(texts)[:, ::-1].copy()


FIRST = Table(a=(1, 0), b=(0.6, 0.8))
SECOND = Table(a=(0, 1), b=(0.8, 0.6))


def joined(centre: np.ndarray | None = None, dimension: int = 4) -> JoinedEmbedder:
    return JoinedEmbedder("both", [JoinedPart(FIRST, 0.64), JoinedPart(SECOND, 0.36, centre)], dimension=dimension)


def named(model: str, **more: object) -> Embedder:
    settings = EmbeddingSettings.model_validate({"model": model, **more})
    return embedder_of(settings, device="cpu", fast_in_bfloat16=lambda _device: False, cache_dir=cache_dir(load()))


def test_the_parts_stand_beside_each_other_each_as_long_as_the_root_of_its_weight() -> None:
    vectors = joined().embed(["a", "b"])
    assert vectors == pytest.approx(np.array([[0.8, 0, 0, 0.6], [0.48, 0.64, 0.48, 0.36]]), abs=1e-6)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-6)
    # The cosine of both is .6 by either: .64 x .6 + .36 x .6.
    assert float(vectors[0] @ vectors[1]) == pytest.approx(0.6)
    # Of the question "a", (0, 1) and (1, 0), and the text "b": .64 x .8 + .36 x .8.
    assert float(joined().embed_questions(["a"])[0] @ vectors[1]) == pytest.approx(0.8)
    assert joined().embed([]).shape == (0, 4)
    assert vectors.dtype == np.float32


def test_the_centre_is_taken_from_texts_and_questions_before_they_get_their_length() -> None:
    vectors = joined(np.array([0, 0.5], np.float32)).embed(["a", "b"])
    # (0, 1) - (0, .5) has the direction (0, 1); (.8, .6) - (0, .5) is (.8, .1).
    assert vectors[0] == pytest.approx([0.8, 0, 0, 0.6])
    assert vectors[1] == pytest.approx([0.48, 0.64, 0.6 * 0.8 / hypot(0.8, 0.1), 0.6 * 0.1 / hypot(0.8, 0.1)])
    asked = joined(np.array([0, 0.5], np.float32)).embed_questions(["a"])[0]
    assert asked == pytest.approx([0, 0.8, 0.6 / hypot(1, 0.5), -0.6 * 0.5 / hypot(1, 0.5)])


def test_loading_loads_every_part_and_refuses_another_dimension() -> None:
    before = FIRST.loads, SECOND.loads
    joined().load()
    assert (FIRST.loads, SECOND.loads) == (before[0] + 1, before[1] + 1)
    with pytest.raises(WrongDimension, match="both has dimension 4"):
        joined(dimension=2).load()


def test_the_named_model_is_half_of_minilm_and_half_of_bge_without_its_mean() -> None:
    both, texts = named(JOINED_MODEL), ["Penguins are birds of Antarctica.", "Bond yields rose on Monday.", "x"]
    assert (both.name, both.dimension) == (JOINED_MODEL, 768)
    vectors, alone = both.embed(texts), np.concatenate([both.embed([text]) for text in texts])
    assert vectors == pytest.approx(alone, abs=1e-6)
    minilm, bge = named(QUANTIZED_MODEL).embed(texts), named(BGE_MODEL).embed(texts) - bge_centre()
    bge /= np.linalg.norm(bge, axis=1, keepdims=True)
    assert vectors @ vectors.T == pytest.approx((minilm @ minilm.T + bge @ bge.T) / 2, abs=1e-5)
    asked = both.embed_questions(["Where do penguins live?"])[0]
    assert asked @ vectors[0] > 0.6
    assert abs(asked @ vectors[1]) < 0.15  # by bge alone, .4


def test_a_named_model_knows_the_length_of_its_vectors() -> None:
    assert {name: EmbeddingSettings(model=name).dimension for name in NAMED_MODELS} == NAMED_MODELS
    assert EmbeddingSettings().dimension == NAMED_MODELS[DEFAULT_MODEL]
    assert EmbeddingSettings(model="other/model").dimension == 384
    assert EmbeddingSettings(model=JOINED_MODEL, dimension=12).dimension == 12


@pytest.mark.parametrize("more", [{"runtime": "torch"}, {"precision": "bfloat16"}])
def test_the_joined_model_is_not_computed_in_torch(more: dict[str, str], tmp_path: Path) -> None:
    settings = EmbeddingSettings.model_validate({"model": JOINED_MODEL, **more})
    with pytest.raises(SettingsInvalid):
        embedder_of(settings, device="cpu", fast_in_bfloat16=lambda _device: False, cache_dir=tmp_path)
    assert named(JOINED_MODEL, runtime="onnx").dimension == 768


def test_a_cosine_is_the_evidence_by_minilm_and_by_unknown_models_and_less_by_bge() -> None:
    assert scale_of(BUNDLED_MODEL) == scale_of("other/model") == COSINE_IS_EVIDENCE
    assert scale_of(BGE_MODEL).evidence(np.array([0.4, 0.65, 0.9])) == pytest.approx([0, 0.5, 1])
    assert scale_of(JOINED_MODEL).evidence(np.array([-0.1, 0.4, 0.8, 0.9])) == pytest.approx([0, 0.5, 1, 1])


def test_without_a_network_the_error_names_a_model_that_needs_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maven, "_BACKOFF_S", 0.01)
    embedder = embedder_of(
        EmbeddingSettings(),
        device="cpu",
        fast_in_bfloat16=lambda _device: False,
        cache_dir=tmp_path,
        repository_url="http://127.0.0.1:9",
    )
    with pytest.raises(DownloadFailed, match=f"model {DEFAULT_MODEL}. Without a network, set .* to {BUNDLED_MODEL}"):
        embedder.embed(["a cat sleeps"])
