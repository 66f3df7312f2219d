# Written by `make client` from ../asynchronous/reranks.py; change that file.
"""The part of a palace that puts documents into order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from graphpalace.domain.rerank import Candidate, RerankAnswer


class Reranks:
    """The part of a palace that puts documents into order."""

    _link: Link

    def rerank(
        self,
        query: str = "",
        documents: Sequence[Candidate | Mapping[str, Any]] | None = None,
        *,
        query_embedding: Sequence[float] | None = None,
        drawer_ids: Sequence[str] | None = None,
        namespace: str = "default",
        top_k: int = 10,
        mmr_lambda: float | None = None,
        gating_mode: Literal["off", "auto", "on"] | None = None,
        gating_threshold: float | None = None,
        gating_min_candidates: int | None = None,
        gating_max_candidates: int | None = None,
        gating_entropy_temp: float | None = None,
        deterministic: bool | None = None,
        reference_time: datetime | None = None,
    ) -> RerankAnswer:
        """Order documents, or drawers of the palace, by what they say and by what was learned.

        Nothing changes.

        What is not given is as [rerank] of the settings says.

        Args:
            query: Words.
            query_embedding: A vector of the palace's dimension, instead of words.
            documents: Your own, or else give drawer_ids.
            drawer_ids: Drawers of the palace.
            namespace: Within which your documents are known by their ids.
            top_k: At most [rerank] max_top_k.
            mmr_lambda: 0 for variety, 1 for relevance.
            gating_mode: Off, auto or on.
            gating_threshold: Least similarity, 0 to 1.
            gating_min_candidates: How many pass at least, 1 to 1000000.
            gating_max_candidates: How many pass at most, 1 to 1000000.
            gating_entropy_temp: Low makes the gate surer, above 0 and at most 1000000.
            deterministic: No exploration; pheromones count as at reference_time, or else as they were laid.
            reference_time: The moment pheromones are taken at; default: now.
        Raises:
            EmptyQuery: If there is neither a query nor an embedding.
            InvalidInput: If there are both or neither of documents and drawers, or a value is out of its range.
            NotFound: If the palace or a drawer does not exist.
        """
        from graphpalace.offers.rerank import RERANK

        return self._link.call(
            RERANK,
            query=query,
            query_embedding=query_embedding,
            documents=documents,
            drawer_ids=drawer_ids,
            namespace=namespace,
            top_k=top_k,
            mmr_lambda=mmr_lambda,
            gating_mode=gating_mode,
            gating_threshold=gating_threshold,
            gating_min_candidates=gating_min_candidates,
            gating_max_candidates=gating_max_candidates,
            gating_entropy_temp=gating_entropy_temp,
            deterministic=deterministic,
            reference_time=reference_time,
        )
