"""Create the embedding models."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from graphpalace.cluster.ray_cluster import RayCluster
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import InvalidInput
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.settings.load import Settings, cache_dir
from graphpalace.settings.sections.embeddings import NAMED_MODELS, EmbeddingSettings
from graphpalace.settings.sections.section import Neo4jSettings
from graphpalace.store.connection.database import Database


def make_models(
    settings: Settings, database: Database, embedder: Embedder | None, cluster: RayCluster | None = None
) -> PalaceModels:
    """Return the model of each palace.

    Args:
        embedder: Model of new palaces; None: the configured one.
        cluster: Whose workers compute the vectors; None: this process.
    """
    from graphpalace.embedding.watched import WatchedEmbedder

    make = partial(_same, embedder) if embedder else partial(make_embedder, worker_settings(settings))
    configured = WatchedEmbedder(_on_workers(cluster, embedder or make_embedder(settings), make))
    return PalaceModels(database, configured, make=partial(named_model, settings, cluster=cluster))


def named_model(settings: Settings, name: str, *, cluster: RayCluster | None = None) -> Embedder | None:
    """Return a model that needs only its name; None if the name may mean different models."""
    from graphpalace.embedding.watched import WatchedEmbedder

    if name not in NAMED_MODELS:
        return None
    named = EmbeddingSettings(model=name, device=settings.embeddings.device)
    own = settings.model_copy(update={"embeddings": named})
    return WatchedEmbedder(_on_workers(cluster, make_embedder(own), partial(make_embedder, worker_settings(own))))


def _on_workers(cluster: RayCluster | None, model: Embedder, make: Callable[[], Embedder]) -> Embedder:
    if cluster is None:
        return model
    from graphpalace.cluster.workers import ClusterEmbedder

    return ClusterEmbedder(cluster, model, make)


def check_device(settings: Settings) -> None:
    """Check that the settings name no device that workers do not use.

    Raises:
        InvalidInput: If they do.
    """
    device = settings.embeddings.device
    if device not in ("auto", "cpu"):
        raise InvalidInput(
            f"embeddings.device is {device!r}, but workers of --ray compute on their cores: use auto or cpu, or let "
            "workers ask a server with a GPU, which [embeddings] base_url names",
            field="embeddings.device",
        )


def _same(embedder: Embedder) -> Embedder:
    return embedder


def worker_settings(settings: Settings) -> Settings:
    """Return the settings that workers need: how texts are embedded and names are read, without Neo4j's password."""
    files = {name: getattr(settings.neo4j, name) for name in ("cache_dir", "repository_url")}
    embeddings = settings.embeddings.model_copy(update={"device": "cpu"})
    return Settings(embeddings=embeddings, entities=settings.entities, neo4j=Neo4jSettings(**files))


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
