"""Creates an `Evaluation` and everything that it needs from the settings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graphpalace.app import wire
from graphpalace.evaluation.collection import Collection
from graphpalace.evaluation.evaluate import Evaluation
from graphpalace.evaluation.learning.teaching import Teaching
from graphpalace.settings.load import Settings
from graphpalace.settings.sections.embeddings import BUNDLED_MODEL
from graphpalace.store.connection.schema import SchemaStore


@asynccontextmanager
async def evaluating(settings: Settings, collection: Collection) -> AsyncIterator[Evaluation]:
    """Connect to the database and yield an `Evaluation` for a collection. The default palace is not used or created.

    If the collection provides embeddings of another length than the configured model's, another model made them. Their
    cosines then count as those of `all-MiniLM-L6-v2` do.
    """
    embeddings = settings.embeddings
    if collection.dimension not in (None, embeddings.dimension):
        embeddings = embeddings.model_copy(update={"model": BUNDLED_MODEL, "dimension": collection.dimension})
    wired = wire(settings.model_copy(update={"embeddings": embeddings}))
    try:
        await wired.database.verify()
        await SchemaStore(wired.database).migrate()
        yield Evaluation(
            wired.database,
            wired.replica.indexes,
            wired.embedder,
            wired.recall,
            Teaching(
                wired.database,
                wired.replica.indexes,
                wired.replica.snapshots,
                wired.replica.known_names,
                wired.recall,
                wired.replica.learning,
                wired.learning.feedback,
            ),
            None if settings.entities.recogniser == "off" else wired.knowledge.names,
            ingest=settings.ingest,
            analyzer=settings.search.analyzer,
            forget=wired.forget,
        )
    finally:
        await wired.close()
