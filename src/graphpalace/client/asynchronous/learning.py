"""Saying what helped in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.client.asynchronous.feedback import AsyncFeedback

if TYPE_CHECKING:
    from graphpalace.domain.learning.feedback_requests import FeedbackReceipt


class AsyncLearning(AsyncFeedback):
    """The part of a palace that learns from feedback."""

    async def useful(self, run: str, *drawers: str) -> FeedbackReceipt:
        """Say which hits of an answer helped. Later answers learn from this.

        Args:
            run: The `run` of the answer.
            drawers: The ids of the hits.
        Raises:
            NotFound: If the run or one of the hits is not known.
        """
        return await self.feedback(run, useful=drawers)
