"""Compute what drawers and documents remember of the questions that they answered, from the stored feedback."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphpalace.domain.learning.feedback import AnsweredQuestion, JudgedDocument, NarrativeMemory
from graphpalace.learn.questions import remembered
from graphpalace.store.connection.database import Transaction
from graphpalace.store.learning.feedback import FeedbackStore
from graphpalace.store.learning.memories import MemoryStore


class Memories:
    """Updates the memories of drawers and of callers' own documents, within a transaction.

    Args:
        rate: Share of a memory that is lost in one cycle, 0 to 1.
    """

    def __init__(self, feedback: FeedbackStore, *, rate: float) -> None:
        self._feedback = feedback
        self._memories = MemoryStore()
        self._rate = rate

    async def judge_documents(
        self, palace: str, tx: Transaction, feedback_id: str, judged: Sequence[JudgedDocument]
    ) -> None:
        """Link a feedback to the documents that it judges, and update their memories."""
        if judged:
            await self._feedback.judge_documents(palace, tx, feedback_id, judged)
            await self.renew_documents(palace, tx, [one.id for one in judged])

    async def renew_drawers(self, palace: str, tx: Transaction, drawers: Sequence[str]) -> None:
        """Compute the memories of drawers again."""
        if drawers:
            answers = await self._memories.answers_of_drawers(palace, tx, drawers)
            await self._memories.set_of_drawers(palace, tx, self._remembered(answers))

    async def renew_documents(self, palace: str, tx: Transaction, documents: Sequence[str]) -> None:
        """Compute the memories of documents again; documents without feedback are deleted."""
        if documents:
            answers = await self._memories.answers_of_documents(palace, tx, documents)
            await self._memories.set_of_documents(palace, tx, self._remembered(answers))

    def _remembered(self, answers: Mapping[str, Sequence[AnsweredQuestion]]) -> dict[str, NarrativeMemory | None]:
        return {one: remembered(given, rate=self._rate) for one, given in answers.items()}
