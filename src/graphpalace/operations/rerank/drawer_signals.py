"""Compute the learned signals of a rerank at a given time: narrative memory and pheromones of its candidates."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

import numpy as np
from jaxtyping import Bool

from graphpalace.domain.learning.feedback import Column, LearnedDocuments, LearnedDrawers, MemoryColumns
from graphpalace.domain.moments import milliseconds
from graphpalace.domain.pheromones.pheromones import NOISE_FLOOR, DecayRates
from graphpalace.domain.vectors import Vector
from graphpalace.pheromones.strength import decayed
from graphpalace.rerank.signals import DecayStrategy, narrative_bonus
from graphpalace.store.connection.database import Database
from graphpalace.store.learning.memories import SignalStore

_Learned = TypeVar("_Learned", LearnedDrawers, LearnedDocuments)
_MOST_EXPONENT = 600.0  # e to a larger power may overflow


@dataclass(frozen=True, slots=True, eq=False)
class _Pheromone:
    """One pheromone of several drawers.

    Attributes:
        rate: Share lost in one cycle, 0 to 1.
        current: Cycle at which each drawer had its value.
        laid: Cycle of the last deposit, where it is known.
        known: Whether the cycle of the last deposit is known.
    """

    value: Column
    rate: float
    current: Column
    laid: Column
    known: Bool[np.ndarray, " drawers"]


@dataclass(frozen=True, slots=True)
class Signals:
    """The learned signals of a drawer: narrative memory and pheromone, each 0 to 1."""

    narrative: float
    pheromone: float


class DrawerSignals:
    """Reads the learned signals of drawers and of callers' own documents. Reading changes nothing."""

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
        """Set up the reader.

        Args:
            cycle_seconds: Seconds of one cycle of the clock.
            recency_reset: Value that a deposit sets recency to. The recency that is left tells when that was.
            narrative_floor: Least cosine between a question and a memory for the memory to count, 0 to 1.
            strategy: How pheromones fade in a rerank; None: as in the rest of the palace, at its decay rates.
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
        """Return the signals of drawers, by id. Drawers that are not in the palace are left out.

        Args:
            question: Embedding of the question, of length one.
            at: Time at which the signals are computed; None: now. Later deposits count with their full value.
            frozen: Use each value as it was at its last deposit, whatever the time. For pheromones, the time of the
                last deposit is known only while some recency of the path is left (about 66 cycles). After that, the
                stored value is used.

        Raises:
            InvalidInput: If `at` lies outside the years 1 to 9999 of UTC.
        """
        if not ids:
            return {}
        at_ms = milliseconds("reference_time", at)
        learned = await self._store.of_drawers(palace, ids, dimension=len(question), at_ms=at_ms)
        return self._signals(learned, partial(self._use_of_drawers, frozen=frozen), question, frozen=frozen)

    async def of_documents(
        self, palace: str, ids: Sequence[str], question: Vector, *, at: datetime | None = None, frozen: bool = False
    ) -> dict[str, Signals]:
        """Return the signals of callers' own documents, by node id. Documents without feedback are left out.

        No edge leads to such a document, so its pheromone is its own exploitation, at most 1.

        Args:
            ids: Ids of the documents' nodes.
            question, at, frozen: As in `of`. The time of the last deposit is that of the document's feedback.
        """
        if not ids:
            return {}
        at_ms = milliseconds("reference_time", at)
        learned = await self._store.of_documents(palace, ids, dimension=len(question), at_ms=at_ms)
        return self._signals(learned, partial(self._use_of_documents, frozen=frozen), question, frozen=frozen)

    def _signals(
        self, learned: _Learned | None, use: Callable[[_Learned], Column], question: Vector, *, frozen: bool
    ) -> dict[str, Signals]:
        if learned is None:
            return {}
        pheromone = use(learned)
        narrative = self._narrative(learned.memories, len(learned.ids), learned.cycle, question, frozen=frozen)
        found = zip(learned.ids, narrative.tolist(), pheromone.tolist(), strict=True)
        return {one: Signals(remembered, laid) for one, remembered, laid in found}

    def _narrative(
        self, memories: MemoryColumns, drawers: int, cycle: int, question: Vector, *, frozen: bool
    ) -> Column:
        """Return the narrative signal. Memories fade at the rate of success, unless `frozen`."""
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
        walked = np.full(len(node), -np.inf)  # the last deposit on a drawer was when one of its edges was last walked
        for at, uses in enumerate(learned.uses):
            if uses:
                recencies, cycles = np.array(uses, np.float64).T
                walked[at] = (cycles - self._unused(recencies)).max()
        rates, used = self._rates, edge - self._unused(recency)
        exploitation = _Pheromone(learned.exploitation, rates.exploitation, node, walked, np.isfinite(walked))
        success = _Pheromone(learned.success, rates.success, edge, used, recency >= NOISE_FLOOR)
        both = [_at_most_one(self._at(one, learned.cycle, frozen=frozen)) for one in (exploitation, success)]
        return (both[0] + both[1]) / 2

    def _use_of_documents(self, learned: LearnedDocuments, *, frozen: bool) -> Column:
        """Return exploitation, at most 1."""
        laid = learned.laid_cycles
        use = _Pheromone(learned.exploitation, self._rates.exploitation, learned.node_cycles, laid, laid >= 0)
        return _at_most_one(self._at(use, learned.cycle, frozen=frozen))

    def _at(self, pheromone: _Pheromone, cycle: int, *, frozen: bool) -> Column:
        """Return a pheromone at a cycle, or as it was at its last deposit if `frozen`.

        The value at the last deposit is computed first, which undoes any decay that was applied since. The result
        therefore does not depend on when the decay service ran.
        """
        value, rate, known = pheromone.value, pheromone.rate, pheromone.known
        current, laid = pheromone.current, pheromone.laid
        as_laid = np.where(known, _moved(value, rate, np.where(known, laid - current, 0.0)), value)
        if frozen:
            return as_laid
        if self._strategy is None:
            return _moved(value, rate, np.where(known, np.maximum(cycle, laid), cycle) - current)
        # Where the last deposit is unknown, it was so long ago that the recency has faded since.
        since = cycle - np.where(known, laid, current - self._unused(np.zeros(len(value))))
        return as_laid * self._strategy.left(np.maximum(since, 0.0) * self._cycle_seconds)

    def _unused(self, recency: Column) -> Column:
        """Return for how many cycles an edge was not walked, computed from the recency that is left."""
        rate, reset = self._rates.recency, self._recency_reset
        if not 0 < rate < 1 or reset <= NOISE_FLOOR:
            return np.zeros(len(recency))
        return np.rint(np.log(np.clip(recency / reset, NOISE_FLOOR / reset, 1.0)) / math.log1p(-rate))


def _at_most_one(value: Column) -> Column:
    return np.clip(value, 0.0, 1.0)


def _moved(value: Column, rate: float, cycles: Column) -> Column:
    """Return a value after some cycles of decay, or before them if `cycles` is negative."""
    if rate >= 1:
        return decayed(value, rate=rate, cycles=cycles.astype(np.int64))  # earlier values cannot be recovered
    left = value * np.exp(np.minimum(cycles * math.log1p(-rate), _MOST_EXPONENT))
    return np.where(left < NOISE_FLOOR, 0.0, left)
