"""Find the wings that things stand in, for callers whose keys are for a wing."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.store.access import AccessStore
from graphpalace.store.connection.database import Database


class Wings:
    """Finds the wings of drawers."""

    def __init__(self, database: Database) -> None:
        self._stored = AccessStore(database)

    async def of_drawers(self, palace: str, drawers: Sequence[str]) -> dict[str, str]:
        """Return the names of the wings of drawers; drawers that are not in the palace are left out."""
        return await self._stored.wings_of(palace, drawers)
