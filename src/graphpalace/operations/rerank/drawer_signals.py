"""What drawers have learned, as a rerank counts it: narrative memory and pheromones, brought up to a moment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from jaxtyping import Bool

from graphpalace.domain.graph.pheromones import NOISE_FLOOR, DecayRates
from graphpalace.domain.learning.learned_columns import Column, LearnedDocuments, LearnedDrawers, MemoryColumns
from graphpalace.domain.moments import milliseconds
from graphpalace.domain.vectors import Vector
from graphpalace.pheromones.decay import decayed
from graphpalace.rerank.decay_strategy import DecayStrategy
from graphpalace.rerank.narrative import narrative_bonus
from graphpalace.store.connection.database import Database
from graphpalace.store.rerank import SignalStore

_MOST_EXPONENT = 600.0  # e to it is a number still


@dataclass(frozen=True, slots=True, eq=False)
class _Pheromone:
    """A pheromone of some drawers.

    Attributes:
        rate: Share lost in one cycle, 0 to 1.
        current: Cycle at which each had its value.
        laid: Cycle at which each was last laid, where that is known.
    """

    value: Column
    rate: float
    current: Column
    laid: Column
    known: Bool[np.ndarray, " drawers"]


@dataclass(frozen=True, slots=True)
class Signals:
    """Narrative and pheromone of a drawer, each 0 to 1."""

    narrative: float
    pheromone: float


class DrawerSignals:
    """Reads what drawers have learned. Reading changes nothing."""

    def __init__(
        self,
        database: Database,
        *,
        rates: DecayRates,
        cycle_seconds: float,
        recency_reset: float,
        narrative_floor: float,
        strategy: DecayStrategy | None = None,
    ) -> None:
        """Wire it.

        Args:
            recency_reset: What a deposit sets recency to; so recency tells when that was.
            narrative_floor: Least cosine of a question to a memory that counts, 0 to 1.
            strategy: How pheromones fade here; None: as everywhere in the palace, by the rates of its cycles.
        """
        self._store = SignalStore(database, cycle_seconds=cycle_seconds)
        self._rates = rates
        self._cycle_seconds = cycle_seconds
        self._recency_reset = recency_reset
        self._floor = narrative_floor
        self._strategy = strategy

    async def of(
        self, palace: str, ids: Sequence[str], question: Vector, *, at: datetime | None = None, frozen: bool = False
    ) -> dict[str, Signals]:
        """Return the signals of those of the drawers that are in the palace.

        Args:
            question: Length one.
            at: The moment that all is taken at; None: now. What was laid after it counts as it was laid.
            frozen: Take all as it was when it was last laid, whatever the time is. Of pheromones that is known while
                something of the recency of the way is left (about 66 cycles); then they count as they are stored.

        Raises:
            InvalidInput: If `at` lies outside the years 1 to 9999 of UTC.
        """
        if not ids:
            return {}
        at_ms = milliseconds("reference_time", at)
        learned = await self._store.of_drawers(palace, ids, dimension=len(question), at_ms=at_ms)
        if learned is None:
            return {}
        return self._signals(learned, self._use_of_drawers(learned, frozen=frozen), question, frozen=frozen)

    async def of_documents(
        self, palace: str, ids: Sequence[str], question: Vector, *, at: datetime | None = None, frozen: bool = False
    ) -> dict[str, Signals]:
        """Return the signals of those documents of callers' own that feedback was given on.

        No edge leads to such a document: its own use is its pheromone, at most 1.

        Args:
            ids: Of their nodes.
            question, at, frozen: As for drawers; when a document was laid on, its feedback tells.
        """
        if not ids:
            return {}
        at_ms = milliseconds("reference_time", at)
        learned = await self._store.of_documents(palace, ids, dimension=len(question), at_ms=at_ms)
        if learned is None:
            return {}
        laid = learned.laid_cycles
        use = _Pheromone(learned.exploitation, self._rates.exploitation, learned.node_cycles, laid, laid >= 0)
        return self._signals(
            learned, _at_most_one(self._at(use, learned.cycle, frozen=frozen)), question, frozen=frozen
        )

    def _signals(
        self, learned: LearnedDrawers | LearnedDocuments, pheromone: Column, question: Vector, *, frozen: bool
    ) -> dict[str, Signals]:
        narrative = self._narrative(learned.memories, len(learned.ids), learned.cycle, question, frozen=frozen)
        found = zip(learned.ids, narrative.tolist(), pheromone.tolist(), strict=True)
        return {one: Signals(remembered, laid) for one, remembered, laid in found}

    def _narrative(
        self, memories: MemoryColumns, drawers: int, cycle: int, question: Vector, *, frozen: bool
    ) -> Column:
        """Return what memories say; they fade as success does, and count as they are stored where time is frozen."""
        bonus = np.zeros(drawers)
        if len(memories.rows):
            strengths = memories.strengths
            if not frozen:
                strengths = strengths * (1.0 - self._rates.success) ** np.maximum(cycle - memories.cycles, 0)
            bonus[memories.rows] = narrative_bonus(question, memories.vectors, strengths, floor=self._floor)
        return bonus

    def _use_of_drawers(self, learned: LearnedDrawers, *, frozen: bool) -> Column:
        """Return the mean of exploitation and success, each at most 1."""
        node, edge, recency = learned.node_cycles, learned.edge_cycles, learned.recency
        walked = np.full(len(node), -np.inf)  # a drawer was last laid on when an edge at it was last walked
        for at, uses in enumerate(learned.uses):
            if uses:
                recencies, cycles = np.array(uses, np.float64).T
                walked[at] = (cycles - self._unused(recencies)).max()
        rates, used = self._rates, edge - self._unused(recency)
        exploitation = _Pheromone(learned.exploitation, rates.exploitation, node, walked, np.isfinite(walked))
        success = _Pheromone(learned.success, rates.success, edge, used, recency >= NOISE_FLOOR)
        both = [_at_most_one(self._at(one, learned.cycle, frozen=frozen)) for one in (exploitation, success)]
        return (both[0] + both[1]) / 2

    def _at(self, pheromone: _Pheromone, cycle: int, *, frozen: bool) -> Column:
        """Return a pheromone at a cycle, or as it was laid.

        What the decay service took in between is given back first, so that it does not show when it was at it.
        """
        value, rate, known = pheromone.value, pheromone.rate, pheromone.known
        current, laid = pheromone.current, pheromone.laid
        as_laid = np.where(known, _moved(value, rate, np.where(known, laid - current, 0.0)), value)
        if frozen:
            return as_laid
        if self._strategy is None:
            return _moved(value, rate, np.where(known, np.maximum(cycle, laid), cycle) - current)
        # What nobody can date was laid so long ago at least that its recency has faded since.
        since = cycle - np.where(known, laid, current - self._unused(np.zeros(len(value))))
        return as_laid * self._strategy.left(np.maximum(since, 0.0) * self._cycle_seconds)

    def _unused(self, recency: Column) -> Column:
        """Return for how many cycles an edge was not walked, by what is left of its recency."""
        rate, reset = self._rates.recency, self._recency_reset
        if not 0 < rate < 1 or reset <= NOISE_FLOOR:
            return np.zeros(len(recency))
        return np.rint(np.log(np.clip(recency / reset, NOISE_FLOOR / reset, 1.0)) / math.log1p(-rate))


def _at_most_one(value: Column) -> Column:
    return np.clip(value, 0.0, 1.0)


def _moved(value: Column, rate: float, cycles: Column) -> Column:
    """Return what a value is some cycles later, or was some cycles before, as far as decay alone changes it."""
    if rate >= 1:
        return decayed(value, rate=rate, cycles=cycles.astype(np.int64))  # nobody knows what it was
    left = value * np.exp(np.minimum(cycles * math.log1p(-rate), _MOST_EXPONENT))
    return np.where(left < NOISE_FLOOR, 0.0, left)
