"""Read what a palace can learn from: its lessons, and the lanes that answered each wing."""

from __future__ import annotations

from graphpalace.domain.graph.pheromones import NOISE_FLOOR
from graphpalace.domain.learning.learned_state import AnsweredBy
from graphpalace.domain.learning.lesson import LearningState, Lesson
from graphpalace.domain.vectors import from_bytes
from graphpalace.store.connection.database import Database, Row, palace_row
from graphpalace.store.learning.candidates import candidates_of


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
