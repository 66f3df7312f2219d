"""Store the complete states of simulations and shards in parts, each a node (:SimulationState)."""

from __future__ import annotations

from graphpalace.store.connection.database import Database

_PART_BYTES = 4 * 2**20


def parts_of(state: bytes) -> list[bytes]:
    """Divide a state into parts that are small enough for properties of nodes."""
    return [state[at : at + _PART_BYTES] for at in range(0, len(state), _PART_BYTES)]


class StoredStates:
    """Reads states."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def parts(self, name: str) -> list[bytes]:
        """Return the parts that are stored under a name; an empty list if there are none."""
        return [bytes(row["data"]) for row in await self._database.read(None, "simulation/read_state", name=name)]
