"""What an evaluation does to a palace of its own that nobody else does."""

from __future__ import annotations

from graphpalace.store.connection.database import Database


class EvaluationStore:
    """Changes the palaces of evaluations."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def advance_clock(self, palace: str, *, cycles: int) -> None:
        """Let cycles pass at once."""
        await self._database.write(palace, "evaluation/advance_clock", cycles=cycles)
