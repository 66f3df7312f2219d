"""Gives a palace feedback as a user would: searches, and rewards the relevant drawers among the ten shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import numpy as np

from graphpalace.entities.name_index import question_names
from graphpalace.evaluation.asking import DEPTH, check_complete, question_of
from graphpalace.evaluation.collection import CollectionQuestion
from graphpalace.evaluation.storing import document_of
from graphpalace.learn.learned import LearnedRanking
from graphpalace.operations.learning.feedback import Feedback
from graphpalace.operations.search.recall import Recall
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.filters import filter_of
from graphpalace.replica.known_names import KnownNames
from graphpalace.replica.learning import Learning
from graphpalace.replica.snapshots import Snapshots
from graphpalace.store.connection.database import Database
from graphpalace.store.pheromones.decay import EvaluationStore

_BLOCK = 10  # searches before waiting for new learning
_FORGET_CYCLES = 100_000  # no pheromone is left after as many cycles, if more than 0.0002 of it is lost in a cycle


class Teaching:
    """Gives feedback to the evaluation's temporary palace, and lets its clock advance."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        snapshots: Snapshots,
        names: KnownNames,
        recall: Recall,
        learning: Learning,
        feedback: Feedback,
    ) -> None:
        """Connect the parts."""
        self._database = database
        self._indexes = indexes
        self._snapshots = snapshots
        self._names = names
        self._recall = recall
        self._learning = learning
        self._feedback = feedback

    async def forget(self, palace: str) -> None:
        """Delete all feedback, and advance the clock until its pheromones are gone."""
        await self._feedback.reset(palace)
        await self.age(palace, _FORGET_CYCLES)

    async def age(self, palace: str, cycles: int) -> None:
        """Advance the palace's clock by some cycles."""
        await EvaluationStore(self._database).advance_clock(palace, cycles=cycles)
        self._snapshots.forget(palace)

    async def names(self, palace: str, questions: Sequence[CollectionQuestion]) -> dict[str, set[int]]:
        """Return the known names that each question has, by the id of the question."""
        index = await self._names.of(palace, await self._indexes.look(palace))
        return {question.id: question_names(question.text, index) for question in questions}

    async def learned(self, palace: str, questions: Sequence[CollectionQuestion]) -> list[LearnedRanking]:
        """Wait until all feedback is learned, and return the learned rankings for the wings of some questions.

        Searches do not always wait for learning. After this call, they use all of it. Each ranking is returned once.
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
        """Search for each question, and give feedback on the drawers of relevant documents among those shown.

        Questions are processed in blocks of ten: first all searches, with everything learned so far, then the
        feedback. An answer without a relevant document gets no feedback.

        Args:
            wrong: Probability that a feedback names one drawer that is not relevant instead of those that are.
            seed: Number of the division, which makes the ids of feedback unique.
            random: Random generator.
            after: Awaited after each feedback, with the number of feedbacks so far.

        Returns:
            The questions that got feedback.

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
                # A fixed id, because random ids would change the order of lessons from run to run.
                await self._feedback.give(
                    palace, run=run, useful=dict.fromkeys(named, 1.0), feedback_id=f"{seed} {asked.id}"
                )
                rewarded.append(asked)
                await after(len(rewarded))
        return rewarded

    async def _search(self, palace: str, asked: CollectionQuestion) -> tuple[str, list[str], list[str]]:
        """Search, and return the run, the relevant drawers among the ten shown, and the others."""
        answer = await self._recall.search(palace, question_of(asked, {}))
        check_complete(answer, asked)
        documents = {hit.id: document_of(hit.source.uri) for hit in answer.hits}
        shown = [drawer for drawer, document in documents.items() if document not in asked.exclude][:DEPTH]
        useful = [drawer for drawer in shown if documents[drawer] in asked.relevant]
        return answer.run, useful, [drawer for drawer in shown if drawer not in useful]
