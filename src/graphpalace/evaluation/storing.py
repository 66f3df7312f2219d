"""Stores a collection in a palace, and finds the documents of its drawers."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

from graphpalace.domain.drawers.document import Document, Passage
from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.domain.identity import text_hash
from graphpalace.embedding.embedder import Embedder
from graphpalace.evaluation.collection import Collection, CollectionDocument
from graphpalace.ingest.split import split_section
from graphpalace.operations.drawers.ingest import Ingest
from graphpalace.operations.drawers.settle import settle
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.settings.sections.ingest import IngestSettings
from graphpalace.store.connection.database import Database

_SCHEME = "eval:"
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


def ready_document(source: CollectionDocument, options: SplitOptions) -> Document:
    """Return the document as a single passage if it has an embedding; otherwise it is split like a text file."""
    return Document(
        uri=f"{_SCHEME}{source.id}",
        title=source.title,
        media_type="text/plain",
        content_hash=text_hash(source.text),
        passages=_passages(source, options),
    )


def document_of(uri: str) -> str:
    """Return the id in the collection of the document that was stored with a URI."""
    return uri.removeprefix(_SCHEME)


def _passages(source: CollectionDocument, options: SplitOptions) -> tuple[Passage, ...]:
    if not source.text.strip():
        return ()
    if source.vector is None:
        passages = split_section(source.text, 1, (), options)
        return tuple(replace(passage, occurred_at=source.occurred_at) for passage in passages)
    lines = source.text.count("\n") + 1
    return (Passage(source.text, 1, lines, occurred_at=source.occurred_at, vector=source.vector),)
