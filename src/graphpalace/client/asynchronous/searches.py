# Written by `make client` from graphpalace/offers/search.py; change that file.
"""The part of a palace that answers questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal

from graphpalace.client.asynchronous.link import AsyncLink

if TYPE_CHECKING:
    from graphpalace.domain.search.answer import Answer
    from graphpalace.domain.search.request import LaneName


class AsyncSearches:
    """The part of a palace that answers questions."""

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
        target_profile: Mapping[Literal["ipc", "cpc", "fi", "ft", "any"], Mapping[str, float]] | None = None,
        preset: str | None = None,
        lanes: Sequence[LaneName] | None = None,
        weights: Mapping[LaneName, float] | None = None,
        fusion: Literal["evidence", "rrf"] | None = None,
        rerank: bool = False,
        mmr_lambda: float | None = None,
        fold_duplicates: bool | None = None,
        times: bool | None = None,
        filters: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
        unlearned: bool = False,
        kept: bool = True,
    ) -> Answer:
        """Search by words and by meaning, and return the best drawers, best first.

        Each hit shows which lanes found it and its path in the palace.

        Args:
            query: Words; may be empty if query_embedding is given.
            query_embedding: Vector of the palace's dimension.
            wing: Only in this wing.
            room: Only in rooms of this name.
            since: Said, or else stored, at or after this time.
            until: Said, or else stored, up to this date, which is included, or before this moment.
            as_of: The palace as it was at this time: only what was said, or else stored, by then, and facts as they
                held then (2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z).
            speaker: Only what this speaker said, such as user or assistant.
            project: Only conversations on this project.
            conversation: Only the conversation of this id, or HOST/ID.
            top_k: Number of hits, 1 to 200.
            target_profile: Wanted codes with weights above 0, by scheme; the lane of codes joins the lanes then.
            preset: A plan of [search.presets]; default: the configured one.
            lanes: What searches; default: the plan's lanes.
            weights: Of some lanes, 0 to 1000; the others keep the plan's, or 1.
            fusion: How lanes are joined: evidence or rrf; default: the plan's.
            rerank: Put the best into another order at last, as [rerank] says.
            mmr_lambda: Of that order: 0 for variety, 1 for relevance; default: as configured.
            fold_duplicates: Show equal and nearly equal texts as one hit that names the others; default: as configured.
            times: Rank higher what was said in a time that the question names; default: as configured.
            filters: Conditions on the documents: a list of {lop, field, op, value}, or {ipc, cpc, date_from, ...}.
            unlearned: Ignore everything that was learned from feedback.
            kept: Keep the search, so that feedback can be given on it; false while somebody is still typing.
        Raises:
            EmptyQuery: If there is neither a query nor an embedding.
            NotFound: If the palace, the wing or the room does not exist.
            InvalidInput: If another value is out of its range.
        """
        from graphpalace.offers.search import SEARCH

        return await self._link.call(
            SEARCH,
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
            target_profile=target_profile,
            preset=preset,
            lanes=lanes,
            weights=weights,
            fusion=fusion,
            rerank=rerank,
            mmr_lambda=mmr_lambda,
            fold_duplicates=fold_duplicates,
            times=times,
            filters=filters,
            unlearned=unlearned,
            kept=kept,
        )
