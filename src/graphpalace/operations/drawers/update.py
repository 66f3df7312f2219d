"""Change a drawer. It keeps its id, its place and its pheromones; a new text is embedded, indexed and linked anew."""

from __future__ import annotations

import asyncio
from datetime import datetime

from graphpalace.domain.drawers.drawer import Drawer
from graphpalace.domain.drawers.drawer_text import embedded_text
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, zoned
from graphpalace.domain.drawers.records import ChangedDrawer, ChangedText
from graphpalace.embedding.embedder import embed_whole
from graphpalace.embedding.measured_models import scale_of
from graphpalace.errors import NotFound
from graphpalace.operations.drawers.after_writes import AfterWrites
from graphpalace.operations.drawers.drawer_linker import SimilarRule, older_of_each, time_ms
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.palaces.palaces import PalaceStore


class DrawerUpdating:
    """Changes stored drawers, each in one transaction."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        models: PalaceModels,
        after: AfterWrites,
        *,
        similar: SimilarRule,
        same_meaning: float,
    ) -> None:
        """Set up changes.

        Args:
            same_meaning: Least cosine of an old and a new text for which what was learned of the old one is kept.
        """
        self._same_meaning = same_meaning
        self._palaces = PalaceStore(database)
        self._stored = DrawerStore(database)
        self._indexes = indexes
        self._models = models
        self._after = after
        self._similar = similar

    async def update(self, palace: str, drawer: str, change: DrawerUpdate) -> None:
        """Change a drawer, all of it or nothing.

        Raises:
            NotFound: If it is not in the palace.
            InvalidInput: If nothing is to be changed, the text is blank, or a value is out of range.
            TooLarge: If the text is longer than a million characters.
        """
        change.check()
        await self._palaces.get(palace)
        (found,) = await self._stored.read(palace, [drawer]) or [None]
        if found is None:
            raise _missing(palace, drawer)
        text = change.text if change.text != found.text else None
        changed = ChangedDrawer(
            id=drawer,
            title=change.title,
            name=found.name,
            number=found.pub_id,
            labels=(*found.aliases, *found.tags),
            author=change.author,
            occurred_at=zoned(change.occurred_at),
            importance=change.importance,
            text=None if text is None else await self._text(palace, found, text, said=zoned(change.occurred_at)),
        )
        if not await self._stored.update(palace, changed):
            raise _missing(palace, drawer)
        self._after.wrote(palace)

    async def _text(self, palace: str, drawer: Drawer, text: str, *, said: datetime | None) -> ChangedText:
        """Return a new text with its vector and its neighbours.

        Args:
            said: When it was said, if that is changed too.
        """
        embedder = await self._models.of(palace)
        (whole,) = await asyncio.to_thread(embed_whole, embedder, [embedded_text(drawer.name, text)])
        vectors = whole[:1]
        async with self._indexes.reading(palace) as matrix:
            (similar,) = await asyncio.to_thread(self._similar.links, [drawer.id], vectors, matrix, itself=drawer.id)
            before = matrix.some([drawer.id]).vectors
            times = matrix.times_ms([drawer.id]) if said is None else {drawer.id: time_ms(said)}
            said_ms, scale = [times.get(drawer.id, 0)], scale_of(embedder.name)
            (older,) = older_of_each([matrix], vectors, drawer.wing_id, said_ms, scale=scale, itself=drawer.id)
        same = not len(before) or float(before[0] @ vectors[0]) >= self._same_meaning
        return ChangedText(text, vectors[0], whole[1:], embedder.name, similar, same, older)


def _missing(palace: str, drawer: str) -> NotFound:
    return NotFound(f"drawer {drawer!r} is not in palace {palace!r}", drawer=drawer)
