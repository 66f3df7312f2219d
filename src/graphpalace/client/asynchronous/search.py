"""Searching, and opening what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from graphpalace.client.asynchronous.link import AsyncLink

if TYPE_CHECKING:
    from graphpalace.domain.drawers.drawer import DrawerWithPath
    from graphpalace.domain.search.answer import Answer
    from graphpalace.domain.search.fusion_plan import Scheme
    from graphpalace.domain.search.request import FusionName, LaneName


class AsyncSearching:
    """The part of a palace that searches."""

    _link: AsyncLink

    async def search(
        self,
        query: str = "",
        *,
        query_embedding: Sequence[float] | None = None,
        wing: str | None = None,
        room: str | None = None,
        since: datetime | date | None = None,
        until: datetime | date | None = None,
        as_of: str | date | None = None,
        speaker: str | None = None,
        project: str | None = None,
        conversation: str | None = None,
        top_k: int = 10,
        filters: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
        target_profile: Mapping[Scheme, Mapping[str, float]] | None = None,
        preset: str | None = None,
        lanes: Sequence[LaneName] | None = None,
        weights: Mapping[LaneName, float] | None = None,
        fusion: FusionName | None = None,
        rerank: bool = False,
        mmr_lambda: float | None = None,
        fold_duplicates: bool | None = None,
        times: bool | None = None,
        unlearned: bool = False,
    ) -> Answer:
        """Search by words and by meaning, and return the best drawers, best first.

        Args:
            query: Words or a question. It may be empty if `query_embedding` is given.
            query_embedding: A vector of the palace's dimension, instead of the one that is made from the query.
            wing, room: Where to search; default: everywhere.
            since, until: Only what was said, or else stored, from the first moment and before the second; of a
                date, the whole day.
            as_of: The palace as it was at this time, for example "2019-05": only what was said, or else stored, by
                then, and facts as they held then. Whatever has no zone is UTC.
            speaker: Only what this speaker said, such as `user` or `assistant`.
            project: Only conversations on this project.
            conversation: Only the conversation of this id.
            top_k: The number of hits, 1 to 200.
            filters: Conditions on documents, for example `{"country": "JP"}`.
            target_profile: Classification codes that are wanted, with their weights, by scheme.
            preset: The name of a plan in the settings; default: the configured one.
            lanes: What searches; default: the plan's lanes.
            weights: Of some lanes, 0 to 1000.
            fusion: How the lanes are joined; default: the plan's way.
            rerank: Whether the best hits are reranked at the end.
            mmr_lambda: For that: 0 for variety, 1 for relevance.
            fold_duplicates: Whether equal and nearly equal texts are one hit, whose `also_at` names the others;
                default: as configured.
            times: Whether what was said in a time that the question names, such as "last week", is ranked higher;
                default: as configured. The answer's plan shows the time.
            unlearned: Whether to answer as if there had never been any feedback.
        Raises:
            EmptyQuery: If there is neither a query nor an embedding.
            NotFound: If the palace, the wing or the room does not exist.
            InvalidInput: If another value is out of its range.
        """
        from graphpalace.domain.search.answer import Answer

        return await self._link.post(
            Answer,
            "/v1/search",
            query=query,
            query_embedding=query_embedding,
            wing=wing,
            room=room,
            since=since,
            until=until,
            as_of=as_of,
            speaker=speaker,
            project=project,
            conversation=conversation,
            top_k=top_k,
            filters=filters,
            target_profile=target_profile,
            preset=preset,
            lanes=lanes,
            weights=weights,
            fusion=fusion,
            rerank=rerank,
            mmr_lambda=mmr_lambda,
            fold_duplicates=fold_duplicates,
            times=times,
            unlearned=unlearned,
        )

    async def open_drawer(self, drawer: str, *, run: str) -> DrawerWithPath:
        """Return a drawer that a search showed. Opening it counts as weak feedback, once for each search.

        Args:
            drawer: The id of the hit.
            run: The `run` of the answer.
        Raises:
            NotFound: If there is no such drawer, or the search is not known any more.
        """
        from graphpalace.offers.drawers import READ_DRAWER

        return await self._link.call(READ_DRAWER, drawer=drawer, run=run)
