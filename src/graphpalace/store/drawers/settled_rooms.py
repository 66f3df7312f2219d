"""Store what follows from all drawers of a palace together: one transaction, whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphpalace.domain.room import BASE_COST
from graphpalace.domain.vectors import Vector, to_bytes
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.palaces.palaces import hold_palace

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class SettledRooms:
    """The rooms of a palace as they follow from the drawers of one revision.

    Attributes:
        born: When the palace was made, which tells it from a later one of its name.
        revision: Everything up to it was seen; what came after it may have been seen too.
        divided: Whether common rooms were divided, which only an ingest does.
        centroids: Mean direction of each room that holds a drawer, by the room's id.
        halls, tunnels: Pairs of rooms, by id.
    """

    born: str
    revision: int
    divided: bool
    centroids: Mapping[str, Vector]
    halls: Pairs
    tunnels: Pairs


class SettledRoomStore:
    """Writes what follows from all drawers of a palace."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def write(self, palace: str, settled: SettledRooms) -> bool:
        """Write centroids, halls and tunnels; return false, and leave them, if they are no newer than what is there.

        They are left too if the palace was dropped and made anew since it was read.

        Raises:
            NotFound: If the palace was dropped meanwhile.
        """

        async def work(tx: Transaction) -> bool:
            await hold_palace(tx, palace)
            rows = await tx.run(
                "ingest/settle_palace", born=settled.born, revision=settled.revision, divides=settled.divided
            )
            if not rows or not rows[0]["newer"]:
                return False
            centroids = [{"id": room, "centroid": to_bytes(mean)} for room, mean in settled.centroids.items()]
            await tx.run("rooms/write_centroids", rooms=centroids)
            await tx.run("rooms/write_halls", edges=_edges(settled.halls), base_cost=BASE_COST["HALL"])
            await tx.run("rooms/write_tunnels", edges=_edges(settled.tunnels), base_cost=BASE_COST["TUNNEL"])
            return True

        return await self._database.transaction(palace, work)


def _edges(pairs: Pairs) -> list[dict[str, str]]:
    return [{"from": first, "to": second} for first, second in pairs]
