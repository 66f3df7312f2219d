"""Count keywords in the drawers of a palace, inside the database."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.store.connection.database import Database


class KeywordStore:
    """Counts keywords."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def counts(self, palace: str, terms: Sequence[str]) -> dict[str, int]:
        """Return how many of the given words each drawer's text contains. Drawers without any are left out.

        Args:
            terms: Different words in lower case. The case of the text is ignored.
        """
        rows = await self._database.read(palace, "simulation/count_keywords", terms=list(terms))
        return dict(zip(rows[0]["ids"], rows[0]["hits"], strict=True)) if rows else {}
