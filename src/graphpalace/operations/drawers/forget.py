"""Delete drawers by id, source or place, with a receipt of what was deleted."""

from __future__ import annotations

from collections import defaultdict

from graphpalace.domain.forgetting import ForgetChoice, ForgetReceipt
from graphpalace.domain.receipts import Deleted
from graphpalace.operations.drawers.drawers import Drawers
from graphpalace.replica.places import find_place
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.palaces.palaces import PalaceStore


class Forgetting:
    """Deletes drawers, and closets and places that are left empty, as deleting them one by one does."""

    def __init__(self, database: Database, drawers: Drawers) -> None:
        self._database = database
        self._palaces = PalaceStore(database)
        self._stored = DrawerStore(database)
        self._drawers = drawers

    async def forget(self, palace: str, choice: ForgetChoice, *, dry_run: bool = False) -> ForgetReceipt:
        """Delete the chosen drawers in batches. To finish a request that was cut off, send it again.

        Args:
            dry_run: Change nothing, and return what would be deleted.

        Raises:
            InvalidInput: If nothing is chosen, or a room without its wing.
            NotFound: If the palace, the wing or the room does not exist.
        """
        choice.check()
        await self._palaces.get(palace)
        wing, rooms = await find_place(self._database, palace, wing=choice.wing, room=choice.room)
        found = await self._stored.select(palace, choice, wing_id=wing, room_ids=rooms if choice.room else None)
        ids = sorted(drawer for closet in found for drawer in closet.drawers)
        deleted = Deleted(0)
        if dry_run:
            deleted = Deleted(0, await self._stored.count_lone_facts(palace, ids))
        else:
            by_wing: dict[str, list[str]] = defaultdict(list)
            for closet in found:
                by_wing[closet.wing_id].extend(closet.drawers)
            for place, drawers in sorted(by_wing.items()):
                deleted += await self._drawers.delete_all(palace, place, drawers)
            if choice.wing is not None and choice.place_only:
                deleted += await self._place(palace, choice.wing, choice.room)
        return ForgetReceipt(
            dry_run=dry_run,
            deleted=deleted.deleted,
            drawers=ids,
            closets=[closet.closet for closet in found if len(closet.drawers) == closet.of],
            facts=deleted.facts,
            missing=sorted(set(choice.drawers or ()) - set(ids)),
        )

    async def _place(self, palace: str, wing: str, room: str | None) -> Deleted:
        """Delete the place itself; return what came to it meanwhile."""
        if room is None:
            return await self._drawers.delete_wing(palace, wing)
        return await self._drawers.delete_room(palace, wing, room)
