"""Change the embedding model of a palace while it is searched."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

import numpy as np

from graphpalace.cluster.ahead import in_order
from graphpalace.domain.drawers.drawer_text import embedded_text
from graphpalace.domain.drawers.records import DrawerRecord
from graphpalace.domain.palaces.palaces import Reembedded, ReembedProgress
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.embedding.embedder import Embedder, embed_whole
from graphpalace.errors import Conflict
from graphpalace.operations.drawers.drawer_linker import DrawerLinker
from graphpalace.operations.drawers.settle import settle
from graphpalace.operations.learning.memories import Memories
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.drawers.reembedding import EmbeddedText, ReembeddingStore
from graphpalace.store.palaces.palaces import hold_palace
from graphpalace.vectors.drawer_matrix import DrawerMatrix

Progress = Callable[[ReembedProgress], None]
_BATCH = 256  # drawers whose vectors are stored in one transaction
_BLOCK = 512  # drawers that are linked, moved or remembered in one transaction


@dataclass(frozen=True, slots=True)
class Reembed:
    """Computes the vectors of a palace anew, and exchanges them in one step.

    The palace answers with its old vectors until every drawer has a new one. Whatever ends the work before, running it
    again goes on where it ended.

    Args:
        embedder: The new model.
        memories: Computes what drawers remember of questions.
        similar_k: Largest number of neighbours that a drawer is linked to.
        similar_threshold: Least cosine of two drawers for a link.
        tunnel_threshold: Least cosine of two rooms for a tunnel.
        at_once: How many batches are embedded at the same time.
    """

    database: Database
    indexes: DrawerIndexes
    embedder: Embedder
    memories: Memories
    similar_k: int
    similar_threshold: float
    tunnel_threshold: float
    at_once: int = 1

    async def run(self, palace: str, progress: Progress = lambda _: None) -> Reembedded:
        """Change the model of a palace to the new one, unless it has it already.

        Args:
            progress: Called with how far the current work is.

        Raises:
            NotFound: If there is no palace of this name.
            EmbeddingFailed: If the model cannot be loaded.
            Conflict: If somebody began to change the palace to another model meanwhile.
        """
        store, target = ReembeddingStore(self.database), (self.embedder.name, self.embedder.dimension)
        before, embedded, begun = (await store.state(palace)).model, 0, False
        while True:
            state = await store.state(palace)
            current, coming = (state.model, state.dimension), (state.next_model, state.next_dimension)
            if state.switched:  # this change, or an earlier one that was ended after its switch
                await self._follow(palace, store, progress)
            elif current == target:
                if not begun and state.next_model is not None:  # a change to a model that is no longer wanted
                    await store.begin(palace, None, None)
                await store.clear(palace)
                return Reembedded(palace, before, state.model, embedded)
            elif coming == target:
                begun = True
                embedded += await self._embed(palace, store, progress)
            elif begun:
                raise Conflict(f"somebody is changing palace {palace!r} to another embedding model", palace=palace)
            else:
                await asyncio.to_thread(self.embedder.load)
                begun = await store.begin(palace, *target)
                if not begun:
                    await store.clear(palace)

    async def _embed(self, palace: str, store: ReembeddingStore, progress: Progress) -> int:
        """Give every drawer a new vector; switch if no drawer has come meanwhile. Return how many were given."""
        model, count = self.embedder.name, 0
        pending, drawers = await store.pending(palace)

        async def batches() -> AsyncGenerator[Sequence[str], None]:
            for start in range(0, len(pending), _BATCH):
                progress(ReembedProgress("embedding", drawers - len(pending) + max(start - ahead, 0), drawers))
                yield pending[start : start + _BATCH]

        async def computed(ids: Sequence[str]) -> tuple[Sequence[EmbeddedText], list[Vector | Matrix]]:
            texts = await store.texts(palace, ids)
            return texts, await asyncio.to_thread(self._vectors, texts)

        ahead = (self.at_once - 1) * _BATCH
        async with aclosing(in_order(batches(), computed, at_once=self.at_once)) as embedded:
            async for _, (texts, vectors) in embedded:
                if not await store.store(palace, texts, vectors, model=model):
                    return count
                count += len(texts)
        progress(ReembedProgress("embedding", drawers, drawers))
        questions = await store.questions(palace)
        vectors = await asyncio.to_thread(self._questions, list(questions.values()))
        given = dict(zip(questions, vectors, strict=True))
        await store.switch(palace, given, model=model, dimension=self.embedder.dimension)
        return count

    def _vectors(self, texts: Sequence[EmbeddedText]) -> list[Vector | Matrix]:
        """Return the vectors of each text, as an ingest computes them."""
        vectors = iter(embed_whole(self.embedder, [embedded_text(one.name, one.text) for one in texts if one.indexed]))
        return [next(vectors) if one.indexed else self._nothing() for one in texts]

    def _questions(self, queries: Sequence[str]) -> list[Vector]:
        """Return the vector of each question; zeros for a question that was asked by a vector alone."""
        asked = [query for query in queries if query.strip()]
        vectors = iter(self.embedder.embed_questions(asked) if asked else ())
        return [next(vectors) if query.strip() else self._nothing() for query in queries]

    def _nothing(self) -> Vector:
        return np.zeros(self.embedder.dimension, np.float32)

    async def _follow(self, palace: str, store: ReembeddingStore, progress: Progress) -> None:
        """Let everything that depends on the vectors follow after the switch. It may be repeated."""
        await self._remember(palace, store)
        model = (await store.state(palace)).model
        matrix = await self.indexes.load(palace)
        await self._link(palace, store, matrix, model, progress)
        await store.drop_vector_index(palace)
        while True:
            ids = await store.to_move(palace)
            for start in range(0, len(ids), _BLOCK):
                progress(ReembedProgress("storing", start, len(ids)))
                await store.move(palace, ids[start : start + _BLOCK], model=model, dimension=matrix.dimension)
            if await store.finish(palace):
                break
        await store.create_vector_index(palace, dimension=matrix.dimension)
        await settle(self.database, self.indexes, palace=palace, tunnel_threshold=self.tunnel_threshold)

    async def _remember(self, palace: str, store: ReembeddingStore) -> None:
        drawers, documents = await store.remembering(palace)
        for ids, renew in ((drawers, self.memories.renew_drawers), (documents, self.memories.renew_documents)):
            for start in range(0, len(ids), _BLOCK):
                some = ids[start : start + _BLOCK]

                async def work(tx: Transaction, some: Sequence[str] = some, renew=renew) -> None:
                    await hold_palace(tx, palace)
                    await renew(palace, tx, some)

                await self.database.transaction(palace, work)

    async def _link(
        self, palace: str, store: ReembeddingStore, matrix: DrawerMatrix, model: str, progress: Progress
    ) -> None:
        """Link every drawer to its nearest neighbours among the earlier ones, as an ingest does.

        They are taken by their times, and by their ids at one time: a palace and its copy get the same links.
        """
        linker = DrawerLinker(
            self.embedder, largest_batch=_BLOCK, similar_k=self.similar_k, similar_threshold=self.similar_threshold
        )
        earlier = self.indexes.empty(matrix.dimension, many_neighbours=True)
        times = matrix.times_ms(matrix.ids)
        ordered = sorted(times, key=lambda drawer: (times[drawer], drawer))
        place = {drawer: at for at, drawer in enumerate(ordered)}
        for start in range(0, len(ordered), _BLOCK):
            progress(ReembedProgress("linking", start, len(ordered)))
            ids = ordered[start : start + _BLOCK]
            records = [
                DrawerRecord(drawer, "", "", 0, 1, 1, vector=vector)
                for drawer, vector in zip(ids, matrix.vectors_of(ids), strict=True)
            ]
            await asyncio.to_thread(linker.add, records, earlier)
            wanted = {(one.id, other): cosine for one in records for other, cosine in one.similar}
            await store.relink(palace, ids, wanted, place, model=model)
