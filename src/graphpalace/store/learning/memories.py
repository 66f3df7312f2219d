"""Read and write the memories of drawers and callers' documents, and read these with pheromones for a rerank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphpalace.domain.learning.feedback import (
    AnsweredQuestion,
    Column,
    LearnedDocuments,
    LearnedDrawers,
    MemoryColumns,
    NarrativeMemory,
)
from graphpalace.domain.pheromones.pheromones import NOISE_FLOOR
from graphpalace.domain.vectors import from_bytes, to_bytes
from graphpalace.store.connection.database import Database, Row, Transaction

_MOST_ANSWERED = 1000  # largest number of answers that a memory is computed from


class MemoryStore:
    """Reads the answers that memories are computed from, and writes memories, within the caller's transaction."""

    async def answers_of_drawers(
        self, palace: str, tx: Transaction, drawers: Sequence[str]
    ) -> dict[str, list[AnsweredQuestion]]:
        """Return the questions for which drawers were useful, oldest first, by drawer id."""
        rows = await tx.run("learning/read_answered", palace=palace, drawers=list(drawers), most=_MOST_ANSWERED)
        return {row["drawer"]: _answers(row) for row in rows}

    async def set_of_drawers(
        self, palace: str, tx: Transaction, memories: Mapping[str, NarrativeMemory | None]
    ) -> None:
        """Write the memories of drawers; None removes a memory."""
        written = [{"drawer": drawer, **_written(memory)} for drawer, memory in memories.items()]
        await tx.run("learning/set_narratives", palace=palace, narratives=written)

    async def answers_of_documents(
        self, palace: str, tx: Transaction, documents: Sequence[str]
    ) -> dict[str, list[AnsweredQuestion]]:
        """Return the questions for which documents were useful, oldest first, by document id."""
        rows = await tx.run(
            "learning/read_documents_answered", palace=palace, documents=list(documents), most=_MOST_ANSWERED
        )
        return {row["document"]: _answers(row) for row in rows}

    async def set_of_documents(
        self, palace: str, tx: Transaction, memories: Mapping[str, NarrativeMemory | None]
    ) -> None:
        """Write the memories of documents, and delete documents without feedback."""
        written = [{"document": document, **_written(memory)} for document, memory in memories.items()]
        await tx.run("learning/set_document_memories", palace=palace, memories=written)


def _answers(row: Row) -> list[AnsweredQuestion]:
    return [
        AnsweredQuestion(from_bytes([question], dimension=len(question) // 4)[0], reward, cycle)
        for question, reward, cycle in row["answered"]
    ]


def _written(memory: NarrativeMemory | None) -> dict[str, Any]:
    if memory is None:
        return {"vector": None, "strength": 0.0, "cycle": 0}
    return {"vector": to_bytes(memory.vector), "strength": memory.strength, "cycle": memory.cycle}


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
