"""Settle a palace: divide its common rooms by topics, and compute room centroids, halls and tunnels."""

from __future__ import annotations

import asyncio

import numpy as np

from graphpalace.domain.drawers.records import RoomRecord
from graphpalace.domain.palaces.places import ClosetContents, Room
from graphpalace.domain.vectors import Matrix, unit_rows
from graphpalace.ingest.link import RoomMean, halls, tunnels
from graphpalace.ingest.place import COMMON_ROOM, folder_name
from graphpalace.ingest.topic_words import TopicDocument
from graphpalace.ingest.topics import NEAR, SMALLEST, compared, topics
from graphpalace.operations.drawers.compose import room_record
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.drawers.rooms import RoomStore, SettledRooms, SettledRoomStore
from graphpalace.store.palaces.palaces import PalaceStore

_BEGINNING = 3  # drawers of a closet that say what it is about


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
    """Move closets of a common room into nearby rooms; if there are enough others, find their topics.

    A topic is a room. What belongs to no topic goes to a room that is named as its folder. Returns whether any closet
    was moved.
    """
    store = RoomStore(database)
    closets = await store.filed_closets(palace, common.id)
    async with indexes.reading(palace) as matrix:
        means = matrix.room_means()
        sums = [matrix.vectors_of(closet.drawers).sum(axis=0) for closet in closets]
    if not closets:
        return False
    vectors = unit_rows(np.stack(sums).astype(np.float32))
    siblings = [room for room in others if room.wing_id == common.wing_id]
    clusters = [room for room in siblings if room.found_by == "cluster" and room.id in means]
    target: dict[str, RoomRecord] = {}
    if clusters:
        cosines = vectors @ np.stack([means[room.id][2] for room in clusters]).T
        for closet, row in zip(closets, cosines, strict=True):
            if row.max() >= NEAR:
                target[closet.id] = _record(clusters[int(row.argmax())])
    rest = [at for at, closet in enumerate(closets) if closet.id not in target]
    if len(rest) >= SMALLEST:
        named = {room.name.casefold(): _record(room) for room in siblings}
        groups = await _groups(database, palace, [closets[at] for at in rest], vectors[rest])
        for name, members in groups.items():
            found = room_record(palace, common.wing, name, [text for _, text in members], found_by="cluster")
            record = named.setdefault(name.casefold(), found)
            target.update((closet.id, record) for closet, _ in members)
    if target:
        await store.move_closets(palace, target, from_room=common.id, wing_id=common.wing_id)
    return bool(target)


def _record(room: Room) -> RoomRecord:
    return RoomRecord(room.id, room.name, room.wing_id, room.wing)


async def _groups(
    database: Database, palace: str, closets: list[ClosetContents], vectors: Matrix
) -> dict[str, list[tuple[ClosetContents, str]]]:
    """Return closets with the beginnings of their texts by the names of their topics, or else of their folders.

    Closets that belong to no topic and lie in no folder are left out.
    """
    some = compared(len(closets))
    read = [drawer for at in some for drawer in closets[at].drawers[:_BEGINNING]]
    drawers = {drawer.id: drawer for drawer in await DrawerStore(database).read(palace, read)}
    documents: dict[int, TopicDocument] = {}
    for at in some:
        beginning = [drawers[drawer] for drawer in closets[at].drawers[:_BEGINNING] if drawer in drawers]
        headings = tuple(dict.fromkeys(heading for drawer in beginning for heading in drawer.headings))
        text = "\n\n".join(drawer.text for drawer in beginning)
        documents[at] = TopicDocument(closets[at].title, text, headings, tuple(closets[at].tags))
    name_of = {at: topic.name for topic in await asyncio.to_thread(topics, documents, vectors) for at in topic.members}
    groups: dict[str, list[tuple[ClosetContents, str]]] = {}
    for at, closet in enumerate(closets):
        name = name_of.get(at) or folder_name(closet.source_uri)
        if name is not None:
            groups.setdefault(name, []).append((closet, documents[at].text if at in documents else ""))
    return groups
