# Written by `make client` from ../asynchronous/learning.py; change that file.
"""Saying what helped in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.client.synchronous.feedback import Feedback

if TYPE_CHECKING:
    from graphpalace.domain.learning.feedback_requests import FeedbackReceipt


class Learning(Feedback):
    """The part of a palace that learns from feedback."""

    def useful(self, run: str, *drawers: str) -> FeedbackReceipt:
        """Say which hits of an answer helped. Later answers learn from this.

        Args:
            run: The `run` of the answer.
            drawers: The ids of the hits.
        Raises:
            NotFound: If the run or one of the hits is not known.
        """
        return self.feedback(run, useful=drawers)
