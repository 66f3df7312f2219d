"""Find out whether a text is in a palace already, by its characters and by the plain cosine of its vector.

A new text can be compared so before it is stored."""

from __future__ import annotations

import asyncio

from graphpalace.domain.drawers.new_drawer import (
    MOST_FOUND,
    Duplicate,
    DuplicateCheck,
    SimilarDrawer,
    check_text,
)
from graphpalace.domain.vectors import Vector
from graphpalace.errors import InvalidInput
from graphpalace.fuse.word_overlap import LEAST_COSINE, folded, says_the_same
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.replica.places import find_place
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawer_links import Unlike
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.vectors.drawer_rows import Filter

_CLOSEST = 20  # drawers whose texts are compared
_ROUNDING = 1e-6  # the cosine of a text with itself is 1 but for this


class Duplicates:
    """Checks for duplicates. No pheromone and nothing that was learned has a part in it."""

    def __init__(self, database: Database, indexes: DrawerIndexes, models: PalaceModels) -> None:
        self._database = database
        self._palaces = PalaceStore(database)
        self._stored = DrawerStore(database)
        self._indexes = indexes
        self._models = models

    async def check(
        self, palace: str, text: str, *, wing: str | None = None, threshold: float = 0.9, top_k: int = 5
    ) -> DuplicateCheck:
        """Return the drawers with the same text, and those whose cosine reaches the threshold.

        Drawers that say the same are one entry, which names the others.

        Args:
            wing: Only look in this wing.
            threshold: 0 to 1. Below 0, every drawer would be a duplicate.
            top_k: Largest number of drawers, 1 to 200.

        Raises:
            InvalidInput: If the text is blank, or a number is out of range.
            TooLarge: If the text is longer than a million characters.
            NotFound: If the palace or the wing does not exist.
        """
        check_text(text)
        if not 0 <= threshold <= 1:
            raise InvalidInput(f"threshold is {threshold}; it must be 0 to 1", field="threshold", value=threshold)
        if not 1 <= top_k <= MOST_FOUND:
            raise InvalidInput(f"top_k is {top_k}; it must be 1 to {MOST_FOUND}", field="top_k", value=top_k)
        await self._palaces.get(palace)
        place = (await find_place(self._database, palace, wing=wing, room=None))[0] if wing is not None else None
        same = set(await self._stored.same_text(palace, text, wing_id=place, limit=top_k))
        embedder = await self._models.of(palace)
        (vector,) = await asyncio.to_thread(embedder.embed, [text])
        near = await self._indexes.nearest(palace, vector, limit=2 * top_k, only=Filter(wing=place))
        cosines = {drawer: score for drawer, score in zip(near.ids, near.scores, strict=True) if score >= threshold}
        cosines |= (await self._indexes.vectors(palace, sorted(same))).cosines(vector)
        read = {drawer.id: drawer for drawer in await self._stored.read(palace, sorted(cosines))}
        says = {drawer.id for drawer in read.values() if says_the_same(drawer.text, text, cosine=cosines[drawer.id])}
        order = sorted(read, key=lambda one: (one not in same, one not in says, -cosines[one], one))
        close = (await self._indexes.vectors(palace, order)).close(LEAST_COSINE)
        kept = folded({drawer: read[drawer].text for drawer in order}, close=close)
        listed = [
            Duplicate(
                id=drawer.id,
                wing=drawer.wing,
                room=drawer.room,
                source_uri=drawer.source_uri,
                text=drawer.text,
                exact=drawer.text == text,
                same=drawer.id in says,
                cosine=round(min(1.0, cosines[drawer.id]), 6),
                also_at=kept[drawer.id],
            )
            for drawer in (read[one] for one in list(kept)[:top_k])
        ]
        return DuplicateCheck(bool(listed), listed)


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
