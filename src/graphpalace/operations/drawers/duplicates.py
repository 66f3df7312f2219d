"""Find out whether a text is in a palace already, by its characters and by the plain cosine of its vector."""

from __future__ import annotations

import asyncio

from graphpalace.domain.duplicates import Duplicate, DuplicateCheck
from graphpalace.domain.new_drawer import check_text
from graphpalace.errors import InvalidInput
from graphpalace.fuse.near_equal import LEAST_COSINE, folded, says_the_same
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.replica.places import find_place
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.vectors.drawer_rows import Filter

MOST_FOUND = 200


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
