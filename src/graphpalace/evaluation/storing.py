"""Stores a collection in a palace."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable

from graphpalace.domain.document import Document
from graphpalace.embedding.embedder import Embedder
from graphpalace.evaluation.collection import Collection
from graphpalace.evaluation.documents import ready_document
from graphpalace.operations.drawers.ingest import Ingest
from graphpalace.operations.drawers.settle import settle
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.settings.sections.ingest import IngestSettings
from graphpalace.store.connection.database import Database

Progress = Callable[[str, int, int], None]


async def store(
    database: Database,
    indexes: DrawerIndexes,
    embedder: Embedder,
    palace: str,
    collection: Collection,
    *,
    settings: IngestSettings,
    progress: Progress,
) -> None:
    """Ingest the documents of a collection in the usual way, but without files, and using the collection's embeddings.

    Args:
        progress: Called with the name of the current work, the number of documents done, and their total.
    """
    wings: dict[str, list[Document]] = defaultdict(list)
    for source in collection.documents:
        wings[source.wing].append(await asyncio.to_thread(ready_document, source, settings.split))
    total = len(collection.documents)
    done = 0
    progress("storing documents", done, total)
    matrix = await indexes.load(palace, many_neighbours=True)
    for wing, documents in wings.items():
        before = done
        ingest = Ingest(
            database,
            indexes,
            embedder,
            palace=palace,
            wing=wing,
            settings=settings,
            progress=lambda report, before=before: progress(
                "storing documents", before + report.documents_stored, total
            ),
        )
        await ingest.store(documents, matrix)
        done += len(documents)
        progress("storing documents", done, total)
    del matrix
    await settle(
        database,
        indexes,
        palace=palace,
        rooms=settings.rooms,
        tunnel_threshold=settings.tunnel_threshold,
    )
