"""What drawers have learned, as a rerank counts it: narrative memory and pheromones, brought up to a moment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.moments import milliseconds
from graphpalace.domain.pheromones import NOISE_FLOOR, DecayRates
from graphpalace.domain.vectors import Vector, from_bytes
from graphpalace.pheromones.decay import decayed
from graphpalace.score.decay_strategy import DecayStrategy
from graphpalace.score.narrative import narrative_bonus
from graphpalace.store.database import Database, Row

_Column = Float64[np.ndarray, " drawers"]
_MOST_EXPONENT = 600.0  # e to it is a number still


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
        recency_reset: float = 1.0,
        narrative_floor: float = 0.3,
        strategy: DecayStrategy | None = None,
    ) -> None:
        """Wire it.

        Args:
            recency_reset: What a deposit sets recency to; so recency tells when that was.
            narrative_floor: Least cosine of a question to a memory that counts, 0 to 1.
            strategy: How pheromones fade here; None: as everywhere in the palace, by the rates of its cycles.
        """
        self._database = database
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
        rows = await self._database.read(
            "rerank/read_signals",
            palace=palace,
            ids=list(ids),
            cycle_seconds=self._cycle_seconds,
            at_ms=milliseconds("reference_time", at),
            floor=NOISE_FLOOR,
        )
        if not rows:
            return {}
        row = rows[0]
        narrative = self._narrative(row, question, frozen=frozen)
        pheromone = self._pheromone(row, frozen=frozen)
        found = zip(row["ids"], narrative.tolist(), pheromone.tolist(), strict=True)
        return {drawer: Signals(remembered, laid) for drawer, remembered, laid in found}

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
        rows = await self._database.read(
            "rerank/read_document_signals",
            palace=palace,
            ids=list(ids),
            cycle_seconds=self._cycle_seconds,
            at_ms=milliseconds("reference_time", at),
        )
        if not rows:
            return {}
        row = rows[0]
        narrative = self._narrative(row, question, frozen=frozen)
        current, laid = (np.array(row[name], np.float64) for name in ("node_cycles", "laid_cycles"))
        exploitation = self._now(
            row["exploitation"], self._rates.exploitation, current, laid, laid >= 0, row["cycle"], frozen
        )
        found = zip(row["ids"], narrative.tolist(), np.clip(exploitation, 0.0, 1.0).tolist(), strict=True)
        return {document: Signals(remembered, laid) for document, remembered, laid in found}

    def _narrative(self, row: Row, question: Vector, *, frozen: bool) -> _Column:
        """Return what memories say; they fade as success does, and count as they are stored where time is frozen."""
        bonus = np.zeros(len(row["ids"]))
        # A memory of another length than the question's is of another model, and says nothing.
        rows = [at for at, memory in enumerate(row["memories"]) if len(memory) == 4 * len(question)]
        if rows:
            memories = from_bytes([row["memories"][at] for at in rows], dimension=len(question))
            strengths = np.array([row["strengths"][at] for at in rows], np.float64)
            if not frozen:
                cycles = np.maximum(row["cycle"] - np.array([row["memory_cycles"][at] for at in rows]), 0)
                strengths *= (1.0 - self._rates.success) ** cycles
            bonus[rows] = narrative_bonus(question, memories, strengths, floor=self._floor)
        return bonus

    def _pheromone(self, row: Row, *, frozen: bool) -> _Column:
        """Return the mean of exploitation and success, each at most 1."""
        node, edge = np.array(row["node_cycles"], np.float64), np.array(row["edge_cycles"], np.float64)
        recency = np.array(row["recency"], np.float64)
        walked = np.full(len(node), -np.inf)  # a drawer was last laid on when an edge at it was last walked
        for at, uses in enumerate(row["uses"]):
            if uses:
                recencies, cycles = np.array(uses, np.float64).T
                walked[at] = (cycles - self._unused(recencies)).max()
        used = edge - self._unused(recency), recency >= NOISE_FLOOR
        exploitation = self._now(
            row["exploitation"], self._rates.exploitation, node, walked, np.isfinite(walked), row["cycle"], frozen
        )
        success = self._now(row["success"], self._rates.success, edge, *used, row["cycle"], frozen)
        return (np.clip(exploitation, 0.0, 1.0) + np.clip(success, 0.0, 1.0)) / 2

    def _now(
        self,
        stored: list[float],
        rate: float,
        current: _Column,
        laid: _Column,
        known: np.ndarray,
        cycle: int,
        frozen: bool,
    ) -> _Column:
        """Return pheromones at a cycle, or as they were laid.

        What the decay service took in between is given back first, so that its runs do not show.

        Args:
            current: Cycle at which each had its stored value.
            laid: Cycle at which each was last laid, where that is known.
        """
        value = np.array(stored, np.float64)
        as_laid = np.where(known, _moved(value, rate, np.where(known, laid - current, 0.0)), value)
        if frozen:
            return as_laid
        if self._strategy is None:
            return _moved(value, rate, np.where(known, np.maximum(cycle, laid), cycle) - current)
        # What nobody can date was laid so long ago at least that its recency has faded since.
        since = cycle - np.where(known, laid, current - self._unused(np.zeros(len(value))))
        return as_laid * self._strategy.left(np.maximum(since, 0.0) * self._cycle_seconds)

    def _unused(self, recency: _Column) -> _Column:
        """Return for how many cycles an edge was not walked, by what is left of its recency."""
        rate, reset = self._rates.recency, self._recency_reset
        if not 0 < rate < 1 or reset <= NOISE_FLOOR:
            return np.zeros(len(recency))
        return np.rint(np.log(np.clip(recency / reset, NOISE_FLOOR / reset, 1.0)) / math.log1p(-rate))


def _moved(value: _Column, rate: float, cycles: _Column) -> _Column:
    """Return what a value is some cycles later, or was some cycles before, as far as decay alone changes it."""
    if rate >= 1:
        return decayed(value, rate=rate, cycles=cycles.astype(np.int64))  # nobody knows what it was
    left = value * np.exp(np.minimum(cycles * math.log1p(-rate), _MOST_EXPONENT))
    return np.where(left < NOISE_FLOOR, 0.0, left)
