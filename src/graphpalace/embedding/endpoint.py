"""A model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Sequence

import httpx
import numpy as np

from graphpalace.domain.texts import counted
from graphpalace.domain.vectors import Matrix, unit_rows
from graphpalace.errors import EmbeddingFailed, SettingsInvalid, WrongDimension


class EndpointEmbedder:
    """A model behind an OpenAI-compatible `/embeddings` endpoint, which is called for every batch of texts."""

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
        try:
            self._client = httpx.Client(
                base_url=base_url.rstrip("/") + "/",
                headers=headers,
                timeout=timeout_s,
                transport=httpx.HTTPTransport(retries=retries),
            )
        except httpx.InvalidURL as error:
            raise SettingsInvalid(
                f"embeddings.base_url is not a URL: {error}; it must be one such as http://localhost:8000/v1",
                field="embeddings.base_url",
            ) from None

    def load(self) -> None:
        """Do nothing: the endpoint loads its model itself."""

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector of length one for each text, in order. Blocks; call it in a thread.

        Raises:
            EmbeddingFailed: If the endpoint cannot be reached or its answer is not as expected.
            WrongDimension: If its vectors do not have the configured dimension.
        """
        parts = [
            self._batch(texts[start : start + self._batch_size]) for start in range(0, len(texts), self._batch_size)
        ]
        return unit_rows(np.concatenate(parts)) if parts else np.empty((0, self.dimension), np.float32)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return the same as `embed`: the interface of OpenAI does not tell questions from other texts."""
        return self.embed(texts)

    def _batch(self, texts: Sequence[str]) -> Matrix:
        try:
            answer = self._client.post("embeddings", json={"model": self.name, "input": list(texts)})
            answer.raise_for_status()
            items = sorted(answer.json()["data"], key=lambda item: item["index"])
            vectors = [item["embedding"] for item in items]
        except httpx.HTTPStatusError as error:  # a redirect too: it is not followed, as its host would get the key
            raise self._failed(f"answered with status {error.response.status_code}") from None
        except httpx.HTTPError as error:  # only its type: its text may have headers, and so the key
            raise self._failed(f"failed: {type(error).__name__}") from None
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise self._failed(f"failed: its answer has not the form of the protocol: {error!r}"[:300]) from None
        if len(vectors) != len(texts):
            raise EmbeddingFailed(
                f"the embedding endpoint returned {counted(len(vectors), 'vector')} for {counted(len(texts), 'text')}"
            )
        if any(len(vector) != self.dimension for vector in vectors):
            raise WrongDimension(
                f"embeddings.dimension is {self.dimension}; the endpoint returns dimension {len(vectors[0])}",
                field="embeddings.dimension",
                expected=len(vectors[0]),
            )
        return np.asarray(vectors, np.float32)

    def _failed(self, what: str) -> EmbeddingFailed:
        """Return the error that says what went wrong. It has the address, but neither a password in it nor the key."""
        return EmbeddingFailed(f"the embedding endpoint {self._client.base_url.copy_with(userinfo=b'')} {what}")
