"""Wires simulations and their background jobs; a part of `bootstrap`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace import options
from graphpalace.ingest.embed import Embedder
from graphpalace.operations.deposit import Deposits
from graphpalace.operations.snapshots import Snapshots
from graphpalace.settings import Settings
from graphpalace.store.database import Database

if TYPE_CHECKING:  # these import torch, which `graphpalace up` has no need to wait for
    from graphpalace.operations.drawer_indexes import DrawerIndexes
    from graphpalace.operations.simulation.jobs import Jobs
    from graphpalace.operations.simulation.shard_workers import Workers
    from graphpalace.operations.simulation.simulations import Simulations


def make_simulations(
    settings: Settings,
    database: Database,
    indexes: DrawerIndexes,
    model: Embedder,
    snapshots: Snapshots,
    deposits: Deposits,
) -> tuple[Simulations, Jobs]:
    """Return what runs simulations, live and in the background."""
    from graphpalace.operations.simulation.corpus import Corpora
    from graphpalace.operations.simulation.jobs import Jobs
    from graphpalace.operations.simulation.live_simulations import LiveSimulations
    from graphpalace.operations.simulation.palace_trails import PalaceTrails
    from graphpalace.operations.simulation.shelf import SimulationShelf
    from graphpalace.operations.simulation.simulations import Simulations

    chosen = settings.simulation
    trails = PalaceTrails(snapshots, deposits)
    shelf = SimulationShelf(database, trails, palace=settings.palace.name, defaults=chosen.defaults)
    corpora = Corpora(database, indexes, model, folders=chosen.folders)
    reports = options.make_reports(settings)
    live = LiveSimulations(
        shelf,
        corpora,
        reports,
        max_live=chosen.max_live,
        frames_per_s=chosen.frames_per_s,
        device=options.device_of(settings.embeddings.device),
    )
    simulations = Simulations(live, shelf, corpora, trails, reports)
    return simulations, Jobs(database, shelf, corpora, trails, make_workers(settings), audience=simulations.audience)


def make_workers(settings: Settings) -> Workers:
    """Return who makes the steps of jobs: a Ray cluster if one is named, else processes of this machine.

    Raises:
        SettingsInvalid: If a cluster is named and Ray is not installed.
    """
    from graphpalace.operations.simulation.ray_workers import RayWorkers
    from graphpalace.operations.simulation.shard_workers import ProcessWorkers

    chosen = settings.simulation
    return RayWorkers(chosen.ray_address) if chosen.ray_address else ProcessWorkers(chosen.job_workers)
