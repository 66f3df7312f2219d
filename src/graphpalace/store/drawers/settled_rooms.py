"""Store what is computed from all drawers of a palace, in one transaction: centroids, halls and tunnels."""

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
    """The rooms of a palace as computed from its drawers at one revision.

    Attributes:
        born: When the palace was created, which distinguishes it from a later palace of the same name.
        revision: The result includes all changes up to this revision, and possibly later ones.
        divided: Whether common rooms were divided, which only an ingest does.
        centroids: Mean direction of each room that has drawers, by the id of the room.
        halls, tunnels: Pairs of rooms, by id.
    """

    born: str
    revision: int
    divided: bool
    centroids: Mapping[str, Vector]
    halls: Pairs
    tunnels: Pairs


class SettledRoomStore:
    """Writes what is computed from all drawers of a palace."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def write(self, palace: str, settled: SettledRooms) -> bool:
        """Write centroids, halls and tunnels, and return whether they were written.

        They are not written if the stored ones are as new or newer, or if the palace was dropped and created again
        since it was read.

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
