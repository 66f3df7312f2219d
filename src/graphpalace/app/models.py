"""Create the embedding models."""

from __future__ import annotations

from functools import partial

from graphpalace.embedding.embedder import Embedder
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.settings.load import Settings, cache_dir
from graphpalace.settings.sections.embeddings import NAMED_MODELS, EmbeddingSettings
from graphpalace.store.connection.database import Database


def make_models(settings: Settings, database: Database, embedder: Embedder | None) -> PalaceModels:
    """Return the model of each palace.

    Args:
        embedder: Model of new palaces; None: the configured one.
    """
    from graphpalace.embedding.watched import WatchedEmbedder

    configured = WatchedEmbedder(embedder or make_embedder(settings))
    return PalaceModels(database, configured, make=partial(named_model, settings))


def named_model(settings: Settings, name: str) -> Embedder | None:
    """Return a model that needs only its name; None if the name may mean different models."""
    from graphpalace.embedding.watched import WatchedEmbedder

    if name not in NAMED_MODELS:
        return None
    named = EmbeddingSettings(model=name, device=settings.embeddings.device)
    return WatchedEmbedder(make_embedder(settings.model_copy(update={"embeddings": named})))


def make_embedder(settings: Settings) -> Embedder:
    """Return the configured embedding model, which is loaded when it is first used."""
    from graphpalace.embedding.factory import embedder_of
    from graphpalace.vectors.device import device_of, fast_in_bfloat16

    chosen = settings.embeddings
    return embedder_of(
        chosen,
        device=device_of(chosen.device),
        fast_in_bfloat16=fast_in_bfloat16,
        cache_dir=cache_dir(settings),
        repository_url=settings.neo4j.repository_url or None,
    )
