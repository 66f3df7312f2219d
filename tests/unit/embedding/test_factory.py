"""What `auto` and 0 in the settings mean."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from graphpalace.embedding.factory import batch_size_of, embedder_of
from graphpalace.embedding.local import torch_is_installed
from graphpalace.embedding.onnx import OnnxEmbedder
from graphpalace.errors import SettingsInvalid
from graphpalace.settings.sections.embeddings import BUNDLED_MODEL, EmbeddingSettings


@pytest.mark.parametrize(
    ("size", "device", "texts"), [(0, "cpu", 16), (0, "cuda", 128), (0, None, 128), (7, "cpu", 7), (4096, "cuda", 4096)]
)
def test_a_batch_is_as_large_as_is_set_or_as_is_fast_on_the_device(size: int, device: str | None, texts: int) -> None:
    assert batch_size_of(size, device=device) == texts


@pytest.mark.skipif(not torch_is_installed(), reason="the local model needs torch")
def test_the_local_model_embeds_in_batches_as_large_as_is_set(tmp_path: Path) -> None:
    settings = EmbeddingSettings(model=BUNDLED_MODEL, embed_batch_size=9, runtime="torch")
    embedder = embedder_of(settings, device="cpu", fast_in_bfloat16=lambda _device: False, cache_dir=tmp_path)
    sizes: list[int] = []

    class Model:
        def encode_document(self, texts: list[str], *, batch_size: int, **_options: bool) -> list[list[float]]:
            sizes.append(batch_size)
            return [[1.0] * embedder.dimension for _ in texts]

    embedder._model = Model()  # pyright: ignore[reportAttributeAccessIssue]
    assert embedder.embed(["one", "two"]).shape == (2, 384)
    assert sizes == [9]


@pytest.fixture
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)


@pytest.mark.usefixtures("without_torch")
def test_without_torch_the_bundled_model_runs_on_onnx(tmp_path: Path) -> None:
    settings = EmbeddingSettings(model=BUNDLED_MODEL)
    embedder = embedder_of(settings, device="cpu", fast_in_bfloat16=lambda _device: False, cache_dir=tmp_path)
    assert isinstance(embedder, OnnxEmbedder)


@pytest.mark.usefixtures("without_torch")
@pytest.mark.parametrize(
    ("chosen", "field", "instead"),
    [
        ({"model": "other/model"}, "model", "choose one of all-MiniLM-L6-v2"),
        ({"runtime": "torch"}, "runtime", 'use "auto" or "onnx"'),
        ({"precision": "bfloat16"}, "precision", 'use "auto" or "float32"'),
    ],
)
def test_without_torch_what_needs_it_is_refused_with_the_way_to_install_it(
    chosen: dict[str, str], field: str, instead: str, tmp_path: Path
) -> None:
    settings = EmbeddingSettings.model_validate({"model": BUNDLED_MODEL} | chosen)
    with pytest.raises(SettingsInvalid, match=r"pip install 'graphpalace\[torch\]', or " + instead) as error:
        embedder_of(settings, device="cpu", fast_in_bfloat16=lambda _device: False, cache_dir=tmp_path)
    assert error.value.detail["field"] == f"embeddings.{field}"
