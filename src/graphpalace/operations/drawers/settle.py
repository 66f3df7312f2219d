"""Settle a palace: divide its common rooms into clusters, and compute room centroids, halls and tunnels."""

from __future__ import annotations

import asyncio

import numpy as np

from graphpalace.domain.places import Room
from graphpalace.domain.records import RoomRecord
from graphpalace.domain.vectors import unit_rows
from graphpalace.ingest.cluster import SMALLEST, central, cluster
from graphpalace.ingest.cluster_names import names
from graphpalace.ingest.link import RoomMean, halls, tunnels
from graphpalace.ingest.place import COMMON_ROOM
from graphpalace.operations.drawers.compose import room_record
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.drawers.rooms import RoomStore
from graphpalace.store.drawers.settled_rooms import SettledRooms, SettledRoomStore
from graphpalace.store.palaces.palaces import PalaceStore

_MOVE_COSINE = 0.5  # least cosine of a closet to a room's centroid for the closet to move into that room


async def settle(
    database: Database,
    indexes: DrawerIndexes,
    *,
    palace: str,
    rooms: str | None = None,
    tunnel_threshold: float = 0.7,
) -> None:
    """Update rooms, halls and tunnels to match the stored drawers.

    Does nothing if nothing was stored since the last time. The result depends only on what is stored, so after a run
    that was killed, the next run does all of the work. Drawers that are stored during a run count as not settled.

    Args:
        rooms: Mode in which an ingest finds rooms; `auto` and `clusters` divide common rooms. None: no closet is moved.
        tunnel_threshold: Least cosine of two rooms for a tunnel.

    Raises:
        NotFound: If the palace does not exist, or was dropped meanwhile.
    """
    state = await PalaceStore(database).get(palace)
    revision = state.revision
    if state.settled_revision >= revision and (rooms is None or state.divided_revision >= revision):
        return
    if rooms is not None:
        revision += await _arrange(database, indexes, palace, divides=rooms in ("auto", "clusters"))
    # The revision was read before the drawers, so it never covers a drawer that is missing here.
    async with indexes.reading(palace) as matrix:
        means = await asyncio.to_thread(matrix.room_means)
    known = [
        RoomMean(room.id, room.name, room.wing_id, means[room.id][2])
        for room in await RoomStore(database).rooms(palace)
        if room.id in means
    ]
    settled = SettledRooms(
        state.born,
        revision,
        divided=rooms is not None,
        centroids={room.id: room.mean for room in known},
        halls=halls(known),
        tunnels=tunnels(known, threshold=tunnel_threshold),
    )
    await SettledRoomStore(database).write(palace, settled)


async def _arrange(database: Database, indexes: DrawerIndexes, palace: str, *, divides: bool) -> int:
    """Divide common rooms and remove empty rooms; return by how much this raised the revision."""
    store = RoomStore(database)
    listed = await store.rooms(palace)
    moves = 0
    for room in listed:
        if divides and room.name == COMMON_ROOM:
            moves += await _divide(database, indexes, palace, room, [other for other in listed if other is not room])
    for wing in sorted({room.wing_id for room in listed}):
        await store.sweep(palace, wing)
    return moves


async def _divide(database: Database, indexes: DrawerIndexes, palace: str, common: Room, others: list[Room]) -> bool:
    """Move closets of a common room into nearby rooms, and cluster the rest if there are enough of them.

    Returns whether any closet was moved.
    """
    store = RoomStore(database)
    closets = await store.filed_closets(palace, common.id)
    async with indexes.reading(palace) as matrix:
        means = matrix.room_means()
        sums = [matrix.vectors_of(closet.drawers).sum(axis=0) for closet in closets]
    if not closets:
        return False
    vectors = unit_rows(np.stack(sums).astype(np.float32))
    siblings = [
        room for room in others if room.wing_id == common.wing_id and room.found_by == "cluster" and room.id in means
    ]
    target: dict[str, RoomRecord] = {}
    if siblings:
        cosines = vectors @ np.stack([means[room.id][2] for room in siblings]).T
        for closet, row in zip(closets, cosines, strict=True):
            if row.max() >= _MOVE_COSINE:
                room = siblings[int(row.argmax())]
                target[closet.id] = RoomRecord(room.id, room.name, room.wing_id, room.wing)
    rest = [at for at, closet in enumerate(closets) if closet.id not in target]
    if len(rest) >= SMALLEST:
        drawers = await _texts(database, palace, [closets[at].drawers[:5] for at in rest])
        titles = [closets[at].title for at in rest]
        texts = [f"{title}\n{text}" for title, text in zip(titles, drawers, strict=True)]
        labels = await asyncio.to_thread(cluster, vectors[rest])
        middle = central(vectors[rest], labels)
        for number, name in enumerate(await asyncio.to_thread(names, texts, labels, central=middle, titles=titles)):
            members = [place for place, label in enumerate(labels) if label == number]
            record = room_record(palace, common.wing, name, [texts[place] for place in members], found_by="cluster")
            target.update((closets[rest[place]].id, record) for place in members)
    if target:
        await store.move_closets(palace, target, from_room=common.id, wing_id=common.wing_id)
    return bool(target)


async def _texts(database: Database, palace: str, groups: list[list[str]]) -> list[str]:
    found = await DrawerStore(database).read(palace, [drawer for group in groups for drawer in group])
    text = {drawer.id: drawer.text for drawer in found}
    return [" ".join(text.get(drawer, "") for drawer in group) for group in groups]
