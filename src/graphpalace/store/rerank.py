"""Read the memories and pheromones of drawers and callers' documents for a rerank. Reading changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphpalace.domain.graph.pheromones import NOISE_FLOOR
from graphpalace.domain.learning.learned_columns import Column, LearnedDocuments, LearnedDrawers, MemoryColumns
from graphpalace.domain.vectors import from_bytes
from graphpalace.store.connection.database import Database, Row


class SignalStore:
    """Reads memories and pheromones, in columns.

    Args:
        cycle_seconds: Seconds of one cycle of the clock.
    """

    def __init__(self, database: Database, *, cycle_seconds: float) -> None:
        self._database = database
        self._cycle_seconds = cycle_seconds

    async def of_drawers(
        self, palace: str, ids: Sequence[str], *, dimension: int, at_ms: int | None
    ) -> LearnedDrawers | None:
        """Return the memories and pheromones of drawers. Drawers that are not in the palace are left out.

        Args:
            dimension: Dimension of the embeddings. Memories of another dimension come from another model and are left
                out.
            at_ms: Time for which to return the cycle, in milliseconds since 1970; None: now.

        Returns:
            None if the palace does not exist.
        """
        row = await self._row(palace, "rerank/read_signals", ids, at_ms=at_ms, floor=NOISE_FLOOR)
        if row is None:
            return None
        columns = _columns(row, "exploitation", "node_cycles", "success", "recency", "edge_cycles")
        memories = _memories(row, dimension=dimension)
        return LearnedDrawers(row["cycle"], row["ids"], memories, **columns, uses=row["uses"])

    async def of_documents(
        self, palace: str, ids: Sequence[str], *, dimension: int, at_ms: int | None
    ) -> LearnedDocuments | None:
        """Return the memories and pheromones of callers' documents with feedback, by node ids; as `of_drawers`."""
        row = await self._row(palace, "rerank/read_document_signals", ids, at_ms=at_ms)
        if row is None:
            return None
        columns = _columns(row, "exploitation", "node_cycles", "laid_cycles")
        return LearnedDocuments(row["cycle"], row["ids"], _memories(row, dimension=dimension), **columns)

    async def _row(self, palace: str, query: str, ids: Sequence[str], **more: Any) -> Row | None:
        rows = await self._database.read(palace, query, ids=list(ids), cycle_seconds=self._cycle_seconds, **more)
        return rows[0] if rows else None


def _columns(row: Row, *names: str) -> dict[str, Column]:
    return {name: np.array(row[name], np.float64) for name in names}


def _memories(row: Row, *, dimension: int) -> MemoryColumns:
    rows = [at for at, memory in enumerate(row["memories"]) if len(memory) == 4 * dimension]
    return MemoryColumns(
        np.array(rows, np.int64),
        from_bytes([row["memories"][at] for at in rows], dimension=dimension),
        np.array([row["strengths"][at] for at in rows], np.float64),
        np.array([row["memory_cycles"][at] for at in rows], np.int64),
    )
