"""Wire what measures the search on a collection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graphpalace.app import wire
from graphpalace.evaluation.collection import Collection
from graphpalace.evaluation.evaluate import Evaluation
from graphpalace.evaluation.learning.teaching import Teaching
from graphpalace.settings.load import Settings
from graphpalace.store.connection.migrate import migrate


@asynccontextmanager
async def evaluating(
    settings: Settings, collection: Collection, *, shortened: bool = False
) -> AsyncIterator[Evaluation]:
    """Give what measures the search on a collection; the default palace is neither made nor looked at.

    Args:
        shortened: Whether shortened questions are asked, which the model has to embed.
    Raises:
        WrongDimension: If the model is needed beside given embeddings of another dimension.
    """
    collection.check_model(settings.embeddings.dimension, shortened=shortened)
    dimension = collection.dimension or settings.embeddings.dimension
    embeddings = settings.embeddings.model_copy(update={"dimension": dimension})
    wired = wire(settings.model_copy(update={"embeddings": embeddings}))
    try:
        await wired.database.verify()
        await migrate(wired.database)
        yield Evaluation(
            wired.database,
            wired.indexes,
            wired.embedder,
            wired.recall,
            Teaching(wired.database, wired.snapshots, wired.recall, wired.learning, wired.feedback),
            ingest=settings.ingest,
            analyzer=settings.search.analyzer,
            forget=wired.forget,
        )
    finally:
        await wired.close()
