"""Writes in a row, on a real Neo4j."""

from __future__ import annotations

import asyncio

import numpy as np
from tests.graphs import edges_of

from graphpalace.domain.records import ClosetPart, DrawerRecord, Written
from graphpalace.domain.room import WingType
from graphpalace.graph_palace import GraphPalace
from graphpalace.operations.compose import closet_id, room_record
from graphpalace.store.write_closets import Turn, write_closets


class _Watched(Turn):
    """Says when all is done that does not wait for the write before."""

    def __init__(self, before: Turn) -> None:
        super().__init__(before)
        self.waits = asyncio.Event()

    async def follow(self) -> None:
        self.waits.set()
        await super().follow()


async def test_a_write_links_to_drawers_that_were_there_and_to_those_that_the_one_before_commits_meanwhile(
    app: GraphPalace, palace: str
) -> None:
    room = room_record(palace, "w", "r", [], wing_type=WingType.TOPIC)
    vector = np.zeros(app.embedder.dimension, np.float32)
    vector[0] = 1

    async def write(name: str, similar: list[tuple[str, float]], turn: Turn | None = None) -> Written:
        closet = closet_id(palace, "w", f"test:{name}")
        drawer = DrawerRecord(name, room.id, f"text of {name}", 0, 1, 1, vector=vector, similar=similar)
        part = ClosetPart(closet, room.wing_id, name, f"test:{name}", "text/plain", (drawer,), frozenset({name}), name)
        return await write_closets(app.database, palace, [room], [part], turn=turn)

    await write("early", [])
    may_commit = asyncio.Event()

    async def late() -> Written:
        await may_commit.wait()
        return await write("late", [])

    before = Turn()
    before.drawers = frozenset({"late"})
    turn = _Watched(before)
    first = asyncio.create_task(before.take(late))
    second = asyncio.create_task(write("new", [("early", 0.8), ("late", 0.7)], turn))
    await asyncio.wait_for(turn.waits.wait(), 30)
    may_commit.set()
    await asyncio.wait_for(first, 30)
    assert (await second).edges == 2
    similar = [edge for edge in await edges_of(app.database, palace) if edge["type"] == "SIMILAR_TO"]
    assert {(edge["from"], edge["to"], edge["similarity"]) for edge in similar} == {
        ("new", "early", 0.8),
        ("new", "late", 0.7),
    }
