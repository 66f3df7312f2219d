# Written by `make client` from ../asynchronous/learning.py; change that file.
"""Saying what helped, and seeing what was learned from it."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from graphpalace.client import wire
from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from graphpalace.domain.learning.feedback_answers import FeedbackReceipt, ListedFeedback
    from graphpalace.domain.learning.learned_state import LearnedState


class Learning:
    """The part of a palace that learns from feedback."""

    _link: Link

    def useful(self, run: str, *drawers: str) -> FeedbackReceipt:
        """Say which hits of an answer helped. Later answers learn from this.

        Args:
            run: The `run` of the answer.
            drawers: The ids of the hits.
        Raises:
            NotFound: If the run or one of the hits is not known.
        """
        return self.feedback(run, useful=drawers)

    def feedback(
        self,
        run: str | None = None,
        *,
        useful: Sequence[str | Mapping[str, Any]] = (),
        useless: Sequence[str | Mapping[str, Any]] = (),
        selected_ids: Sequence[str] = (),
        success: float | None = None,
        query: str = "",
        query_embedding: Sequence[float] | None = None,
        wing: str | None = None,
        room: str | None = None,
        filters: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
        namespace: str | None = None,
        id: str | None = None,
    ) -> FeedbackReceipt:
        """Say what helped and what did not. Later answers learn from this.

        Args:
            run: The `run` of an answer, a rerank, a lane or a fusion; or leave it out and give the question.
            useful, useless: Ids of drawers, or `{"id": ..., "reward": ...}` with a reward above 0, at most 1.
            selected_ids: Results that were used, all with the same success.
            success: Of `selected_ids`, 0 to 1: from .5 on they were useful by as much, below useless by the rest to 1.
            query: In place of a run: the question, which is searched again.
            query_embedding, wing, room, filters: As the question was asked.
            namespace: Only with `query`: the judged documents are your own, with ids of this namespace.
            id: A key of your choice; feedback with the same key counts once.
        Raises:
            InvalidInput: If there is nothing to learn from, or a value is out of its range.
            NotFound: If the run or something that is judged is not known.
        """
        from graphpalace.domain.learning.feedback_answers import FeedbackReceipt

        return self._link.post(
            FeedbackReceipt,
            "/v1/feedback",
            run=run,
            useful=useful,
            useless=useless,
            selected_ids=selected_ids,
            success=success,
            query=query,
            query_embedding=query_embedding,
            wing=wing,
            room=room,
            filters=filters,
            namespace=namespace,
            id=id,
        )

    def shown(self, run: str) -> builtins.list[str]:
        """Return what a run showed, best first, by the names that feedback takes.

        Raises:
            NotFound: If the run does not exist, or has expired.
        """
        return self._link.get(list[str], f"/v1/feedback/shown/{wire.segment('run', run)}")

    def feedbacks(self, *, wing: str | None = None, limit: int = 50) -> builtins.list[ListedFeedback]:
        """Return the feedback of the palace or of a wing, newest first.

        Args:
            limit: How many at most, 1 to 200.
        Raises:
            NotFound: If the palace or the wing does not exist.
        """
        from graphpalace.domain.learning.feedback_answers import ListedFeedback

        return self._link.get(list[ListedFeedback], "/v1/feedback", wing=wing, limit=limit)

    def take_back(self, feedback: str) -> None:
        """Undo a feedback: lessons, memories and pheromones become as if it had never been given.

        Raises:
            NotFound: If there is no such feedback.
        """
        self._link.remove(type(None), f"/v1/feedback/{wire.segment('feedback', feedback)}")

    def learned(self, *, wing: str | None = None) -> LearnedState:
        """Return what the palace or a wing has learned, from how much feedback, and what each part gains.

        Raises:
            NotFound: If the palace or the wing does not exist.
        """
        from graphpalace.domain.learning.learned_state import LearnedState

        return self._link.get(LearnedState, "/v1/learned", wing=wing)

    def unlearn(self, *, wing: str | None = None) -> int:
        """Forget all feedback of the palace or of a wing, and return how many there were.

        Raises:
            NotFound: If the palace or the wing does not exist.
        """
        from graphpalace.domain.receipts import Forgotten

        return (self._link.remove(Forgotten, "/v1/learned", wing=wing)).forgotten
