"""Read and write the memories of drawers and callers' documents: which questions they answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphpalace.domain.learning.feedback import AnsweredQuestion, NarrativeMemory
from graphpalace.domain.vectors import from_bytes, to_bytes
from graphpalace.store.connection.database import Row, Transaction

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
