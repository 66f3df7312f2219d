"""How many keywords the drawers of a palace hold, counted where their texts are."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.store.connection.database import Database


class KeywordStore:
    """Counts keywords."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def counts(self, palace: str, terms: Sequence[str]) -> dict[str, int]:
        """Return how many of some words each drawer's text holds; drawers with none are left out.

        Args:
            terms: In lower case, each once; the case of the text does not count.
        """
        rows = await self._database.read(palace, "simulation/count_keywords", terms=list(terms))
        return dict(zip(rows[0]["ids"], rows[0]["hits"], strict=True)) if rows else {}
