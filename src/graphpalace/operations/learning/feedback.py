"""Take feedback on answers: store it as a lesson, and deposit pheromones on the paths to the judged drawers."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.domain.access.caller import current_caller
from graphpalace.domain.learning.feedback import FeedbackStart, GivenFeedback, Lesson, LoggedSearch, NarrativeMemory
from graphpalace.domain.learning.feedback_requests import FeedbackReceipt, ListedFeedback
from graphpalace.domain.pheromones.deposits import EdgeGain
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.vectors import Vector
from graphpalace.domain.walking.graph_snapshot import EdgeRef
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.learn.questions import remembering
from graphpalace.operations.history import SearchLog
from graphpalace.operations.learning.judged_answers import JudgedAnswers
from graphpalace.operations.learning.judgement import (
    SAME_WITHIN_S,
    FeedbackIdentity,
    Judgement,
    Rewards,
    check_named,
    checked_rewards,
    identity_of,
    judgement_of,
    lanes_answering,
    rewarded_trails,
)
from graphpalace.operations.learning.memories import Memories
from graphpalace.operations.pheromones.deposit import Deposits
from graphpalace.pheromones.deposit import Gains
from graphpalace.replica.learning import Learning
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.learning.feedback import FeedbackStore
from graphpalace.store.palaces.palaces import PalaceStore

_BETWEEN_FORGETTING = 25  # after this many feedbacks, up to twice as many faded ones are deleted


class Feedback:
    """Stores, lists and undoes feedback. Each change is one transaction."""

    def __init__(
        self,
        database: Database,
        searches: SearchLog,
        answers: JudgedAnswers,
        learning: Learning,
        deposits: Deposits,
        *,
        rate: float,
        cycle_seconds: float,
        opened_reward: float,
    ) -> None:
        """Set up feedback.

        Args:
            rate: Share of the success pheromone that is lost in one cycle, 0 to 1.
            cycle_seconds: Seconds of one cycle of the clock.
            opened_reward: Reward of a drawer that a user opens from an answer, above 0 to 1; 0: opening has no effect.
        """
        self._database = database
        self._palaces = PalaceStore(database)
        self._searches = searches
        self._answers = answers
        self._learning = learning
        self._deposits = deposits
        self._rate = rate
        self._store = FeedbackStore(database, cycle_seconds=cycle_seconds)
        self._memories = Memories(self._store, rate=rate)
        self._opened_reward = opened_reward

    async def give(
        self,
        palace: str,
        *,
        run: str | None = None,
        question: SearchRequest | None = None,
        namespace: str | None = None,
        useful: Rewards | None = None,
        useless: Rewards | None = None,
        feedback_id: str | None = None,
        source: str = "given",
    ) -> FeedbackReceipt:
        """Store which results of an answer were useful and which were not.

        The feedback has three effects:

        - It becomes a lesson for the wings of the judged drawers.
        - It deposits pheromones on the paths to useful drawers, and takes half as much from useless ones
          (`pheromones.credit`).
        - Useful drawers, and judged documents of the caller's own, remember the question. A rerank reads that memory.

        Giving the same feedback again changes nothing.

        Args:
            run: Id of the judged answer, which came from a search, a lane, a fusion or a rerank.
            question: Instead of a run, for example of one that has expired; the question is searched again.
            namespace: Only with a question. The judged documents are then the caller's own, with ids in this namespace.
            useful, useless: Rewards, above 0 to 1, by drawer id, or by another name that the run has for a result: a
                publication number, or the id of a document of the caller's own.
            feedback_id: Key chosen by the caller; feedback with the same key is stored once. None: see `identity_of`.
            source: How the feedback was given, `given` or `opened`.

        Raises:
            InvalidInput: If a reward is out of range, a drawer is both useful and useless, or nothing is judged.
            NotFound: If the run has expired, a judged result is not in its answer, or a drawer is not in the palace.
                Nothing is stored then.
        """
        rewards = checked_rewards(useful or {}, "useful"), checked_rewards(useless or {}, "useless")
        check_named(run, question, *rewards)
        name = identity_of(
            palace,
            key=feedback_id,
            caller=current_caller().key,
            run=run,
            question=question,
            namespace=namespace,
            useful=rewards[0],
            useless=rewards[1],
        )
        named = {*rewards[0], *rewards[1]}
        if namespace is not None and question is None:
            raise InvalidInput(
                "namespace can be given only with query; a run has its own", field="namespace", value=namespace
            )
        try:
            if question is None:
                search = await self._answers.of_run(palace, run or "", named)
            elif namespace is None:
                search = await self._answers.of_question(palace, question)
            else:
                search = await self._answers.of_documents(palace, question, namespace=namespace, named=named)
        except NotFound:
            # A service that dies between storing a feedback and its answer may not have written the search down yet.
            if (receipt := await self._store.receipt(palace, name.id)) is None:
                raise
            return receipt
        judgement = judgement_of(palace, search, *rewards)
        return await self._keep(palace, name, search, judgement, source=source)

    async def opened(self, palace: str, *, run: str, drawer: str) -> FeedbackReceipt | None:
        """Record that a user opened a drawer from an answer, a weak sign that it was useful.

        Returns None, and stores nothing, if the drawer was not in the answer, if the run has no question, or if
        `opened_reward` is 0.
        """
        if not self._opened_reward:
            return None
        if drawer not in await self._answers.shown(palace, run) or not await self._answers.teaches(palace, run):
            return None
        return await self.give(
            palace,
            run=run,
            useful={drawer: self._opened_reward},
            feedback_id=f"opened {run} {drawer}",
            source="opened",
        )

    async def shown(self, palace: str, run: str) -> Sequence[str]:
        """Return the results that a run showed, best first, by the names that feedback can use.

        Raises:
            NotFound: If the run does not exist, or has expired.
        """
        return await self._answers.shown(palace, run)

    async def listed(self, palace: str, *, wing: str | None = None, limit: int = 50) -> list[ListedFeedback]:
        """Return the feedback of a palace or of one wing, newest first.

        Args:
            wing: Id of the wing.
        """
        listed = await self._store.newest(palace, wing_id=wing, most=limit)
        if not listed:
            await self._palaces.get(palace)
        return listed

    async def take_back(self, palace: str, feedback_id: str) -> None:
        """Undo a feedback: lessons, memories and pheromones become as if it had never been given.

        Raises:
            NotFound: If there is no such feedback.
        """

        async def work(tx: Transaction) -> None:
            taken = await self._store.take_back(palace, tx, feedback_id)
            if taken is None:
                raise NotFound(f"there is no feedback {feedback_id!r} in palace {palace!r}", id=feedback_id)
            deposit, judged = taken
            await self._memories.renew_drawers(palace, tx, judged.drawers)
            await self._deposits.undo(palace, tx, deposit_id=deposit)
            await self._memories.renew_documents(palace, tx, judged.documents)

        await self._database.transaction(palace, work)

    async def reset(self, palace: str, *, wing: str | None = None) -> int:
        """Delete all feedback of a palace, or of a wing given by id; return how many were deleted.

        Pheromones on paths are left to fade.
        """

        async def work(tx: Transaction) -> int | None:
            found = await self._store.forget_all(palace, tx, wing_id=wing)
            if found is None:
                return None
            forgotten, judged = found
            await self._memories.renew_drawers(palace, tx, judged.drawers)
            await self._memories.renew_documents(palace, tx, judged.documents)
            return forgotten

        forgotten = await self._database.transaction(palace, work)
        if forgotten is None:
            await self._palaces.get(palace)
        return forgotten or 0

    async def _keep(
        self, palace: str, name: FeedbackIdentity, search: LoggedSearch, judgement: Judgement, *, source: str
    ) -> FeedbackReceipt:
        question = search.question
        if question is None:
            raise InvalidInput(
                "the search was only for codes; feedback needs words or an embedding", field="run", value=search.id
            )
        drawers = judgement.drawers

        async def work(tx: Transaction) -> FeedbackReceipt:
            start = await self._store.begin(
                palace, tx, name.id, neighbours=name.neighbours, same_within_s=SAME_WITHIN_S, drawers=drawers
            )
            if start is None:
                raise NotFound(f"there is no palace {palace!r}", palace=palace)
            if start.same:
                return FeedbackReceipt(start.same, False, *judgement.counts)
            if gone := [drawer for drawer in drawers if drawer not in start.drawers]:
                raise NotFound(
                    f"{', '.join(gone)}: not in palace {palace!r}; nothing was stored", palace=palace, drawers=gone
                )
            deposit = f"{name.id} {start.learned}"  # unique, so that feedback can be given again after a reset
            lanes = lanes_answering(palace, search, start.drawers, judgement.useful)
            memories = self._memories_after(question, start, judgement.useful)
            lesson = _lesson(name.id, search, question, start, judgement)
            await self._store.keep(palace, tx, GivenFeedback(lesson, source, deposit, memories, list(lanes)))
            await self._memories.judge_documents(palace, tx, name.id, judgement.documents)
            if start.learned % _BETWEEN_FORGETTING == 0:
                await self._forget_faded(palace, tx, start.cycle)
            ways = [
                rewarded_trails(search, start.drawers, rewards) for rewards in (judgement.useful, judgement.useless)
            ]
            gains = self._deposits.gains(*ways)
            answered = {EdgeRef("ANSWERED_BY", lane.wing, lane.lane_id): EdgeGain(gain) for lane, gain in lanes.items()}
            documents = {
                one.node: self._deposits.document_gain(one.reward, useful=one.useful) for one in judgement.documents
            }
            laid = Gains({**gains.edges, **answered}, {**gains.nodes, **documents})
            await self._deposits.lay_feedback(palace, tx, laid, deposit_id=deposit)
            return FeedbackReceipt(name.id, True, *judgement.counts)

        return await self._database.transaction(palace, work)

    async def _forget_faded(self, palace: str, tx: Transaction, cycle: int) -> None:
        """Delete some feedback that has faded, and update the memories of its drawers and documents."""
        before, most = self._learning.faded_before(cycle), 2 * _BETWEEN_FORGETTING
        judged = await self._store.forget_faded(palace, tx, before=before, most=most)
        await self._memories.renew_drawers(palace, tx, judged.drawers)
        await self._memories.renew_documents(palace, tx, judged.documents)

    def _memories_after(self, question: Vector, start: FeedbackStart, useful: Rewards) -> dict[str, NarrativeMemory]:
        return {
            drawer: remembering(
                start.drawers[drawer].memory, question, reward=reward, cycle=start.cycle, rate=self._rate
            )
            for drawer, reward in useful.items()
        }


def _lesson(
    feedback_id: str, search: LoggedSearch, question: Vector, start: FeedbackStart, judgement: Judgement
) -> Lesson:
    return Lesson(
        feedback_id,
        search.id,
        search.query,
        question,
        judgement.useful,
        judgement.useless,
        search.candidates,
        tuple(sorted({place.wing for place in start.drawers.values()})),
        start.cycle,
    )
