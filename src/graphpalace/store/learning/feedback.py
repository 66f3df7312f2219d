"""Store feedback as (:Feedback) nodes that are linked to what they judge, and read what a palace can learn from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from graphpalace.domain.learning.feedback import (
    FeedbackStart,
    GivenFeedback,
    JudgedDocument,
    JudgedDrawer,
    JudgedIds,
    LearningState,
    Lesson,
    NarrativeMemory,
)
from graphpalace.domain.learning.feedback_requests import (
    AnsweredBy,
    FeedbackReceipt,
    ListedDocument,
    ListedFeedback,
    RewardedDrawer,
)
from graphpalace.domain.pheromones.pheromones import NOISE_FLOOR
from graphpalace.domain.vectors import from_bytes, to_bytes
from graphpalace.store.connection.database import Database, Row, Transaction, palace_row
from graphpalace.store.learning.searches import candidates_of, properties_of


class FeedbackStore:
    """Stores, lists and deletes feedback.

    Args:
        cycle_seconds: Seconds of one cycle of the clock.
    """

    def __init__(self, database: Database, *, cycle_seconds: float) -> None:
        self._database = database
        self._cycle_seconds = cycle_seconds

    async def begin(
        self,
        palace: str,
        tx: Transaction,
        feedback_id: str,
        *,
        neighbours: Sequence[str],
        same_within_s: int,
        drawers: Sequence[str],
    ) -> FeedbackStart | None:
        """Lock a palace's learning for one writer, and return what storing a feedback needs.

        Args:
            neighbours: Other ids that the same feedback may have, if it was given in the last `same_within_s` seconds.
            drawers: Ids of the judged drawers.

        Returns:
            None if the palace does not exist.
        """
        rows = await tx.run(
            "learning/begin_feedback",
            palace=palace,
            id=feedback_id,
            neighbours=list(neighbours),
            same_within_s=same_within_s,
            drawers=list(drawers),
            cycle_seconds=self._cycle_seconds,
        )
        if not rows:
            return None
        row = rows[0]
        places = {place["id"]: _judged_drawer(place) for place in row["drawers"]}
        return FeedbackStart(row["cycle"], row["learned"], row["same"], places)

    async def keep(self, palace: str, tx: Transaction, given: GivenFeedback) -> None:
        """Store a feedback and the new memories of its drawers, and link their wings to the lanes that answered."""
        lesson = given.lesson
        await tx.send(
            "learning/give_feedback",
            palace=palace,
            id=lesson.id,
            properties={
                "asking": lesson.asking,
                "query": lesson.query,
                "question": to_bytes(lesson.question),
                "wings": list(lesson.wings),
                "source": given.source,
                "deposit": given.deposit,
            }
            | properties_of(lesson.candidates),
            useful=_rewards(lesson.useful),
            useless=_rewards(lesson.useless),
            narratives=[
                {"drawer": drawer, "vector": to_bytes(memory.vector), "strength": memory.strength}
                for drawer, memory in sorted(given.memories.items())
            ],
            answered=[{"wing": one.wing, "id": one.lane_id, "lane": one.lane} for one in given.lanes],
            cycle=lesson.cycle,
        )

    async def judge_documents(
        self, palace: str, tx: Transaction, feedback_id: str, judged: Sequence[JudgedDocument]
    ) -> None:
        """Link a feedback to documents of the caller's own, which are created with their first feedback."""
        rows = [asdict(one) for one in judged]
        await tx.run("learning/give_to_documents", palace=palace, feedback=feedback_id, documents=rows)

    async def forget_faded(self, palace: str, tx: Transaction, *, before: int, most: int) -> JudgedIds:
        """Delete up to `most` feedbacks that were given before a cycle; return what they judged."""
        (row,) = await tx.run("learning/forget_faded", palace=palace, before=before, most=most)
        return JudgedIds(row["drawers"], row["documents"])

    async def take_back(self, palace: str, tx: Transaction, feedback_id: str) -> tuple[str, JudgedIds] | None:
        """Delete a feedback; return the id of its deposit, and the useful drawers and judged documents.

        Returns:
            None if the feedback does not exist.
        """
        rows = await tx.run("learning/take_back", palace=palace, id=feedback_id)
        return (rows[0]["deposit"], JudgedIds(rows[0]["drawers"], rows[0]["documents"])) if rows else None

    async def forget_all(self, palace: str, tx: Transaction, *, wing_id: str | None) -> tuple[int, JudgedIds] | None:
        """Delete all feedback of a palace or of a wing, with its effects on drawers and lanes.

        Returns:
            The number of deleted feedbacks, with the drawers that other feedback still calls useful and the documents
            that were judged; None if the palace does not exist.
        """
        rows = await tx.run("learning/reset", palace=palace, wing=wing_id)
        return (rows[0]["forgotten"], JudgedIds(rows[0]["still_useful"], rows[0]["documents"])) if rows else None

    async def receipt(self, palace: str, feedback_id: str) -> FeedbackReceipt | None:
        """Return the receipt of a feedback that was given before; None if it is not stored."""
        rows = await self._database.read(palace, "learning/find_feedback", palace=palace, id=feedback_id)
        return FeedbackReceipt(feedback_id, False, rows[0]["useful"], rows[0]["useless"]) if rows else None

    async def newest(self, palace: str, *, wing_id: str | None, most: int) -> list[ListedFeedback]:
        """Return the feedback of a palace or of a wing, newest first."""
        rows = await self._database.read(palace, "learning/list_feedback", wing=wing_id, most=most)
        return [_listed(row["feedback"]) for row in rows]


def _rewards(rewards: Mapping[str, float]) -> list[Row]:
    return [{"drawer": drawer, "reward": reward} for drawer, reward in sorted(rewards.items())]


def _judged_drawer(row: Row) -> JudgedDrawer:
    stored, memory = row["narrative_vector"], None
    if stored is not None:
        vector = from_bytes([stored], dimension=len(stored) // 4)[0]
        memory = NarrativeMemory(vector, row["narrative_strength"] or 0.0, row["narrative_cycle"] or 0)
    return JudgedDrawer(row["id"], row["wing"], row["room"], row["closet"], memory)


def _listed(row: Row) -> ListedFeedback:
    judged = {
        "useful": [RewardedDrawer(**one) for one in row["useful"]],
        "useless": [RewardedDrawer(**one) for one in row["useless"]],
        "documents": [ListedDocument(**one) for one in row["documents"]],
    }
    return ListedFeedback(**row | judged)


class LessonStore:
    """Reads lessons and the state of learning.

    Args:
        cycle_seconds: Seconds of one cycle of the clock.
    """

    def __init__(self, database: Database, *, cycle_seconds: float) -> None:
        self._database = database
        self._cycle_seconds = cycle_seconds

    async def state(self, palace: str) -> LearningState | None:
        """Return the state of a palace's learning; None if the palace does not exist."""
        rows = await self._database.read(palace, "learning/read_state", cycle_seconds=self._cycle_seconds)
        row = palace_row(rows)
        return LearningState(**row) if row else None

    async def since(self, palace: str, learned: int, *, since_cycle: int, most: int) -> list[Lesson]:
        """Return the lessons that were given after a state of the learning, newest first.

        Args:
            learned: The state, as `LearningState.learned`.
            since_cycle: Lessons of earlier cycles are left out.
            most: Largest number of lessons.
        """
        rows = await self._database.read(
            palace, "learning/load_lessons", seen=learned, since_cycle=since_cycle, most=most
        )
        return [_lesson(row) for row in rows]

    async def lanes_of_wings(self, palace: str, cycle: int, *, wing_id: str | None, rate: float) -> list[AnsweredBy]:
        """Return the success of each lane in each wing, or in one wing, decayed to a cycle.

        Args:
            rate: Share of success that is lost in one cycle, 0 to 1.
        """
        rows = await self._database.read(
            palace, "learning/lanes_of_wings", wing=wing_id, cycle=cycle, rate=rate, floor=NOISE_FLOOR
        )
        return [AnsweredBy(**row) for row in rows]


def _lesson(row: Row) -> Lesson:
    stored = row["lesson"]
    question: bytes = stored["question"]
    return Lesson(
        stored["id"],
        stored["asking"],
        stored["query"],
        from_bytes([question], dimension=len(question) // 4)[0],
        dict(row["useful"]),
        dict(row["useless"]),
        candidates_of(stored),
        tuple(stored["wings"]),
        stored["cycle"],
    )
