# Written by `make client` from graphpalace/offers/learning.py; change that file.
"""The part of a palace that takes feedback, and learns from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from graphpalace.client.asynchronous.link import AsyncLink

if TYPE_CHECKING:
    from graphpalace.domain.learning.feedback_requests import FeedbackReceipt, Judged, LearnedState, ListedFeedback


class AsyncFeedback:
    """The part of a palace that takes feedback, and learns from it."""

    _link: AsyncLink

    async def feedback(
        self,
        run: str | None = None,
        *,
        query: str = "",
        query_embedding: Sequence[float] | None = None,
        wing: str | None = None,
        room: str | None = None,
        filters: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
        namespace: str | None = None,
        useful: Sequence[str | Judged | Mapping[str, Any]] = (),
        useless: Sequence[str | Judged | Mapping[str, Any]] = (),
        selected_ids: Sequence[str] = (),
        success: float | None = None,
        id: str | None = None,
    ) -> FeedbackReceipt:
        """Mark drawers or documents of an answer as useful or useless.

        Later answers learn from this.

        Args:
            run: As /v1/search, /v1/rerank, a lane or a fusion gave it.
            query: In place of run: it is searched again.
            query_embedding: As in /v1/search.
            wing: That the question was asked in.
            filters: As in /v1/search.
            namespace: Only with query: the judged documents are your own, with the ids of this namespace in /v1/rerank.
            useful: Ids of drawers, or {id, reward}; for a run on lanes also publication numbers, for a rerank ids of
                its documents.
            useless: As useful, for what did not help.
            selected_ids: Results that were used, all with the same success.
            success: Of selected_ids; default: 1; from .5 on they were useful, by as much; below useless, by 1 -
                success, 0 to 1.
            id: A key of your choice: feedback of the same key counts once. Without one, the same feedback on a run
                counts once; the same on a query (with its place and filters) counts once within an hour, as a retry,
                and is new evidence later.
        Raises:
            InvalidInput: If there is nothing to learn from, or a value is out of its range.
            NotFound: If the run or something that is judged is not known.
        """
        from graphpalace.offers.learning import GIVE_FEEDBACK

        return await self._link.call(
            GIVE_FEEDBACK,
            run=run,
            query=query,
            query_embedding=query_embedding,
            wing=wing,
            room=room,
            filters=filters,
            namespace=namespace,
            useful=useful,
            useless=useless,
            selected_ids=selected_ids,
            success=success,
            id=id,
        )

    async def feedbacks(self, *, wing: str | None = None, limit: int = 50) -> list[ListedFeedback]:
        """List feedback, newest first.

        Args:
            wing: Default: the whole palace.
            limit: Largest number of feedbacks, 1 to 200.
        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If the limit is out of its range.
        """
        from graphpalace.offers.learning import LIST_FEEDBACK

        return await self._link.call(LIST_FEEDBACK, wing=wing, limit=limit)

    async def shown(self, run: str) -> list[str]:
        """List what a run showed, best first, by the names that feedback takes.

        Args:
            run: Id of the run.
        Raises:
            NotFound: If the run does not exist, or has expired.
        """
        from graphpalace.offers.learning import SHOWN

        return await self._link.call(SHOWN, run=run)

    async def take_back(self, feedback: str) -> None:
        """Undo a feedback, with its effects on learning and on pheromones.

        Args:
            feedback: Its id.
        Raises:
            NotFound: If there is no such feedback.
        """
        from graphpalace.offers.learning import TAKE_BACK

        await self._link.call(TAKE_BACK, feedback=feedback)

    async def learned(self, *, wing: str | None = None) -> LearnedState:
        """Show what a palace or a wing has learned, from how much feedback, and what each part gains.

        Args:
            wing: Default: the whole palace.
        Raises:
            NotFound: If the palace or the wing does not exist.
        """
        from graphpalace.offers.learning import SHOW_LEARNED

        return await self._link.call(SHOW_LEARNED, wing=wing)

    async def unlearn(self, *, wing: str | None = None) -> int:
        """Delete all feedback of a wing or of the whole palace.

        Args:
            wing: Default: the whole palace.
        Raises:
            NotFound: If the palace or the wing does not exist.
        """
        from graphpalace.offers.learning import UNLEARN

        return (await self._link.call(UNLEARN, wing=wing)).forgotten
