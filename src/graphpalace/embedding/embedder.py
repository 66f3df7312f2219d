"""The interface of an embedding model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from graphpalace.domain.vectors import Matrix


class Embedder(Protocol):
    """The interface of an embedding model."""

    @property
    def name(self) -> str:
        """The name of the model, which is stored with the palace."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def load(self) -> None:
        """Load the model, which may take seconds the first time. Blocks; call it in a thread."""
        ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each text that is searched in, in order; load first.

        Blocks; call it in a thread.
        """
        ...

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each question, to be compared with vectors of `embed`.

        Some models were trained with another prefix for questions; for the others, this equals `embed`. Blocks; call it
        in a thread.
        """
        ...
