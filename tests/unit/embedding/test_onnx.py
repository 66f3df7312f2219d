"""The bundled model on ONNX Runtime: the vectors of torch, from files that are what they should be."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator, Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from structlog.testing import capture_logs

from graphpalace import maven
from graphpalace.domain.vectors import Matrix
from graphpalace.embedding.factory import embedder_of
from graphpalace.embedding.local import LocalEmbedder
from graphpalace.embedding.onnx import OnnxEmbedder, OnnxOrTorch
from graphpalace.embedding.onnx_models import ONNX_MODELS, OnnxArtifact, PinnedFile, ensure_onnx_files
from graphpalace.errors import ArtifactMissing, ChecksumMismatch, DownloadFailed, SettingsInvalid, WrongDimension
from graphpalace.maven import Jar
from graphpalace.settings.load import cache_dir, load
from graphpalace.settings.sections.embeddings import (
    BGE_MODEL,
    BUNDLED_MODEL,
    MULTILINGUAL_MODEL,
    QUANTIZED_MODEL,
    EmbeddingSettings,
)

pytestmark = pytest.mark.slow

UNREACHABLE = "http://127.0.0.1:9"
TEXTS = [
    "Where is the trail to the lake?",
    "",
    " \t\n ",
    "x",
    "…",
    "[CLS] [SEP] [MASK] [PAD] [UNK] ##ing",
    "def decayed(value: float, *, rate: float) -> float:\n    return value * (1 - rate)  # 3.14e-10",
    "MATCH (d:Drawer {id: $id})-[:SIMILAR_TO]->(o) RETURN o.text, 0xFF, a_b_c",
    "Grüße aus Köln: Straße, naïve, Ångström, İstanbul, ﬁne",
    "cafe\u0301 and caf\u00e9, zero\u200bwidth, \ufeffmark, nul\u0000byte, bad\ufffdchar",
    "漢字とかな、한국어, العربية, עברית, हिन्दी, ไทย",
    "👩🏽‍🚀🎉 done 💯",
    "https://example.org/a/b?c=d&e=f#g user@example.org +49 123 456",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "a" * 5000,
    "decay of pheromones " * 128,
    "one word more than fits " * 400,
    " ".join(str(number) for number in range(253)),
    " ".join(str(number) for number in range(254)),
    " ".join(str(number) for number in range(255)),
    "A paragraph. It has sentences, and they differ in length; some are long and others short. " * 7,
]


def onnx(model: str, batch_size: int = 16) -> OnnxEmbedder:
    files = partial(ensure_onnx_files, ONNX_MODELS[model].artifact, cache_dir=cache_dir(load()))
    return OnnxEmbedder(model, ONNX_MODELS[model], files=files, batch_size=batch_size)


@pytest.fixture(scope="module")
def full() -> OnnxEmbedder:
    return onnx(BUNDLED_MODEL)


@pytest.fixture(scope="module")
def in_torch() -> LocalEmbedder:
    return LocalEmbedder()


def test_vectors_equal_those_of_torch_to_five_digits(full: OnnxEmbedder, in_torch: LocalEmbedder) -> None:
    expected = in_torch.embed(TEXTS)
    assert np.abs(full.embed(TEXTS) - expected).max() < 5e-6
    alone = np.concatenate([full.embed([text]) for text in TEXTS])
    assert np.abs(alone - expected).max() < 5e-6


def test_vectors_have_length_one_and_none_are_given_for_no_texts(full: OnnxEmbedder) -> None:
    vectors = full.embed(TEXTS)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert full.embed([]).shape == (0, 384)


@pytest.mark.parametrize("model", [QUANTIZED_MODEL, BGE_MODEL])
def test_a_quantized_vector_does_not_depend_on_the_other_texts(model: str) -> None:
    quantized = embedder_of(
        EmbeddingSettings(model=model),
        device="cpu",
        fast_in_bfloat16=lambda _device: False,
        cache_dir=cache_dir(load()),
    )
    assert quantized.name == model
    together, alone = quantized.embed(TEXTS), np.concatenate([quantized.embed([text]) for text in TEXTS])
    assert np.abs(together - alone).max() < 1e-6


def test_bge_puts_its_prefix_before_questions_and_takes_the_state_of_the_first_token() -> None:
    bge, question = onnx(BGE_MODEL), "Where do penguins live?"
    prefixed = f"Represent this sentence for searching relevant passages: {question}"
    assert np.array_equal(bge.embed_questions([question]), bge.embed([prefixed]))
    assert not np.allclose(bge.embed_questions([question]), bge.embed([question]), atol=1e-3)
    near, far = bge.embed(["Penguins are birds of Antarctica.", "Bond yields rose on Monday."])
    asked = bge.embed_questions([question])[0]
    assert asked @ near > asked @ far + 0.2
    # The last token that counts is the 512th: what follows changes nothing.
    long = "word " * 600
    assert np.array_equal(bge.embed([long]), bge.embed([long + "penguin"]))
    assert not np.array_equal(bge.embed(["word " * 300]), bge.embed(["word " * 300 + "penguin"]))


def test_a_model_without_a_prefix_embeds_questions_like_texts(full: OnnxEmbedder, in_torch: LocalEmbedder) -> None:
    assert np.array_equal(full.embed_questions(TEXTS[:3]), full.embed(TEXTS[:3]))
    assert np.abs(in_torch.embed_questions(TEXTS[:3]) - full.embed(TEXTS[:3])).max() < 5e-6


def test_another_dimension_is_refused() -> None:
    model = ONNX_MODELS[BUNDLED_MODEL]
    files = partial(ensure_onnx_files, model.artifact, cache_dir=cache_dir(load()))
    with pytest.raises(WrongDimension, match="has dimension 384"):
        OnnxEmbedder(BUNDLED_MODEL, model, files=files, batch_size=16, dimension=768).load()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[OnnxArtifact, str, Path]]:
    """Serve a small jar with two files; give its pin, the address and the path of the jar."""
    monkeypatch.setattr(maven, "_BACKOFF_S", 0.01)
    root = tmp_path / "repository"
    jar = Jar("org.example:model:1", "", 0)
    path = root / jar.location
    path.parent.mkdir(parents=True)
    content = {"a.onnx": b"weights", "a.json": b"tokenizer"}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    files = [PinnedFile(name, hashlib.sha256(data).hexdigest()) for name, data in content.items()]
    packed = path.read_bytes()
    artifact = OnnxArtifact(Jar(jar.coordinate, hashlib.sha256(packed).hexdigest(), len(packed)), *files)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(root)))
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield artifact, f"http://127.0.0.1:{server.server_port}", path
    server.shutdown()
    server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def test_files_are_downloaded_once_and_leave_nothing_else(
    repository: tuple[OnnxArtifact, str, Path], tmp_path: Path
) -> None:
    artifact, url, _ = repository
    files = ensure_onnx_files(artifact, cache_dir=tmp_path, repository_url=url)
    assert (files.model.read_bytes(), files.tokenizer.read_bytes()) == (b"weights", b"tokenizer")
    assert ensure_onnx_files(artifact, cache_dir=tmp_path, repository_url=UNREACHABLE) == files
    assert {path.name for path in files.model.parent.iterdir()} == {"a.onnx", "a.json", "models.lock"}


def test_a_damaged_file_is_not_used_but_downloaded_again(
    repository: tuple[OnnxArtifact, str, Path], tmp_path: Path
) -> None:
    artifact, url, _ = repository
    files = ensure_onnx_files(artifact, cache_dir=tmp_path, repository_url=url)
    files.model.write_bytes(b"weightz")
    with pytest.raises(DownloadFailed):
        ensure_onnx_files(artifact, cache_dir=tmp_path, repository_url=UNREACHABLE)
    ensure_onnx_files(artifact, cache_dir=tmp_path, repository_url=url)
    assert files.model.read_bytes() == b"weights"


def test_a_jar_or_a_file_in_it_with_another_checksum_is_refused(
    repository: tuple[OnnxArtifact, str, Path], tmp_path: Path
) -> None:
    artifact, url, path = repository
    other = OnnxArtifact(artifact.jar, PinnedFile("a.onnx", "0" * 64), artifact.tokenizer)
    with pytest.raises(ChecksumMismatch, match=r"a\.onnx"):
        ensure_onnx_files(other, cache_dir=tmp_path, repository_url=url)
    path.write_bytes(b"?" + path.read_bytes()[1:])
    with pytest.raises(ChecksumMismatch, match=r"org\.example:model:1"):
        ensure_onnx_files(artifact, cache_dir=tmp_path, repository_url=url)
    assert not list((tmp_path / "models").glob("a.*n"))


def test_a_failed_download_is_not_tried_again_for_a_while(
    repository: tuple[OnnxArtifact, str, Path], tmp_path: Path
) -> None:
    artifact, url, path = repository
    packed = path.read_bytes()
    path.unlink()
    with pytest.raises(ArtifactMissing):
        ensure_onnx_files(artifact, cache_dir=tmp_path, repository_url=url, retry_after_s=60)
    path.write_bytes(packed)
    with pytest.raises(DownloadFailed, match="a short time ago"):
        ensure_onnx_files(artifact, cache_dir=tmp_path, repository_url=url, retry_after_s=60)
    assert ensure_onnx_files(artifact, cache_dir=tmp_path, repository_url=url).model.is_file()
    assert ensure_onnx_files(artifact, cache_dir=tmp_path, repository_url=url, retry_after_s=60).model.is_file()


def test_without_a_network_the_error_says_what_to_fetch_and_where_to_put_it(
    repository: tuple[OnnxArtifact, str, Path], tmp_path: Path
) -> None:
    artifact, _, path = repository
    folder = tmp_path / "models"
    with pytest.raises(DownloadFailed, match=f"fetch org/example/model/1/model-1.jar .* put it into {folder}"):
        ensure_onnx_files(artifact, cache_dir=tmp_path, repository_url=UNREACHABLE, retry_after_s=60)
    by_hand = folder / "model-1.jar"
    by_hand.write_bytes(b"cut off")
    with pytest.raises(ChecksumMismatch, match=r"model-1\.jar .* fetch it again"):
        ensure_onnx_files(artifact, cache_dir=tmp_path, repository_url=UNREACHABLE, retry_after_s=60)
    by_hand.write_bytes(path.read_bytes())
    files = ensure_onnx_files(artifact, cache_dir=tmp_path, repository_url=UNREACHABLE, retry_after_s=60)
    assert files.model.read_bytes() == b"weights"


def test_without_a_network_the_bundled_model_answers_in_torch_and_the_log_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_torch: LocalEmbedder
) -> None:
    monkeypatch.setattr(maven, "_BACKOFF_S", 0.01)
    embedder = embedder_of(
        EmbeddingSettings(model=BUNDLED_MODEL),
        device="cpu",
        fast_in_bfloat16=lambda _device: False,
        cache_dir=tmp_path,
        repository_url=UNREACHABLE,
    )
    with capture_logs() as logs:
        vectors = embedder.embed(["a cat sleeps"])
        embedder.embed(["a dog sleeps"])
    assert vectors == pytest.approx(in_torch.embed(["a cat sleeps"]), abs=1e-6)
    (warning,) = (entry for entry in logs if entry["log_level"] == "warning")
    assert (warning["event"], warning["instead"]) == ("embedding_without_onnx", "torch")


def test_without_a_network_onnx_fails_if_it_was_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maven, "_BACKOFF_S", 0.01)
    for settings in (EmbeddingSettings(runtime="onnx"), EmbeddingSettings(model=QUANTIZED_MODEL)):
        embedder = embedder_of(
            settings,
            device="cpu",
            fast_in_bfloat16=lambda _device: False,
            cache_dir=tmp_path,
            repository_url=UNREACHABLE,
        )
        with pytest.raises(DownloadFailed):
            embedder.load()


class Runtime:
    """Stands in for a model in a runtime, and counts the texts of each call."""

    name, dimension = "m", 2

    def __init__(self) -> None:
        self.calls: list[int] = []

    def load(self) -> None:
        pass

    def embed(self, texts: Sequence[str]) -> Matrix:
        self.calls.append(len(texts))
        return np.tile(np.array([[1.0, 0.0]], np.float32), (len(texts), 1))

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        return self.embed(texts)


@pytest.mark.parametrize(
    ("torch_after", "in_onnx", "in_torch"),
    [
        (0, [1], [100, 60, 100]),  # a faster device
        (None, [1, 100, 60, 100], []),
        (160, [1, 100, 60], [100]),  # 100 and 60 texts are 160; a single text does not count
        (161, [1, 100, 60, 100], []),
    ],
)
def test_many_texts_go_to_torch_after_as_many_as_make_it_worth_loading(
    torch_after: int | None, in_onnx: list[int], in_torch: list[int]
) -> None:
    onnx, torch = Runtime(), Runtime()
    embedder = OnnxOrTorch(onnx, torch, torch_after=torch_after)
    for count in (1, 100, 60, 100):
        embedder.embed(["x"] * count)
    assert (onnx.calls, torch.calls) == (in_onnx, in_torch)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"runtime": "onnx", "model": "other/model"}, "computes only"),
        ({"runtime": "torch", "model": QUANTIZED_MODEL}, "cannot compute"),
        ({"runtime": "onnx", "precision": "bfloat16"}, "bfloat16"),
        ({"model": QUANTIZED_MODEL, "precision": "bfloat16"}, "bfloat16"),
        ({"runtime": "torch", "model": BGE_MODEL}, "cannot compute"),
        ({"runtime": "onnx", "model": MULTILINGUAL_MODEL}, "only one runtime"),
        ({"model": MULTILINGUAL_MODEL, "precision": "bfloat16"}, "bfloat16"),
    ],
)
def test_a_runtime_that_cannot_do_what_is_set_is_refused(chosen: dict[str, str], message: str, tmp_path: Path) -> None:
    settings = EmbeddingSettings.model_validate(chosen)
    with pytest.raises(SettingsInvalid, match=message):
        embedder_of(settings, device="cpu", fast_in_bfloat16=lambda _device: False, cache_dir=tmp_path)


@pytest.mark.parametrize("chosen", [{"runtime": "torch"}, {"precision": "bfloat16"}, {"model": "other/model"}])
def test_torch_computes_what_is_set_for_it(chosen: dict[str, str], tmp_path: Path) -> None:
    settings = EmbeddingSettings.model_validate({"model": BUNDLED_MODEL} | chosen)
    found = embedder_of(settings, device="cpu", fast_in_bfloat16=lambda _device: False, cache_dir=tmp_path)
    assert isinstance(found, LocalEmbedder)
