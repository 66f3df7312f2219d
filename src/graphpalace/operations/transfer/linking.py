"""Connect imported drawers with those that a palace had: similarities, and memories of questions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import numpy as np

from graphpalace.domain.drawers.records import DrawerRecord
from graphpalace.domain.transfer.answers import TransferProgress
from graphpalace.embedding.embedder import Embedder
from graphpalace.operations.drawers.drawer_linker import DrawerLinker, SimilarRule
from graphpalace.operations.learning.memories import Memories
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.drawers.reembedding import ReembeddingStore
from graphpalace.store.palaces.palaces import hold_palace
from graphpalace.store.transfer.imports import ImportStore
from graphpalace.vectors.drawer_matrix import DrawerMatrix

_BLOCK = 512  # drawers that are linked or remembered in one transaction


class Linking:
    """Finds what imported drawers are similar to, and what they remember.

    Args:
        embedder: Needed by the linker, which embeds nothing here.
        memories: Computes what drawers remember of questions.
    """

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        embedder: Embedder,
        memories: Memories,
        *,
        similar: SimilarRule,
        cycle_seconds: float,
    ) -> None:
        self._database = database
        self._indexes = indexes
        self._embedder = embedder
        self._memories = memories
        self._similar = similar
        self._store = ImportStore(database, cycle_seconds=cycle_seconds)

    async def link(
        self, palace: str, *, among_new: bool, progress: Callable[[TransferProgress], None] = lambda _: None
    ) -> int:
        """Link imported drawers to their nearest neighbours, as an ingest does; return the number of links.

        It may be interrupted and repeated.

        Args:
            among_new: Whether they are also linked to each other; if not, the export had those links.
        """
        new = await self._store.unlinked(palace)
        if not new:
            return 0
        matrix = await self._indexes.load(palace, many_neighbours=True)
        vectors = dict(zip(new, matrix.vectors_of(new), strict=True))
        matrix.remove(new)
        linker = DrawerLinker(
            self._embedder,
            largest_batch=_BLOCK,
            similar_k=self._similar.k,
            similar_threshold=self._similar.threshold,
        )
        links = 0
        for start in range(0, len(new), _BLOCK):
            progress(TransferProgress("similar_to", start, len(new)))
            ids = new[start : start + _BLOCK]
            records = [DrawerRecord(drawer, "", "", 0, 1, 1, vector=vectors[drawer]) for drawer in ids]
            if among_new:
                await asyncio.to_thread(linker.add, records, matrix)
            else:
                await asyncio.to_thread(self._to_others, records, matrix)
            found = [(one.id, other, cosine) for one in records for other, cosine in one.similar]
            links += await self._store.link(palace, ids, found)
        return links

    def _to_others(self, records: Sequence[DrawerRecord], others: DrawerMatrix) -> None:
        vectors = np.stack([record.vector for record in records if record.vector is not None])
        rows, cosines = others.neighbours(vectors, k=self._similar.k, threshold=self._similar.threshold)
        for record, near, cosine in zip(records, rows, cosines, strict=True):
            record.similar = [
                (others.ids[row], round(float(value), 6))
                for row, value in zip(near, cosine, strict=True)
                if value >= self._similar.threshold
            ]

    async def remember(self, palace: str) -> None:
        """Compute again what drawers and callers' own documents remember of the questions that they answered."""
        drawers, documents = await ReembeddingStore(self._database).remembering(palace)
        for ids, renew in ((drawers, self._memories.renew_drawers), (documents, self._memories.renew_documents)):
            for start in range(0, len(ids), _BLOCK):
                some = ids[start : start + _BLOCK]

                async def work(tx: Transaction, some: Sequence[str] = some, renew=renew) -> None:
                    await hold_palace(tx, palace)
                    await renew(palace, tx, some)

                await self._database.transaction(palace, work)
