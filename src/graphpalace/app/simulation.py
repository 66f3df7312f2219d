"""Create the operations on simulations and background jobs."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING
from uuid import uuid4

from graphpalace.domain.simulation.kept_simulation import ServiceIdentity
from graphpalace.embedding.cache import CachedEmbedder
from graphpalace.embedding.embedder import Embedder
from graphpalace.operations.pheromones.deposit import Deposits
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.replica.snapshots import Snapshots
from graphpalace.settings.load import Settings, cache_dir
from graphpalace.store.connection.database import Database

if TYPE_CHECKING:  # these import NumPy, which `graphpalace up` has no need to wait for
    from graphpalace.operations.simulation.jobs.jobs import Jobs
    from graphpalace.operations.simulation.jobs.shards import Workers
    from graphpalace.operations.simulation.simulations import Simulations
    from graphpalace.replica.drawer_indexes import DrawerIndexes

_LEASE_S = 15.0  # a service that does not renew its lease for this time loses its simulations


def make_simulations(
    settings: Settings,
    database: Database,
    indexes: DrawerIndexes,
    models: PalaceModels,
    snapshots: Snapshots,
    deposits: Deposits,
    *,
    device: str,
) -> tuple[Simulations, Jobs]:
    """Return the operations on live simulations and on background jobs.

    Args:
        device: Torch device for the steps of live simulations.
    """
    from graphpalace.operations.simulation.corpus_loader import CorpusLoader
    from graphpalace.operations.simulation.jobs.jobs import Jobs
    from graphpalace.operations.simulation.live_simulations import LiveSimulations
    from graphpalace.operations.simulation.palace_trails import PalaceTrails
    from graphpalace.operations.simulation.reports.reports import ReportWriter
    from graphpalace.operations.simulation.simulation_store import SimulationStore
    from graphpalace.operations.simulation.simulations import Simulations

    chosen = settings.simulation
    trails = PalaceTrails(snapshots, deposits)
    service = ServiceIdentity(uuid4().hex, f"{socket.gethostname()}, process {os.getpid()}", _LEASE_S)
    store = SimulationStore(database, trails, service, palace=settings.palace.name, defaults=chosen.defaults)
    windows = make_window_embedder(settings, models.configured)
    corpora = CorpusLoader(database, indexes, models, window_embedder=windows, folders=chosen.folders)
    reports = ReportWriter(settings.reports)
    live = LiveSimulations(
        store,
        corpora,
        reports,
        max_live=chosen.max_live,
        frames_per_s=chosen.frames_per_s,
        device=device,
    )
    simulations = Simulations(live, store, corpora, trails, reports)
    return simulations, Jobs(database, store, corpora, trails, make_workers(settings), audience=simulations.audience)


def make_window_embedder(settings: Settings, model: Embedder) -> Embedder:
    """Return the embedder of a folder's windows. It caches embeddings on disk, unless `folder_cache_mb` is 0."""
    most_mb, chosen = settings.simulation.folder_cache_mb, settings.embeddings
    if not most_mb:
        return model
    file, variant = cache_dir(settings) / "embeddings.sqlite", f"{chosen.precision} {chosen.base_url}"
    return CachedEmbedder(model, file, variant=variant, most_bytes=most_mb * 2**20)


def make_workers(settings: Settings) -> Workers:
    """Return the workers of jobs: a Ray cluster if `ray_address` is set, otherwise processes of this machine.

    Raises:
        SettingsInvalid: If `ray_address` is set but Ray is not installed.
    """
    from graphpalace.operations.simulation.jobs.ray_workers import RayWorkers
    from graphpalace.operations.simulation.jobs.shards import ProcessWorkers

    chosen = settings.simulation
    return RayWorkers(chosen.ray_address) if chosen.ray_address else ProcessWorkers(chosen.job_workers)
