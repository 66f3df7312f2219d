"""Writes in a row, on a real Neo4j."""

from __future__ import annotations

import asyncio

import numpy as np
from tests.graphs import edges_of

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.records import ClosetPart, DrawerRecord, WriteResult
from graphpalace.domain.palaces.places import WingType
from graphpalace.operations.drawers.compose import closet_id, room_record
from graphpalace.store.connection.write_turn import WriteTurn
from graphpalace.store.drawers.closets import ClosetStore


class _Watched(WriteTurn):
    """Says when all is done that does not wait for the write before."""

    def __init__(self, before: WriteTurn) -> None:
        super().__init__(before)
        self.waits = asyncio.Event()

    async def follow(self) -> None:
        self.waits.set()
        await super().follow()


async def _write(
    app: GraphPalace, palace: str, name: str, similar: list[tuple[str, float]], turn: WriteTurn | None = None
) -> WriteResult:
    """Store a drawer in a closet of its own, linked to others."""
    room = room_record(palace, "w", "r", [], wing_type=WingType.TOPIC)
    vector = np.zeros(app.embedder.dimension, np.float32)
    vector[0] = 1
    closet = closet_id(palace, "w", f"test:{name}")
    drawer = DrawerRecord(name, room.id, f"text of {name}", 0, 1, 1, vector=vector, similar=similar)
    part = ClosetPart(closet, room.wing_id, name, f"test:{name}", "text/plain", (drawer,), frozenset({name}), name)
    return await ClosetStore(app.database).write(palace, [room], [part], model="words", turn=turn)


async def _similar(app: GraphPalace, palace: str) -> set[tuple[str, str, float]]:
    edges = await edges_of(app.database, palace)
    return {(edge["from"], edge["to"], edge["similarity"]) for edge in edges if edge["type"] == "SIMILAR_TO"}


async def test_a_write_links_to_drawers_that_were_there_and_to_those_that_the_one_before_commits_meanwhile(
    app: GraphPalace, palace: str
) -> None:
    await _write(app, palace, "early", [])
    may_commit = asyncio.Event()

    async def late() -> WriteResult:
        await may_commit.wait()
        return await _write(app, palace, "late", [])

    before = WriteTurn()
    before.drawers = frozenset({"late"})
    turn = _Watched(before)
    first = asyncio.create_task(before.take(late))
    second = asyncio.create_task(_write(app, palace, "new", [("early", 0.8), ("late", 0.7)], turn))
    await asyncio.wait_for(turn.waits.wait(), 30)
    may_commit.set()
    await asyncio.wait_for(first, 30)
    assert (await second).edges == 2
    assert await _similar(app, palace) == {("new", "early", 0.8), ("new", "late", 0.7)}


async def test_a_drawer_that_is_gone_gets_no_edge_and_the_others_get_their_own(app: GraphPalace, palace: str) -> None:
    for name in ("one", "two"):
        await _write(app, palace, name, [])
    written = await _write(app, palace, "new", [("one", 0.9), ("gone", 0.8), ("two", 0.7)])
    assert written.edges == 2
    assert await _similar(app, palace) == {("new", "one", 0.9), ("new", "two", 0.7)}
