"""Create the embedding models."""

from __future__ import annotations

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
    configured = _watched(settings, cluster, embedder)
    return PalaceModels(database, configured, make=partial(named_model, settings, cluster=cluster))


def named_model(settings: Settings, name: str, *, cluster: RayCluster | None = None) -> Embedder | None:
    """Return a model that needs only its name; None if the name may mean different models."""
    if name not in NAMED_MODELS:
        return None
    named = EmbeddingSettings(model=name, device=settings.embeddings.device)
    return _watched(settings.model_copy(update={"embeddings": named}), cluster)


def _watched(settings: Settings, cluster: RayCluster | None, given: Embedder | None = None) -> Embedder:
    """Return the given model, or else the one of the settings, on the workers of a cluster if there is one."""
    from graphpalace.embedding.watched import WatchedEmbedder

    model = given or make_embedder(settings)
    if cluster is not None:
        from graphpalace.cluster.workers import ClusterEmbedder

        make = partial(_same, given) if given else partial(make_embedder, worker_settings(settings))
        model = ClusterEmbedder(cluster, model, make)
    return WatchedEmbedder(model)


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
