"""Create the operation that says what to know now."""

from __future__ import annotations

from graphpalace.operations.wake_up.wake_up import WakingUp
from graphpalace.replica.known_facts import KnownFacts
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database


def make_waking_up(settings: Settings, database: Database, known_facts: KnownFacts) -> WakingUp:
    """Return the operation."""
    return WakingUp(
        database,
        known_facts,
        rates=settings.pheromones.rates,
        cycle_seconds=settings.decay.cycle_seconds,
        least_confidence=settings.search.least_confidence,
    )
