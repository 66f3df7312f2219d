"""Change palaces in a way that only evaluations need, in palaces of their own."""

from __future__ import annotations

from graphpalace.store.connection.database import Database


class EvaluationStore:
    """Changes the palaces of evaluations."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def advance_clock(self, palace: str, *, cycles: int) -> None:
        """Advance a palace's clock by some cycles."""
        await self._database.write(palace, "evaluation/advance_clock", cycles=cycles)
