"""The complete states of simulations and of shards, as nodes: (:SimulationState) in parts."""

from __future__ import annotations

from graphpalace.store.connection.database import Database

_PART_BYTES = 4 * 2**20


def parts_of(state: bytes) -> list[bytes]:
    """Return a state in parts of a size that Neo4j likes as a property."""
    return [state[at : at + _PART_BYTES] for at in range(0, len(state), _PART_BYTES)]


class StoredStates:
    """Reads states."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def parts(self, name: str) -> list[bytes]:
        """Return the parts of what is kept under a name; none if nothing is."""
        return [bytes(row["data"]) for row in await self._database.read(None, "simulation/read_state", name=name)]
