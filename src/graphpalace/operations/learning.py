"""What each wing of a palace has learned, in step with the feedback in the database."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from graphpalace.domain.lesson import Candidates, Lesson
from graphpalace.domain.vectors import from_bytes
from graphpalace.errors import NotFound
from graphpalace.learn.learned import Learned, LearnOptions, learn
from graphpalace.learn.replay import Pooling
from graphpalace.operations.drawer_indexes import DrawerIndexes
from graphpalace.store.database import Database, Row

FORGOTTEN = 0.01  # a lesson that is weaker teaches nothing
_QUICK_S = 0.25  # what takes longer is not done for every single feedback
_PAUSES = 4  # so many times as long as it took


@dataclass(slots=True)
class _Fit:
    learned: Learned
    state: tuple[int, int]
    cycle: int
    ended: float
    took: float


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The lessons that a wing learns from, and the wing if they are its own."""

    wing: str | None
    lessons: Sequence[Lesson]


@dataclass(slots=True)
class _Known:
    born: str = ""
    learned: int = 0
    forgot: int = 0
    lessons: dict[str, Lesson] = field(default_factory=dict)
    chosen: dict[str | None, _Chosen] = field(default_factory=dict)  # of these lessons, by the wing that was asked for
    fits: dict[str | None, _Fit] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Learning:
    """Learns from feedback when a search needs it, and remembers what it learned until there is more."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        *,
        dimension: int,
        cycle_seconds: float,
        rate: float,
        most_lessons: int,
        pooling: Pooling,
        options: LearnOptions,
    ) -> None:
        """Wire it.

        Args:
            rate: Share of a lesson that is lost in a cycle, 0 to 1.
            most_lessons: Of a palace; older ones teach nothing any more.
            pooling: How the search makes one score of its lanes.
        """
        self._database = database
        self._indexes = indexes
        self._dimension = dimension
        self._cycle_seconds = cycle_seconds
        self._rate = rate
        self._most = most_lessons
        self._pooling = pooling
        self._options = options
        self._palaces: dict[str, _Known] = {}

    @property
    def options(self) -> LearnOptions:
        """How it learns."""
        return self._options

    def forget(self, palace: str) -> None:
        """Free the memory of a palace."""
        self._palaces.pop(palace, None)

    def faded_before(self, cycle: int) -> int:
        """Return the first cycle whose lessons still teach at a cycle."""
        if self._rate <= 0:
            return 0
        return cycle if self._rate >= 1 else cycle - int(math.log(FORGOTTEN) / math.log1p(-self._rate))

    async def of(
        self, palace: str, wing: str | None = None, *, patient: bool = False, state: Row | None = None
    ) -> Learned | None:
        """Return what is learned for a wing, or for the whole palace; None if there is no feedback.

        A wing with too few lessons of its own uses those of the whole palace.

        Args:
            wing: Its id.
            patient: Wait for all that was learned; otherwise, where learning takes long, what was learned a moment ago
                is used until there is time to learn anew.
            state: Where the palace stands (`DrawerIndexes.state`), if the caller has just looked.

        Raises:
            NotFound: If the palace is not there.
        """
        state = await self._state(palace) if state is None else self._as_of(state)
        known = self._palaces.setdefault(palace, _Known())
        if state["born"] == known.born and not known.lessons and state["learned"] == known.learned:
            return None
        async with known.lock:
            await self._follow(palace, known, state)
            chosen = self._chosen(known, wing)
            if not chosen.lessons:
                return None
            fit = known.fits.get(chosen.wing)
            if fit is None or self._is_old(fit, known, state["cycle"], patient=patient):
                fit = known.fits[chosen.wing] = await self._fit(palace, known, chosen.lessons, state["cycle"])
        return fit.learned

    async def _state(self, palace: str) -> Row:
        rows = await self._database.read("learning/read_state", palace=palace, cycle_seconds=self._cycle_seconds)
        if not rows:
            self.forget(palace)
            raise NotFound(f"there is no palace {palace!r}", palace=palace)
        return rows[0]

    def _as_of(self, state: Row) -> Row:
        """Return a state with the cycle that the palace's clock shows, as `learning/read_state` does."""
        return state | {"cycle": state["cycle"] + int(state["since_ms"] / (1000.0 * self._cycle_seconds))}

    def _chosen(self, known: _Known, wing: str | None) -> _Chosen:
        if wing not in known.chosen:
            own = [lesson for lesson in known.lessons.values() if wing is None or wing in lesson.wings]
            askings = {lesson.asking for lesson in own if lesson.useful}
            little = wing is not None and len(askings) < self._options.least_lessons
            known.chosen[wing] = self._chosen(known, None) if little else _Chosen(wing, own)
        return known.chosen[wing]

    def _is_old(self, fit: _Fit, known: _Known, cycle: int, *, patient: bool) -> bool:
        faded = (1.0 - self._rate) ** max(cycle - fit.cycle, 0) < 0.95
        if fit.state == (known.learned, known.forgot) and not faded:
            return False
        return patient or fit.took < _QUICK_S or time.monotonic() - fit.ended > _PAUSES * fit.took

    async def _follow(self, palace: str, known: _Known, state: Row) -> None:
        if (state["born"], state["forgot"]) != (known.born, known.forgot):
            known.born, known.forgot, known.learned = state["born"], state["forgot"], 0
            known.lessons.clear()
            known.chosen.clear()
            known.fits.clear()
        if state["learned"] != known.learned:
            rows = await self._database.read(
                "learning/load_lessons",
                palace=palace,
                seen=known.learned,
                since_cycle=self.faded_before(state["cycle"]),
                most=self._most,
            )
            for row in reversed(rows):
                known.lessons[row["lesson"]["id"]] = self._lesson(row)
            while len(known.lessons) > self._most:
                known.lessons.pop(next(iter(known.lessons)))
            known.chosen.clear()
            known.learned = state["learned"]

    async def _fit(self, palace: str, known: _Known, lessons: Sequence[Lesson], cycle: int) -> _Fit:
        start = time.monotonic()
        strong = [
            replace(lesson, strength=left)
            for lesson in lessons
            if (left := (1.0 - self._rate) ** max(cycle - lesson.cycle, 0)) >= FORGOTTEN
        ]
        names = dict.fromkeys(
            drawer for lesson in strong for drawer in (*lesson.candidates.ids, *lesson.useful, *lesson.useless)
        )
        if self._indexes.revision(palace) is None:
            await self._indexes.warm(palace)
        found = await self._indexes.vectors(palace, list(names))
        vectors = dict(zip(found.ids, found.vectors, strict=True))

        learned = await asyncio.to_thread(
            learn, strong, vectors, dimension=self._dimension, pooling=self._pooling, options=self._options
        )
        ended = time.monotonic()
        return _Fit(learned, (known.learned, known.forgot), cycle, ended, ended - start)

    def _lesson(self, row: Row) -> Lesson:
        stored = row["lesson"]
        return Lesson(
            stored["id"],
            stored["asking"],
            stored["query"],
            from_bytes([stored["question"]], dimension=self._dimension)[0],
            dict(row["useful"]),
            dict(row["useless"]),
            Candidates(tuple(stored["candidates"]), np.frombuffer(stored["evidence"], "<f4"), stored["shown"]),
            tuple(stored["wings"]),
            stored["cycle"],
        )
