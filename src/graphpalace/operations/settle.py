"""What follows from all drawers together: clusters of a common room, centroids, halls and tunnels."""

from __future__ import annotations

import asyncio

import numpy as np

from graphpalace.domain.records import RoomRecord
from graphpalace.domain.room import BASE_COST
from graphpalace.domain.vectors import to_bytes, unit_rows
from graphpalace.ingest.cluster import SMALLEST, cluster, names
from graphpalace.ingest.link import RoomMean, halls, tunnels
from graphpalace.ingest.place import COMMON_ROOM
from graphpalace.operations.compose import room_record
from graphpalace.operations.drawer_indexes import DrawerIndexes
from graphpalace.store.database import Database, Row
from graphpalace.store.move_closets import move_closets
from graphpalace.store.palaces import get_palace

_MOVE_COSINE = 0.5  # a new closet joins a room whose mean is at least this near


async def settle(
    database: Database, indexes: DrawerIndexes, *, palace: str, rooms: str = "auto", tunnel_threshold: float = 0.7
) -> None:
    """Bring rooms, halls and tunnels in line with the drawers; nothing if nothing was stored since the last time.

    All of it follows from what is stored, so a run that was killed is made good by the next.
    """
    state = await get_palace(database, palace)
    if state["settled_revision"] == state["revision"]:
        return
    listed = await database.read("rooms/list_rooms", palace=palace, wing=None)
    if rooms in ("auto", "clusters"):
        for room in listed:
            if room["name"] == COMMON_ROOM:
                await _divide(database, indexes, palace, room, [other for other in listed if other is not room])
    for wing in sorted({room["wing_id"] for room in listed}):
        await database.write("rooms/sweep_empty", palace=palace, wing_id=wing)
    async with indexes.reading(palace) as matrix:
        means = await asyncio.to_thread(matrix.room_means)
    listed = await database.read("rooms/list_rooms", palace=palace, wing=None)
    known = [
        RoomMean(room["id"], room["name"], room["wing_id"], means[room["id"]][2])
        for room in listed
        if room["id"] in means
    ]
    await database.write(
        "rooms/write_centroids", rooms=[{"id": room.id, "centroid": to_bytes(room.mean)} for room in known]
    )
    for name, kind, pairs in (
        ("rooms/write_halls", "HALL", halls(known)),
        ("rooms/write_tunnels", "TUNNEL", tunnels(known, threshold=tunnel_threshold)),
    ):
        edges = [{"from": first, "to": second} for first, second in pairs]
        await database.write(name, palace=palace, edges=edges, base_cost=BASE_COST[kind])
    revision = (await get_palace(database, palace))["revision"]
    await database.write("ingest/settle_palace", palace=palace, revision=revision)


async def _divide(database: Database, indexes: DrawerIndexes, palace: str, common: Row, others: list[Row]) -> None:
    """Move the closets of a common room to rooms that are near, and cut the rest into clusters if there are enough."""
    closets = await database.read("rooms/closet_titles", room_id=common["id"])
    async with indexes.reading(palace) as matrix:
        means = matrix.room_means()
        sums = [matrix.vectors_of(closet["drawers"]).sum(axis=0) for closet in closets]
    if not closets:
        return
    vectors = unit_rows(np.stack(sums).astype(np.float32))
    siblings = [
        room
        for room in others
        if room["wing_id"] == common["wing_id"] and room["found_by"] == "cluster" and room["id"] in means
    ]
    target: dict[str, RoomRecord] = {}
    if siblings:
        cosines = vectors @ np.stack([means[room["id"]][2] for room in siblings]).T
        for closet, row in zip(closets, cosines, strict=True):
            if row.max() >= _MOVE_COSINE:
                room = siblings[int(row.argmax())]
                target[closet["id"]] = RoomRecord(room["id"], room["name"], room["wing_id"], room["wing"])
    rest = [at for at, closet in enumerate(closets) if closet["id"] not in target]
    if len(rest) >= SMALLEST:
        drawers = await _texts(database, palace, [closets[at]["drawers"][:5] for at in rest])
        texts = [
            f"{closets[at]['title']} {closets[at]['title']} {text}" for at, text in zip(rest, drawers, strict=True)
        ]
        labels = await asyncio.to_thread(cluster, vectors[rest])
        for number, name in enumerate(await asyncio.to_thread(names, texts, labels)):
            members = [place for place, label in enumerate(labels) if label == number]
            record = room_record(palace, common["wing"], name, [texts[place] for place in members], found_by="cluster")
            target.update((closets[rest[place]]["id"], record) for place in members)
    if target:
        await move_closets(database, palace, from_room=common["id"], wing=common["wing_id"], target=target)


async def _texts(database: Database, palace: str, groups: list[list[str]]) -> list[str]:
    rows = await database.read(
        "drawers/read_drawers", palace=palace, ids=[drawer for group in groups for drawer in group]
    )
    text = {row["drawer"]["id"]: row["drawer"]["text"] for row in rows}
    return [" ".join(text.get(drawer, "") for drawer in group) for group in groups]
