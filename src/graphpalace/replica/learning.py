"""Keep what each wing of a palace has learned in memory, up to date with the feedback in the database."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace

from graphpalace.domain.deadline import to_the_end
from graphpalace.domain.learning.feedback import LearningState, Lesson
from graphpalace.domain.palaces.palaces import PalaceVersion
from graphpalace.domain.search.evidence import Pooling
from graphpalace.domain.search.pseudo_feedback import Rocchio
from graphpalace.embedding.measured_models import scale_of
from graphpalace.errors import NotFound
from graphpalace.learn.learned import LearnedRanking, learn
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.settings.sections.learning import LearningSettings
from graphpalace.store.connection.database import Database
from graphpalace.store.learning.feedback import LessonStore

FORGOTTEN = 0.01  # a lesson with less strength than this has no effect
_QUICK_S = 0.25  # if learning takes longer, it is not repeated for each feedback
_PAUSES = 4  # it then pauses for this many times its own duration


@dataclass(slots=True)
class _Fit:
    learned: LearnedRanking
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
    chosen: dict[str | None, _Chosen] = field(default_factory=dict)  # by the requested wing
    fits: dict[str | None, _Fit] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Learning:
    """Learns from the feedback of a palace when a search needs it, and caches the result until it is outdated."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        *,
        cycle_seconds: float,
        rate: float,
        pooling: Pooling,
        rocchio: Rocchio,
        settings: LearningSettings,
    ) -> None:
        """Set up learning.

        Args:
            cycle_seconds: Seconds of one cycle of the clock.
            rate: Share of a lesson's strength that is lost in one cycle, 0 to 1.
            pooling, rocchio: How the search scores.
        """
        self._lessons = LessonStore(database, cycle_seconds=cycle_seconds)
        self._indexes = indexes
        self._cycle_seconds = cycle_seconds
        self._rate = rate
        self._pooling = pooling
        self._rocchio = rocchio
        self._settings = settings
        self._palaces: dict[str, _Known] = {}

    @property
    def settings(self) -> LearningSettings:
        """The settings of learning."""
        return self._settings

    def forget(self, palace: str) -> None:
        """Free what is in memory of a palace."""
        self._palaces.pop(palace, None)

    def forget_drawers(self, palace: str, drawers: Set[str]) -> None:
        """Free what is in memory of a palace if a lesson names one of some drawers."""
        known = self._palaces.get(palace)
        if known is not None and any(
            not drawers.isdisjoint((*lesson.candidates.ids, *lesson.useful, *lesson.useless))
            for lesson in known.lessons.values()
        ):
            self.forget(palace)

    def faded_before(self, cycle: int) -> int:
        """Return the first cycle whose lessons still have an effect at the given cycle."""
        if self._rate <= 0:
            return 0
        return cycle if self._rate >= 1 else cycle - int(math.log(FORGOTTEN) / math.log1p(-self._rate))

    async def of(
        self, palace: str, wing: str | None = None, *, patient: bool = False, state: PalaceVersion | None = None
    ) -> LearnedRanking | None:
        """Return what was learned for a wing, or for the whole palace; None if there is no feedback.

        A wing with too few lessons of its own uses those of the whole palace.

        Args:
            wing: Id of the wing.
            patient: Whether to include all feedback. Otherwise, if learning takes long, a slightly older result may be
                returned.
            state: Current state of the palace (`DrawerIndexes.state`), if the caller has just read it.

        Raises:
            NotFound: If the palace does not exist.
        """
        now = await self._state(palace) if state is None else self._as_of(state)
        known = self._palaces.setdefault(palace, _Known())
        if now.born == known.born and not known.lessons and now.learned == known.learned:
            return None
        return await to_the_end(lambda: self._up_to_date(palace, wing, known, now, patient=patient))

    async def _up_to_date(
        self, palace: str, wing: str | None, known: _Known, now: LearningState, *, patient: bool
    ) -> LearnedRanking | None:
        async with known.lock:
            await self._follow(palace, known, now)
            chosen = self._chosen(known, wing)
            if not chosen.lessons:
                return None
            fit = known.fits.get(chosen.wing)
            if fit is None or self._is_old(fit, known, now.cycle, patient=patient):
                fit = known.fits[chosen.wing] = await self._fit(palace, known, chosen.lessons, now.cycle)
        return fit.learned

    async def _state(self, palace: str) -> LearningState:
        state = await self._lessons.state(palace)
        if state is None:
            self.forget(palace)
            raise NotFound(f"there is no palace {palace!r}", palace=palace)
        return state

    def _as_of(self, state: PalaceVersion) -> LearningState:
        """Return the learning state, with the current cycle of the palace's clock."""
        passed = int(state.since_ms / (1000.0 * self._cycle_seconds))
        return LearningState(state.born, state.learned, state.forgot, state.cycle + passed)

    def _chosen(self, known: _Known, wing: str | None) -> _Chosen:
        if wing not in known.chosen:
            own = [lesson for lesson in known.lessons.values() if wing is None or wing in lesson.wings]
            askings = {lesson.asking for lesson in own if lesson.useful}
            little = wing is not None and len(askings) < self._settings.least_lessons
            known.chosen[wing] = self._chosen(known, None) if little else _Chosen(wing, own)
        return known.chosen[wing]

    def _is_old(self, fit: _Fit, known: _Known, cycle: int, *, patient: bool) -> bool:
        faded = (1.0 - self._rate) ** max(cycle - fit.cycle, 0) < 0.95
        if fit.state == (known.learned, known.forgot) and not faded:
            return False
        return patient or fit.took < _QUICK_S or time.monotonic() - fit.ended > _PAUSES * fit.took

    async def _follow(self, palace: str, known: _Known, state: LearningState) -> None:
        if (state.born, state.forgot) != (known.born, known.forgot):
            known.born, known.forgot, known.learned = state.born, state.forgot, 0
            known.lessons.clear()
            known.chosen.clear()
            known.fits.clear()
        if state.learned != known.learned:
            since_cycle, most = self.faded_before(state.cycle), self._settings.most_lessons
            newest_first = await self._lessons.since(palace, known.learned, since_cycle=since_cycle, most=most)
            for lesson in reversed(newest_first):
                known.lessons[lesson.id] = lesson
            while len(known.lessons) > most:
                known.lessons.pop(next(iter(known.lessons)))
            known.chosen.clear()
            known.learned = state.learned

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
        dimension = self._indexes.dimension(palace)
        strong = [lesson for lesson in strong if len(lesson.question) == dimension]
        learned = await asyncio.to_thread(
            learn,
            strong,
            vectors,
            dimension=dimension,
            pooling=replace(self._pooling, cosines=scale_of(self._indexes.model(palace))),
            rocchio=self._rocchio,
            settings=self._settings,
        )
        ended = time.monotonic()
        return _Fit(learned, (known.learned, known.forgot), cycle, ended, ended - start)
