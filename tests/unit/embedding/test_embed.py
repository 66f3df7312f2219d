"""The bundled model, and a model behind an endpoint."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphpalace.embedding.endpoint import EndpointEmbedder
from graphpalace.embedding.local import LocalEmbedder, bundled_model
from graphpalace.errors import EmbeddingFailed, WrongDimension

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def bundled() -> LocalEmbedder:
    return LocalEmbedder()


def test_the_bundled_weights_are_the_published_ones() -> None:
    assert (bundled_model() / "model.safetensors").is_file()


def test_texts_of_one_meaning_are_nearer_than_others(bundled: LocalEmbedder) -> None:
    cat, kitten, bond = bundled.embed(["a cat sleeps", "the kitten is asleep", "bond yields rose"])
    assert float(cat @ kitten) > 0.6
    assert float(cat @ bond) < 0.3
    assert np.linalg.norm(cat) == pytest.approx(1, abs=1e-5)


def test_no_texts_give_no_vectors(bundled: LocalEmbedder) -> None:
    assert bundled.embed([]).shape == (0, 384)


class Lengths:
    """Stands in for a model: the vector of a text is (its length, 1, 0)."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.threads: set[int] = set()

    def encode_document(self, texts: list[str], **_options: object) -> np.ndarray:
        self.batches.append([len(text) for text in texts])
        self.threads.add(torch.get_num_threads())
        return np.array([[len(text), 1.0, 0.0] for text in texts])


def loaded(*, batch_size: int, threads: int, device: str = "cpu") -> tuple[Lengths, LocalEmbedder]:
    model, embedder = Lengths(), LocalEmbedder(dimension=3, batch_size=batch_size, device=device)
    with (
        mock.patch.multiple(embedder, _loaded=lambda: model),
        mock.patch("torch.get_num_threads", return_value=threads),
    ):
        embedder.load()
    return model, embedder


@settings(deadline=None)  # threads start late on a busy machine
@given(
    lengths=st.lists(st.integers(1, 60), max_size=40),
    batch_size=st.integers(1, 9),
    threads=st.integers(1, 5),
)
def test_texts_of_like_length_go_to_threads_that_compute_alone(
    lengths: list[int], batch_size: int, threads: int
) -> None:
    before = torch.get_num_threads()
    model, embedder = loaded(batch_size=batch_size, threads=threads)
    vectors = embedder.embed(["x" * length for length in lengths])
    assert (vectors[:, 0] / vectors[:, 1]).tolist() == pytest.approx(lengths)
    assert torch.get_num_threads() == before
    if len(lengths) <= 4:  # not worth sharing out: the products take every core
        assert model.threads == {before}
        return
    assert model.threads == {1}
    assert max(map(len, model.batches)) <= batch_size
    longest_first = sorted(model.batches, reverse=True)
    assert list(chain.from_iterable(longest_first)) == sorted(lengths, reverse=True)


def test_batches_get_smaller_so_that_all_threads_end_together() -> None:
    model, embedder = loaded(batch_size=16, threads=2)
    embedder.embed(["x" * length for length in range(1, 101)])
    # Of 100 texts, half of what is left for two: 25, 21, 17, but 16 at most, then 13 of 52, 9 of 39, ..., 4 at least.
    assert [len(batch) for batch in sorted(model.batches, reverse=True)] == [16, 16, 16, 13, 9, 7, 5, 4, 4, 4, 4, 2]


def test_another_device_gets_all_texts_at_once() -> None:
    model, embedder = loaded(batch_size=2, threads=2, device="cuda")
    vectors = embedder.embed(["x" * length for length in range(1, 11)])
    assert (vectors[:, 0] / vectors[:, 1]).tolist() == pytest.approx(range(1, 11))
    assert model.batches == [list(range(1, 11))]  # the model itself cuts them, 2 at a time


def test_vectors_are_those_of_each_text_alone(bundled: LocalEmbedder) -> None:
    texts = [f"{word} " * (at % 7 + 1) + str(at) for at in range(40) for word in ("decay", "room", "trail")]
    together = bundled.embed(texts)
    alone = np.concatenate([bundled.embed([text]) for text in texts[::10]])
    assert (together[::10] * alone).sum(axis=1) == pytest.approx(1, abs=1e-5)


def test_bfloat16_gives_nearly_the_same_vectors(bundled: LocalEmbedder) -> None:
    texts = ["a cat sleeps", "bond yields rose " * 30, "x"]
    exact, quick = bundled.embed(texts), LocalEmbedder(precision="bfloat16").embed(texts)
    assert (exact * quick).sum(axis=1).min() > 0.999


def test_a_model_that_is_not_there_is_told() -> None:
    with pytest.raises(EmbeddingFailed, match=r"no-such-folder"):
        LocalEmbedder("./no-such-folder/model").embed(["x"])


def test_a_model_of_another_dimension_is_refused() -> None:
    with pytest.raises(WrongDimension, match="has dimension 384"):
        LocalEmbedder(dimension=768).embed(["x"])


class _Endpoint(BaseHTTPRequestHandler):
    """Speaks the protocol of OpenAI's embeddings for two texts at most: the vector of a text is (its length, 1, 0)."""

    broken = False

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked_well = self.headers["Authorization"] == "Bearer key" and self.path == "/v1/embeddings"
        ok = not self.broken and asked_well and len(body["input"]) <= 2
        data = [{"index": at, "embedding": [len(text), 1.0, 0.0]} for at, text in enumerate(body["input"])]
        answer = json.dumps({"data": data[::-1]}).encode()  # the order is told by index alone
        self.send_response(200 if ok else 500)
        self.end_headers()
        self.wfile.write(answer if ok else b"{}")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Endpoint)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    _Endpoint.broken = False


def test_an_endpoint_gives_vectors_of_length_one_in_the_order_of_the_texts(url: str) -> None:
    model = EndpointEmbedder("m", base_url=url, api_key="key", dimension=3, batch_size=2)
    vectors = model.embed(["a", "bb", "ccc"])
    assert vectors[:, 0] / vectors[:, 1] == pytest.approx([1, 2, 3])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1])


def test_an_endpoint_of_another_dimension_or_that_fails_is_told(url: str) -> None:
    with pytest.raises(WrongDimension, match="returns dimension 3"):
        EndpointEmbedder("m", base_url=url, api_key="key", dimension=4).embed(["a"])
    _Endpoint.broken = True
    with pytest.raises(EmbeddingFailed, match="500"):
        EndpointEmbedder("m", base_url=url, api_key="key", dimension=3).embed(["a"])
    with pytest.raises(EmbeddingFailed, match="failed"):
        EndpointEmbedder("m", base_url="http://127.0.0.1:9/v1", dimension=3, retries=0).embed(["a"])
