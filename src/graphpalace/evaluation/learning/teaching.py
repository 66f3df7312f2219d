"""Give a palace feedback as a user would: search, and reward what helps among the ten drawers shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import numpy as np

from graphpalace.evaluation.asking import DEPTH, check_complete, question_of
from graphpalace.evaluation.collection import CollectionQuestion
from graphpalace.evaluation.documents import document_of
from graphpalace.learn.learned import LearnedRanking
from graphpalace.operations.learning.feedback import Feedback
from graphpalace.operations.search.recall import Recall
from graphpalace.replica.filters import filter_of
from graphpalace.replica.learning import Learning
from graphpalace.replica.snapshots import Snapshots
from graphpalace.store.connection.database import Database
from graphpalace.store.evaluation import EvaluationStore

_BLOCK = 10  # searches between two looks at what was learned
_FORGET_CYCLES = 100_000  # after which no pheromone is left, at rates above .0002 a cycle


class Teaching:
    """Teaches a palace of the evaluation's own."""

    def __init__(
        self, database: Database, snapshots: Snapshots, recall: Recall, learning: Learning, feedback: Feedback
    ) -> None:
        """Wire it."""
        self._database = database
        self._snapshots = snapshots
        self._recall = recall
        self._learning = learning
        self._feedback = feedback

    async def forget(self, palace: str) -> None:
        """Forget all feedback, and let what it laid on paths fade."""
        await self._feedback.reset(palace)
        await self.age(palace, _FORGET_CYCLES)

    async def age(self, palace: str, cycles: int) -> None:
        """Let cycles pass without use."""
        await EvaluationStore(self._database).advance_clock(palace, cycles=cycles)
        self._snapshots.forget(palace)

    async def learned(self, palace: str, questions: Sequence[CollectionQuestion]) -> list[LearnedRanking]:
        """Wait until all feedback is learned, and return what the wings of some questions learned, each once.

        A search alone would not always wait; after this it has nothing to wait for.
        """
        found: dict[int, LearnedRanking] = {}
        for wing in dict.fromkeys(question.wing for question in questions):
            only = await filter_of(self._database, palace, wing=wing)
            learned = await self._learning.of(palace, only.wing, patient=True)
            if learned is not None:
                found[id(learned)] = learned
        return list(found.values())

    async def teach(
        self,
        palace: str,
        questions: Sequence[CollectionQuestion],
        *,
        wrong: float,
        seed: int,
        random: np.random.Generator,
        after: Callable[[int], Awaitable[None]],
    ) -> list[CollectionQuestion]:
        """Search for each question, and say which of the drawers shown are of relevant documents.

        Ten questions at a time are searched with what was learned so far, then rewarded. An answer that shows nothing
        relevant gets no feedback.

        Args:
            wrong: Chance that a feedback names one drawer shown that is not relevant in place of those that are.
            after: Awaited after each feedback, with how many there were.
        Returns:
            The questions that feedback was given for.
        Raises:
            DatabaseFailed: If a lane failed.
        """
        rewarded: list[CollectionQuestion] = []
        for start in range(0, len(questions), _BLOCK):
            block = questions[start : start + _BLOCK]
            await self.learned(palace, block)
            answers = [await self._search(palace, asked) for asked in block]
            for asked, (run, useful, others) in zip(block, answers, strict=True):
                if not useful:
                    continue
                astray = others and random.random() < wrong
                named = [others[random.integers(len(others))]] if astray else useful
                # An id of its own choice, or the order of lessons would differ from run to run.
                await self._feedback.give(
                    palace, run=run, useful=dict.fromkeys(named, 1.0), feedback_id=f"{seed} {asked.id}"
                )
                rewarded.append(asked)
                await after(len(rewarded))
        return rewarded

    async def _search(self, palace: str, asked: CollectionQuestion) -> tuple[str, list[str], list[str]]:
        """Return the search's run, and which of the ten drawers shown are of relevant documents, and which not."""
        answer = await self._recall.search(palace, question_of(asked, {}))
        check_complete(answer, asked)
        documents = {hit.id: document_of(hit.source.uri) for hit in answer.hits}
        shown = [drawer for drawer, document in documents.items() if document not in asked.exclude][:DEPTH]
        useful = [drawer for drawer in shown if documents[drawer] in asked.relevant]
        return answer.run, useful, [drawer for drawer in shown if drawer not in useful]
