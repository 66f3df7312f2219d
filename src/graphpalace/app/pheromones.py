"""Create the operations that work only on pheromones and need no embedding model."""

from __future__ import annotations

from graphpalace.operations.pheromones.decay import Decay
from graphpalace.operations.pheromones.hot_paths import HotPaths
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database


def make_decay(settings: Settings, database: Database) -> Decay:
    """Return the operation that applies the decay of pheromones."""
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
    """Return the operation that reports pheromones."""
    return HotPaths(database, rates=settings.pheromones.rates, cycle_seconds=settings.decay.cycle_seconds)
