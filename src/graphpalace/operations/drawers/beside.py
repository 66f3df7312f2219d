"""Show what stands beside a drawer."""

from __future__ import annotations

from dataclasses import asdict

from graphpalace.domain.drawers.beside import BesideDrawer
from graphpalace.domain.knowledge.fact_versions import shown_facts
from graphpalace.errors import NotFound
from graphpalace.replica.known_facts import KnownFacts
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore


class ShowBeside:
    """Finds the neighbours of a drawer in its document, and the facts that were read from it."""

    def __init__(self, database: Database, known_facts: KnownFacts) -> None:
        self._stored = DrawerStore(database)
        self._known_facts = known_facts

    async def of(self, palace: str, drawer: str) -> BesideDrawer:
        """Return what stands beside a drawer.

        Raises:
            NotFound: If the palace does not exist, or the drawer is not in it.
        """
        index = await self._known_facts.latest(palace)
        place = await self._stored.place_in_closet(palace, drawer)
        if place is None:
            raise NotFound(f"drawer {drawer!r} is not in palace {palace!r}", drawer=drawer)
        return BesideDrawer(drawer, **asdict(place), facts=shown_facts(index.said_in(drawer)))
