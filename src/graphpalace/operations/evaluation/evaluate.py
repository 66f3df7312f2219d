"""Measure the search on a collection, in a palace of its own that is dropped afterwards."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import numpy as np

from graphpalace.domain.document import Document
from graphpalace.domain.identity import text_hash
from graphpalace.errors import Conflict, NotFound
from graphpalace.ingest.embed import Embedder
from graphpalace.operations.drawer_indexes import DrawerIndexes
from graphpalace.operations.evaluation.asking import Answered, ask
from graphpalace.operations.evaluation.collection import Collection
from graphpalace.operations.evaluation.documents import ready_document
from graphpalace.operations.evaluation.figures import Evaluated, measured
from graphpalace.operations.evaluation.measure import per_question
from graphpalace.operations.evaluation.systems import BASELINE, SYSTEMS, WHOLE, ablations
from graphpalace.operations.ingest import Ingest, IngestOptions
from graphpalace.operations.recall import Recall
from graphpalace.operations.settle import settle
from graphpalace.operations.snapshots import Snapshots
from graphpalace.store.database import Database
from graphpalace.store.palaces import create_palace, drop_palace

_AT_ONCE = 4  # questions to a system that is not timed
_WARM_UP = 5  # questions that are asked once before any is timed

Progress = Callable[[str, int, int], None]


class Evaluation:
    """Evaluates the search of one database with one embedding model."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        snapshots: Snapshots,
        embedder: Embedder,
        recall: Recall,
        *,
        options: IngestOptions,
        analyzer: str,
    ) -> None:
        self._database = database
        self._indexes = indexes
        self._snapshots = snapshots
        self._embedder = embedder
        self._recall = recall
        self._options = options
        self._analyzer = analyzer

    async def run(
        self, collection: Collection, *, ablate: bool = False, progress: Progress = lambda _what, _done, _total: None
    ) -> Evaluated:
        """Store the collection, ask every system every question, and measure.

        Args:
            collection: Its given embeddings are of the embedder's dimension.
            ablate: Whether the search is measured with each of its parts left out too.
            progress: Called with what is done, how many of it are, and of how many.
        Raises:
            DatabaseFailed: If a lane failed, for then the figures would not be those of the search.
        """
        started = time.monotonic()
        async with self._own_palace(collection.name) as palace:
            await self._store(palace, collection, progress)
            warm = [await ask(self._recall, palace, question, {}) for question in collection.questions[:_WARM_UP]]
            left_out = ablations(warm[0].plan.lanes, warm[0].plan.fusion) if ablate else {}
            answered = {
                name: await self._ask_all(palace, collection, name, change, progress)
                for name, change in (SYSTEMS | left_out).items()
            }
        seconds = time.monotonic() - started
        relevant = {question.id: question.relevant for question in collection.questions}

        def measure() -> Evaluated:
            values = {
                name: per_question(relevant, {question: each.documents for question, each in answers.items()})
                for name, answers in answered.items()
            }
            took = [each.took_ms for each in answered[WHOLE].values()]
            return Evaluated(
                collection=collection.name,
                documents=len(collection.documents),
                questions=len(collection.questions),
                unjudged=collection.unjudged,
                systems={name: measured(values, name, baseline=BASELINE) for name in SYSTEMS},
                ablations={name: measured(values, name, baseline=WHOLE) for name in left_out},
                latency_ms={f"p{share}": float(np.percentile(took, share)) for share in (50, 95)},
                seconds=seconds,
            )

        return await asyncio.to_thread(measure)

    @asynccontextmanager
    async def _own_palace(self, collection: str) -> AsyncIterator[str]:
        """Give the name of a palace of this evaluation's own, and drop it afterwards, also after Ctrl-C.

        Ties are broken by drawer ids, which follow from the palace's name; so it is the same for the same collection,
        unless one of that name is there.
        """
        name = f"eval_{text_hash(collection)[:12]}"
        if name in {row["name"] for row in await self._database.read("palaces/list_names")}:
            name = f"eval_{uuid.uuid4().hex[:12]}"
        ours, model = True, self._embedder
        try:
            ours = await create_palace(
                self._database, name, model=model.name, dimension=model.dimension, analyzer=self._analyzer
            )
            if not ours:
                raise Conflict(f"another evaluation of {collection!r} began at this moment: run the same command again")
            yield name
        finally:
            if ours:
                self._indexes.forget(name)
                self._snapshots.forget(name)
                with suppress(NotFound):
                    await drop_palace(self._database, name)

    async def _store(self, palace: str, collection: Collection, progress: Progress) -> None:
        """Ingest the documents as a user's are, but without files and with the embeddings that they bring."""
        wings: dict[str, list[Document]] = defaultdict(list)
        for source in collection.documents:
            wings[source.wing].append(await asyncio.to_thread(ready_document, source, self._options.split))
        total = len(collection.documents)
        done = 0
        progress("storing documents", done, total)
        matrix = await self._indexes.load(palace, many_neighbours=True)
        for wing, documents in wings.items():
            before = done
            ingest = Ingest(
                self._database,
                self._indexes,
                self._embedder,
                palace=palace,
                wing=wing,
                options=self._options,
                progress=lambda report, before=before: progress(
                    "storing documents", before + report.documents_stored, total
                ),
            )
            await ingest.store(documents, matrix)
            done += len(documents)
            progress("storing documents", done, total)
        del matrix
        options = self._options
        await settle(
            self._database,
            self._indexes,
            palace=palace,
            rooms=options.rooms,
            tunnel_threshold=options.tunnel_threshold,
        )

    async def _ask_all(
        self, palace: str, collection: Collection, name: str, change: dict[str, Any], progress: Progress
    ) -> dict[str, Answered]:
        """Return a system's answer to each question; what is timed is asked one after the other."""
        answers: dict[str, Answered] = {}
        total = len(collection.questions)
        remaining = iter(collection.questions)

        async def work() -> None:
            for question in remaining:  # shared: each worker takes the next
                answers[question.id] = await ask(self._recall, palace, question, change)
                progress(f"asking {name}", len(answers), total)

        try:
            async with asyncio.TaskGroup() as workers:
                for _ in range(1 if name == WHOLE else _AT_ONCE):
                    workers.create_task(work())
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        return answers
