"""Store a collection in a palace."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable

from graphpalace.domain.document import Document
from graphpalace.ingest.embed import Embedder
from graphpalace.operations.drawer_indexes import DrawerIndexes
from graphpalace.operations.evaluation.collection import Collection
from graphpalace.operations.evaluation.documents import ready_document
from graphpalace.operations.ingest import Ingest, IngestOptions
from graphpalace.operations.settle import settle
from graphpalace.store.database import Database

Progress = Callable[[str, int, int], None]


async def store(
    database: Database,
    indexes: DrawerIndexes,
    embedder: Embedder,
    palace: str,
    collection: Collection,
    *,
    options: IngestOptions,
    progress: Progress,
) -> None:
    """Ingest the documents as a user's are, but without files and with the embeddings that they bring.

    Args:
        progress: Called with what is done, how many of it are, and of how many.
    """
    wings: dict[str, list[Document]] = defaultdict(list)
    for source in collection.documents:
        wings[source.wing].append(await asyncio.to_thread(ready_document, source, options.split))
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
            options=options,
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
        rooms=options.rooms,
        tunnel_threshold=options.tunnel_threshold,
    )
