"""A process that runs the decay of a palace again and again, to be killed. Kept apart, because it is started often."""

from __future__ import annotations

import asyncio
from multiprocessing.connection import Connection

from graphpalace.app import open_database
from graphpalace.domain.pheromones.pheromones import DecayRates
from graphpalace.operations.pheromones.decay import Decay
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database


def decay_of(database: Database, *, batch_rows: int = 7, lease_s: float = 60, cycle_seconds: float = 3600) -> Decay:
    """Return the decay with the seed's rates."""
    return Decay(
        database,
        rates=DecayRates(),
        cycle_seconds=cycle_seconds,
        interval_cycles=10,
        batch_rows=batch_rows,
        lease_s=lease_s,
    )


def decay_until_killed(settings: Settings, palace: str, began: Connection) -> None:
    """Tell that the database was reached; then run the decay until the end."""
    asyncio.run(_decay(open_database(settings), palace, began))


async def _decay(database: Database, palace: str, began: Connection) -> None:
    await database.verify()
    began.send_bytes(b"now")
    while True:
        await decay_of(database, batch_rows=1).apply(palace)
