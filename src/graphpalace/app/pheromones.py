"""Wires what works on pheromones alone; it needs no embedding model."""

from __future__ import annotations

from graphpalace.operations.stigmergy.decay import Decay
from graphpalace.operations.stigmergy.hot_paths import HotPaths
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database


def make_decay(settings: Settings, database: Database) -> Decay:
    """Return what lets pheromones fade."""
    chosen = settings.decay
    return Decay(
        database,
        rates=settings.pheromones.rates,
        cycle_seconds=chosen.cycle_seconds,
        interval_cycles=settings.pheromones.decay_interval_cycles,
        batch_rows=chosen.batch_rows,
        lease_s=chosen.lease_s,
    )


def make_hot_paths(settings: Settings, database: Database) -> HotPaths:
    """Return what looks at pheromones."""
    return HotPaths(database, rates=settings.pheromones.rates, cycle_seconds=settings.decay.cycle_seconds)
