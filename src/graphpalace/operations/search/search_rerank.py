"""The optional last stage of a search: rerank the best drawers."""

from __future__ import annotations

from dataclasses import replace

from graphpalace.domain.deadline import at_most_s
from graphpalace.operations.rerank.rerank import Rerank
from graphpalace.operations.search.preparation import PreparedSearch
from graphpalace.operations.search.ranked import RankedDrawers
from graphpalace.operations.search.side_by_side import LaneResults


class SearchRerank:
    """Reranks the best drawers by the settings in the section `[rerank]`."""

    def __init__(self, rerank: Rerank, *, timeout_s: float) -> None:
        self._rerank = rerank
        self._timeout_s = timeout_s

    async def of(
        self, search: PreparedSearch, found: LaneResults, ranked: RankedDrawers, *, every: bool
    ) -> RankedDrawers:
        """Return the best drawers in their final order.

        Args:
            every: Whether all of the reranked drawers are needed, not only as many as the answer shows.

        If the question's embedding is not available in time, the order stays, and `left_out` names the rerank.
        """
        request = search.request
        goal = await search.goal(timeout_s=at_most_s(self._timeout_s))
        if goal is None:
            found.left_out["rerank"] = "the embedding of the question was not available in time"
            return ranked
        by_id = {hit.id: hit for hit in ranked.best}
        hits = [(hit.id, max(hit.score, 0.0)) for hit in ranked.best[: search.limit]]
        top_k = len(hits) if every else request.top_k
        order = await self._rerank.order(search.palace, goal, hits, top_k=top_k, mmr_lambda=request.mmr_lambda)
        if not order.places:  # all of them were deleted meanwhile
            return ranked
        return replace(
            ranked,
            best=[by_id[place.id]._replace(score=place.score) for place in order.places],
            reranked={place.id: place.components for place in order.places},
        )
