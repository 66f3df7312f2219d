"""Read, list and delete drawers."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.domain.drawer import Drawer
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.palaces.changes import record_change
from graphpalace.store.palaces.palaces import hold_palace


class DrawerStore:
    """Reads, lists and deletes the drawers of palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, palace: str, ids: Sequence[str]) -> list[Drawer]:
        """Return drawers with their closets, rooms and wings. Drawers that are not in the palace are left out."""
        rows = await self._database.read(palace, "drawers/read_drawers", ids=list(ids))
        return [Drawer(**row["drawer"]) for row in rows]

    async def list_ids(
        self, palace: str, *, wing_id: str | None, room_ids: Sequence[str] | None, after: str, limit: int
    ) -> list[str]:
        """Return a page of drawer ids, sorted, starting after a given id.

        Args:
            wing_id, room_ids: Wing or rooms of the drawers; None: any.
        """
        rows = await self._database.read(
            palace,
            "drawers/list_drawers",
            wing_id=wing_id,
            room_ids=None if room_ids is None else list(room_ids),
            after=after,
            limit=limit,
        )
        return [row["id"] for row in rows]

    async def remove(self, palace: str, wing_id: str, ids: Sequence[str]) -> None:
        """Delete drawers of a wing, and closets and automatically found rooms that become empty; record the change.

        Raises:
            NotFound: If the palace does not exist, or was dropped meanwhile.
        """

        async def work(tx: Transaction) -> None:
            await hold_palace(tx, palace)
            (gone,) = await tx.run("drawers/delete_drawers", ids=list(ids))
            await tx.run("drawers/forget_hashes", closets=gone["closets"])
            await tx.run("rooms/sweep_empty", wing_id=wing_id)
            await record_change(tx, removed=gone["deleted"])

        await self._database.transaction(palace, work)
