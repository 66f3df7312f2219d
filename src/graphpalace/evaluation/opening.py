"""Creates an `Evaluation` and everything that it needs from the settings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graphpalace.app import wire
from graphpalace.evaluation.collection import Collection
from graphpalace.evaluation.evaluate import Evaluation
from graphpalace.evaluation.learning.teaching import Teaching
from graphpalace.settings.load import Settings
from graphpalace.store.connection.schema import SchemaStore


@asynccontextmanager
async def evaluating(
    settings: Settings, collection: Collection, *, shortened: bool = False
) -> AsyncIterator[Evaluation]:
    """Connect to the database and yield an `Evaluation` for a collection. The default palace is not used or created.

    Args:
        shortened: Whether shortened questions are asked, which the model must embed.

    Raises:
        WrongDimension: If the model is needed besides the embeddings of the collection, and its dimension differs.
    """
    collection.check_model(settings.embeddings.dimension, shortened=shortened)
    dimension = collection.dimension or settings.embeddings.dimension
    embeddings = settings.embeddings.model_copy(update={"dimension": dimension})
    wired = wire(settings.model_copy(update={"embeddings": embeddings}))
    try:
        await wired.database.verify()
        await SchemaStore(wired.database).migrate()
        yield Evaluation(
            wired.database,
            wired.indexes,
            wired.embedder,
            wired.recall,
            Teaching(
                wired.database,
                wired.indexes,
                wired.snapshots,
                wired.known_names,
                wired.recall,
                wired.learning,
                wired.feedback,
            ),
            None if settings.entities.recogniser == "off" else wired.names,
            ingest=settings.ingest,
            analyzer=settings.search.analyzer,
            forget=wired.forget,
        )
    finally:
        await wired.close()
