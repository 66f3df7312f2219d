"""The complete states of simulations and of shards, as nodes: (:SimulationState) in parts."""

from __future__ import annotations

from graphpalace.store.connection.database import Database

_PART_BYTES = 4 * 2**20


def parts_of(state: bytes) -> list[bytes]:
    """Return a state in parts of a size that Neo4j likes as a property."""
    return [state[at : at + _PART_BYTES] for at in range(0, len(state), _PART_BYTES)]


async def state_parts(database: Database, name: str) -> list[bytes]:
    """Return the parts of what is kept under a name; none if nothing is."""
    return [bytes(row["data"]) for row in await database.read(None, "simulation/read_state", name=name)]
