# Written by `make client` from ../asynchronous/rerank.py; change that file.
"""Putting documents or drawers into order."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphpalace.client import wire
from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from graphpalace.domain.rerank.rerank import Candidate, GateMode, RerankAnswer
    from graphpalace.errors import GraphPalaceError


class Reranking:
    """The part of a palace that puts documents into order."""

    _link: Link

    def rerank(
        self,
        query: str = "",
        documents: Sequence[Candidate | Mapping[str, Any]] | None = None,
        *,
        drawer_ids: Sequence[str] | None = None,
        query_embedding: Sequence[float] | None = None,
        namespace: str | None = None,
        top_k: int = 10,
        mmr_lambda: float | None = None,
        gating_mode: GateMode | None = None,
        gating_threshold: float | None = None,
        gating_min_candidates: int | None = None,
        gating_max_candidates: int | None = None,
        gating_entropy_temp: float | None = None,
        deterministic: bool | None = None,
        reference_time: datetime | None = None,
    ) -> RerankAnswer:
        """Order documents, or drawers of the palace, by what they say and by what was learned. Nothing changes.

        What is None is as [rerank] of the settings says.

        Args:
            query: Words; may be empty if `query_embedding` is given.
            documents: Your own documents, with `id` and some of `text`, `metadata`, `embedding` and `drawer_id`; each
                needs a text or an embedding. Give either these or `drawer_ids`.
            drawer_ids: Drawers of the palace.
            query_embedding: A vector of the palace's dimension, instead of the one that is made from the query.
            namespace: Within which your documents are known by their ids; feedback teaches them there.
            top_k: The number of results, from 1 to what the settings allow.
            mmr_lambda: 0 for variety, 1 for relevance.
            gating_mode: Whether documents that match too little are dropped.
            gating_threshold: 0 to 1.
            gating_min_candidates, gating_max_candidates: How many pass at least and at most.
            gating_entropy_temp: Above 0.
            deterministic: Whether to leave out exploration.
            reference_time: The moment pheromones are taken at; default: now.
        Raises:
            EmptyQuery: If there is neither a query nor an embedding.
            InvalidInput: If there are both or neither of documents and drawers, or a value is out of its range.
            NotFound: If the palace or a drawer does not exist.
        """
        from graphpalace.domain.rerank.rerank import RerankAnswer

        return self._link.post(
            RerankAnswer,
            "/v1/rerank",
            query=query,
            documents=documents,
            drawer_ids=drawer_ids,
            query_embedding=query_embedding,
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

    def rerank_many(self, requests: Sequence[Mapping[str, Any]]) -> builtins.list[RerankAnswer | GraphPalaceError]:
        """Answer several reranks, one after the other. A refused one has its error in place of its answer.

        Args:
            requests: The arguments of `rerank`, by name; a request may name another `palace`.
        Raises:
            GraphPalaceError: With the code BAD_REQUEST, if there are more requests than the settings allow.
        """
        from graphpalace.domain.rerank.rerank import RerankAnswer

        named = {} if self._link.palace is None else {"palace": self._link.palace}
        asked = [named | {name: one for name, one in request.items() if one is not None} for request in requests]
        answers = self._link.send_plain(builtins.list[dict[str, Any]], "/v1/rerank/batch", asked)
        return [
            wire.error_of(**one["error"]) if "error" in one else wire.read(wire.encoded(one), RerankAnswer)
            for one in answers
        ]
