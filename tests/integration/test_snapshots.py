"""The graph in memory is the graph in the database, whoever changes it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import numpy as np
import pytest
from tests.graphs import edges_of, nodes_of
from tests.spare_palaces import spare_name
from tests.walks import furnish, way_to
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.deadline import due_in
from graphpalace.domain.walking.graph_snapshot import KINDS, RELATIONS, GraphSnapshot, NodeRef
from graphpalace.errors import NotFound, TookTooLong
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.settings.load import Settings
from graphpalace.store.walking import SnapshotStore, StoredGraph


@pytest.fixture
async def second(settings: Settings) -> AsyncIterator[GraphPalace]:
    """Another service on the same database."""
    async with wiring.opened(settings, embedder=WordEmbedder()) as opened:
        yield opened


def _shown(snapshot: GraphSnapshot) -> tuple[Any, Any]:
    nodes, edges = snapshot.nodes, snapshot.edges
    return (
        [
            (node, KINDS[nodes.kind[at]], round(nodes.exploitation[at], 9), round(nodes.exploration[at], 9))
            for at, node in enumerate(nodes.ids)
        ],
        sorted(
            (
                RELATIONS[edges.relation[at]],
                nodes.ids[int(edges.source[at])],
                nodes.ids[int(edges.target[at])],
                *(round(values[at], 9) for values in (edges.success, edges.traversal, edges.recency)),
                *(round(values[at], 9) for values in (edges.base_cost, edges.current_cost)),
            )
            for at in range(len(edges))
        ),
    )


async def _stored(app: GraphPalace, palace: str) -> tuple[Any, Any]:
    names = ("success_pheromone", "traversal_pheromone", "recency_pheromone", "base_cost", "current_cost")
    return (
        [
            (
                node["id"],
                *node["labels"],
                *(round(node.get(f"{p}_pheromone", 0.0), 9) for p in ("exploitation", "exploration")),
            )
            for node in await nodes_of(app.database, palace)
            if node["labels"][0] in KINDS
        ],
        sorted(
            (edge["type"], edge["from"], edge["to"], *(round(edge.get(name, 0.0), 9) for name in names))
            for edge in await edges_of(app.database, palace)
            if edge["type"] in RELATIONS
        ),
    )


async def _same(app: GraphPalace, palace: str) -> GraphSnapshot:
    snapshot = await app.replica.snapshots.get(palace)
    assert _shown(snapshot) == await _stored(app, palace)
    return snapshot


async def test_a_snapshot_has_every_node_and_edge(app: GraphPalace, palace: str) -> None:
    await furnish(app, palace)
    snapshot = await _same(app, palace)
    assert snapshot.nodes.ids == sorted(snapshot.nodes.ids)
    assert {RELATIONS[kind] for kind in snapshot.edges.relation} >= {
        "HAS_ROOM",
        "HAS_CLOSET",
        "HAS_DRAWER",
        "SIMILAR_TO",
    }
    near = snapshot.ways
    for node in range(len(snapshot.nodes)):
        for arc in range(near.start[node], near.start[node + 1]):
            ends = {int(snapshot.edges.source[near.edge[arc]]), int(snapshot.edges.target[near.edge[arc]])}
            assert ends == {node, int(near.neighbour[arc])}
    assert len(near.neighbour) == 2 * len(snapshot.edges)


async def test_it_follows_what_this_and_other_services_write(
    app: GraphPalace, second: GraphPalace, palace: str
) -> None:
    drawers = await furnish(app, palace)
    first = await _same(second, palace)
    added = await app.drawers.add(palace, NewDrawer(text="roses in a vase", wing="kitchen", room="flowers"))
    await _same(second, palace)
    trail = way_to(await second.replica.snapshots.get(palace), added.drawer.id)
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="a")
    await app.pheromones.deposits.exploration(
        palace, [NodeRef("Drawer", drawers["oil the shears in autumn"])], deposit_id="b"
    )
    later = await _same(second, palace)
    assert later.edges.success.sum() == pytest.approx(2.0)
    await app.drawers.delete(palace, added.drawer.id)
    await app.pheromones.deposits.exploration(
        palace, [NodeRef("Drawer", drawers["oil the shears in autumn"])], deposit_id="c"
    )
    last = await _same(second, palace)
    assert len(last.nodes) == len(first.nodes) + 1  # the room stays, with what was deposited on it
    assert _shown(first) != _shown(last)
    assert first.edges.success.sum() == 0  # a snapshot never changes


async def test_a_deposit_alone_leaves_the_shape_as_it_is(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    before = await app.replica.snapshots.get(palace)
    near = before.adjacency
    await app.pheromones.deposits.path_success(
        palace, way_to(before, drawers["oil the shears in autumn"]), deposit_id="a"
    )
    after = await _same(app, palace)
    assert after.revision == before.revision + 1
    assert after.adjacency is near
    assert before.edges.success.sum() == 0


async def test_pheromones_fade_in_memory_as_the_clock_goes_on(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    trail = way_to(await app.replica.snapshots.get(palace), drawers["oil the shears in autumn"])
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="a")
    fresh = await app.replica.snapshots.get(palace)
    await app.database.write(palace, "tests/advance_clock", cycles=23)
    aged = await app.replica.snapshots.get(palace)
    assert aged.cycle == fresh.cycle + 23
    assert aged.edges.traversal.max() == pytest.approx(0.1 * 0.97**23)
    assert aged.edges.success.max() == pytest.approx(0.99**23)
    assert (aged.edges.current_cost >= fresh.edges.current_cost).all()


async def test_an_edit_by_hand_is_seen_when_somebody_looks(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    edge = way_to(await app.replica.snapshots.get(palace), drawers["oil the shears in autumn"]).edges[0]
    await app.replica.snapshots.look()
    unedited = await app.replica.snapshots.get(palace)
    await app.replica.snapshots.look()
    assert await app.replica.snapshots.get(palace) is unedited  # no commit, so nothing is read
    await app.database.write(None, "tests/set_trail", source=edge.source, target=edge.target, success=0.8)
    for _ in range(100):
        await app.replica.snapshots.look()
        snapshot = await app.replica.snapshots.get(palace)
        if snapshot is not unedited:
            break
        await asyncio.sleep(0.05)
    assert snapshot.edges.success.max() == 0.8
    assert np.count_nonzero(snapshot.edges.success) == 1


async def test_two_palaces_have_two_snapshots(app: GraphPalace, palace: str) -> None:
    other = spare_name()
    await app.create_palace(other)
    try:
        await furnish(app, palace)
        await app.drawers.add(other, NewDrawer(text="alone", wing="w"))
        await _same(app, palace)
        assert [KINDS[kind] for kind in (await _same(app, other)).nodes.kind].count("Drawer") == 1
    finally:
        await app.drop_palace(other)
    with pytest.raises(NotFound, match="there is no palace"):
        await app.replica.snapshots.get(other)


async def test_a_palace_made_anew_under_the_same_name_is_read_anew(app: GraphPalace, second: GraphPalace) -> None:
    name = spare_name()
    await app.create_palace(name)
    await furnish(app, name)
    assert len((await second.replica.snapshots.get(name)).nodes) > 1
    await app.drop_palace(name)
    await app.create_palace(name)
    assert len((await second.replica.snapshots.get(name)).nodes) == 1  # the palace itself
    await app.drop_palace(name)


async def test_what_is_committed_in_the_middle_of_a_read_is_read_too(
    app: GraphPalace, second: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await furnish(app, palace)
    drawers = [
        NodeRef("Drawer", node) for node in (await app.replica.snapshots.get(palace)).nodes.ids if node[:6] == "drawer"
    ]
    await second.replica.snapshots.get(palace)
    await app.pheromones.deposits.exploration(palace, drawers, deposit_id="before")
    plain, late = second.replica.snapshots._graphs.read_trails, ["meanwhile"]

    async def read_trails(*args: Any, **kwargs: Any) -> None:
        await plain(*args, **kwargs)
        if late:
            await app.pheromones.deposits.exploration(palace, drawers, deposit_id=late.pop())

    monkeypatch.setattr(second.replica.snapshots._graphs, "read_trails", read_trails)
    seen, now = await second.replica.snapshots.get(palace), await app.replica.snapshots.get(palace)
    assert (late, seen.revision) == ([], now.revision)
    assert seen.nodes.exploration.tolist() == now.nodes.exploration.tolist()


async def test_readers_during_writes_see_whole_states(app: GraphPalace, second: GraphPalace, palace: str) -> None:
    await furnish(app, palace)
    drawers = [
        NodeRef("Drawer", node) for node in (await app.replica.snapshots.get(palace)).nodes.ids if node[:6] == "drawer"
    ]

    async def write() -> None:
        for number in range(20):
            await app.pheromones.deposits.exploration(palace, drawers, deposit_id=str(number))

    async def read() -> None:
        while not writing.done():
            marks = (await second.replica.snapshots.get(palace)).nodes.exploration
            assert len(set(marks[marks > 0].round(9))) <= 1  # all drawers are marked together

    writing = asyncio.create_task(write())
    await asyncio.gather(writing, read(), read())


async def test_a_graph_that_is_read_for_longer_than_a_request_may_take_is_there_for_a_later_one(
    app: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await furnish(app, palace)
    snapshots = app.replica.snapshots
    snapshots.forget(palace)
    goes_on, reads, load = asyncio.Event(), 0, SnapshotStore.load

    async def slow(self: SnapshotStore, name: str) -> StoredGraph:
        nonlocal reads
        reads += 1
        await goes_on.wait()
        return await load(self, name)

    monkeypatch.setattr(SnapshotStore, "load", slow)
    with due_in(0.5, setting="[service] read_deadline_s"), pytest.raises(TookTooLong, match="being read into memory"):
        await snapshots.get(palace)
    goes_on.set()
    assert len((await snapshots.get(palace)).nodes) > 1
    assert reads == 1
