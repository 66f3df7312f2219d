"""Measures the effect of feedback, given as users do: the same questions with and without learning."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graphpalace.entities.name_index import question_names
from graphpalace.errors import InvalidInput
from graphpalace.evaluation.asking import (
    DEPTH,
    LEARNED,
    UNLEARNED,
    WHOLE,
    AskedQuestion,
    Progress,
    ask_all,
    check_complete,
    document_of,
    question_of,
)
from graphpalace.evaluation.collection import CollectionQuestion
from graphpalace.evaluation.learning_plan import LearningPlan, halves, shortened
from graphpalace.evaluation.measure import SEED
from graphpalace.learn.learned import LearnedRanking, ReplayTrial
from graphpalace.operations.learning.feedback import Feedback
from graphpalace.operations.search.recall import Recall
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.known_names import KnownNames
from graphpalace.replica.learning import Learning
from graphpalace.replica.places import filter_of
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


POINTS = (5, 10, 20, 50, 100, 200)  # numbers of feedbacks at which the curve is measured, besides none and all
Ranked = Mapping[str, AskedQuestion]
Rankings = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Round:
    """The answers for one random division of the questions into two halves.

    Attributes:
        measured: The measured questions, as they were asked.
        feedbacks: Number of feedbacks that were given.
        answers: Answers of each system by name.
        trials: The changes that learning tried by replay at the end.
        curve: Answers of the search with learning, by the number of feedbacks given before.
        met: Ids of the measured questions with a name that a question with feedback has.
    """

    measured: Sequence[CollectionQuestion]
    feedbacks: int
    answers: Mapping[str, Ranked]
    trials: Sequence[ReplayTrial]
    curve: Mapping[int, Ranked] = field(default_factory=dict)
    met: frozenset[str] = frozenset()


class LearningCurve:
    """Measures learning in the evaluation's temporary palace, in which the collection is stored."""

    def __init__(
        self,
        recall: Recall,
        teaching: Teaching,
        palace: str,
        plan: LearningPlan,
        *,
        left_out: Mapping[str, Mapping[str, Any]],
        progress: Progress,
    ) -> None:
        """Connect the parts.

        Args:
            left_out: Variants of the search with learning to measure as well, as from `learning_ablations`.
        """
        self._recall = recall
        self._teaching = teaching
        self._palace = palace
        self._plan = plan
        self._left_out = left_out
        self._progress = progress

    async def rounds(self, questions: Sequence[CollectionQuestion]) -> list[Round]:
        """Measure each division of the questions.

        Raises:
            DatabaseFailed: If a lane failed.
            InvalidInput: If there are fewer than two questions, or a division has no answer with a relevant document
                to learn from.
        """
        return [await self._round(seed, questions) for seed in range(self._plan.seeds)]

    async def _round(self, seed: int, questions: Sequence[CollectionQuestion]) -> Round:
        random = np.random.default_rng(seed)
        taught, rest = halves(questions, random)
        again = {question.id: shortened(question, random) for question in taught}
        measured = rest if self._plan.mode == "unseen" else list(again.values())
        await self._teaching.forget(self._palace)
        plain = await self._ask(seed, measured, WHOLE, UNLEARNED)
        curve: dict[int, Ranked] = {0: plain} if self._plan.curve else {}

        async def after(count: int) -> None:
            self._progress(f"{_name(seed)}feedback", count, len(taught))
            if self._plan.curve and count in POINTS:
                curve[count] = await self._ask(seed, measured, f"after {count}", {})

        rewarded = await self._teaching.teach(
            self._palace, taught, wrong=self._plan.wrong, seed=seed, random=random, after=after
        )
        if self._plan.mode == "repeated":
            measured = [again[question.id] for question in rewarded]
            plain = {question.id: plain[question.id] for question in measured}
        if not rewarded:
            raise InvalidInput(
                f"there is nothing to learn from: no answer to the first half of the questions (seed {seed}) has a"
                " relevant document",
                field="learn",
            )
        if self._plan.aged:
            await self._teaching.age(self._palace, self._plan.aged)
        answers = {WHOLE: plain, LEARNED: await self._ask(seed, measured, LEARNED, {}, timed=True)}
        for name, change in self._left_out.items():
            answers[name] = await self._ask(seed, measured, name, change)
        if self._plan.curve:
            curve[len(rewarded)] = answers[LEARNED]
        learned = await self._teaching.learned(self._palace, measured)
        trials = [trial for each in learned for trial in each.trials]
        return Round(measured, len(rewarded), answers, trials, curve, await self._met(measured, rewarded))

    async def _met(
        self, measured: Sequence[CollectionQuestion], rewarded: Sequence[CollectionQuestion]
    ) -> frozenset[str]:
        before = set[int]().union(*(await self._teaching.names(self._palace, rewarded)).values())
        names = await self._teaching.names(self._palace, measured)
        return frozenset(question for question, found in names.items() if found & before)

    async def _ask(
        self,
        seed: int,
        questions: Sequence[CollectionQuestion],
        name: str,
        change: Mapping[str, Any],
        *,
        timed: bool = False,
    ) -> Ranked:
        await self._teaching.learned(self._palace, questions)  # otherwise early answers would know less than late ones

        def progress(done: int, total: int) -> None:
            self._progress(f"{_name(seed)}asking {name}", done, total)

        return await ask_all(self._recall, self._palace, questions, change, timed=timed, progress=progress)


def _name(seed: int) -> str:
    return f"seed {seed}: "


async def crossed_rankings(
    recall: Recall,
    teaching: Teaching,
    palace: str,
    questions: Sequence[CollectionQuestion],
    *,
    depth: int,
    progress: Progress,
) -> dict[str, Rankings]:
    """Divide the questions into two halves; each gets feedback while the other is measured.

    Args:
        depth: Number of documents to find for each question, 1 to 200.

    Returns:
        For `search` and `search_learned`, the documents found for each question, best first.

    Raises:
        DatabaseFailed: If a lane failed.
        InvalidInput: If there are fewer than two questions.
    """
    found: dict[str, Rankings] = {WHOLE: {}, LEARNED: {}}

    async def answer(name: str, asked: Sequence[CollectionQuestion], change: Mapping[str, Any]) -> None:
        def told(done: int, total: int) -> None:
            progress(f"asking {name}", done, total)

        answers = await ask_all(recall, palace, asked, change, timed=False, progress=told, depth=depth)
        found[name] |= {question: each.documents for question, each in answers.items()}

    async def nothing(_feedbacks: int) -> None:
        """Do nothing after a feedback."""

    parts = halves(questions, np.random.default_rng(SEED))
    for half, (taught, measured) in enumerate((parts, parts[::-1])):
        await teaching.forget(palace)
        await answer(WHOLE, measured, UNLEARNED)
        await teaching.teach(palace, taught, wrong=0.0, seed=half, random=np.random.default_rng(half), after=nothing)
        await teaching.learned(palace, measured)  # otherwise early answers would know less than late ones
        await answer(LEARNED, measured, {})
    return found
