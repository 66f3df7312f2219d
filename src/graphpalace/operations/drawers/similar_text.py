"""Find the drawer that stands for a text already, if there is one."""

from __future__ import annotations

import asyncio

from graphpalace.domain.duplicates import SimilarDrawer
from graphpalace.domain.vectors import Vector
from graphpalace.fuse.near_equal import LEAST_COSINE, says_the_same
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.drawers.unlike import Unlike
from graphpalace.vectors.drawer_rows import Filter

_CLOSEST = 20  # drawers whose texts are compared
_ROUNDING = 1e-6  # the cosine of a text with itself is 1 but for this


class SimilarTexts:
    """Looks for drawers of a wing that say what a text says."""

    def __init__(self, database: Database, indexes: DrawerIndexes) -> None:
        self._stored = DrawerStore(database)
        self._indexes = indexes

    async def find(
        self, palace: str, wing_id: str, text: str, vector: Vector, *, least: float
    ) -> tuple[SimilarDrawer | None, Unlike]:
        """Return the drawer that says the same, or the one with the highest cosine of at least `least`.

        It is decided as `Duplicates.check` does: by the characters, by nearly the same words, and by the plain cosine.

        Args:
            vector: Of the text, of length one.
            least: 0 to 1.

        Returns:
            None if there is none; and what tells a write later whether there is one meanwhile.
        """
        enough = min(least - _ROUNDING, LEAST_COSINE)
        async with self._indexes.reading(palace) as matrix:
            revision = self._indexes.revision(palace)
            near = await asyncio.to_thread(matrix.nearest, vector, limit=_CLOSEST, only=Filter(wing=wing_id))
        cosines = {one: score for one, score in zip(near.ids, near.scores, strict=True) if score >= enough}
        read = await self._stored.read(palace, sorted(cosines))
        found = []
        for drawer in read:
            cosine = float(cosines[drawer.id])
            same = says_the_same(drawer.text, text, cosine=cosine)
            if same or cosine >= least - _ROUNDING:
                how = "exact" if drawer.text == text else "same" if same else "near"
                found.append(SimilarDrawer(drawer.id, how, round(min(1.0, cosine), 6)))
        order = ("exact", "same", "near")
        best = min(found, key=lambda one: (order.index(one.how), -one.cosine, one.id), default=None)
        return best, Unlike(wing_id, -1 if revision is None else revision, vector, enough)
