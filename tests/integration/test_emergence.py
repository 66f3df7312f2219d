"""What the seed says emerges from the pheromones alone (seed 003, "Emergent Behaviors"), on a real Neo4j.

Four rooms in a diamond: from a to d there are two ways, over b and over c, that cost the same. Nothing is told which is
better; only what is deposited and what fades may make a difference.
"""

from __future__ import annotations

import uuid

import numpy as np
import pytest
from tests.walks import trail_between

from graphpalace.app import GraphPalace
from graphpalace.domain.walking.graph_snapshot import NodeRef, Trail
from graphpalace.traverse.colony import Colony, walk


@pytest.fixture
async def diamond(app: GraphPalace, palace: str) -> str:
    await app.database.write(palace, "tests/make_diamond")
    return palace


async def _over(app: GraphPalace, palace: str, room: str) -> Trail:
    return trail_between(await app.replica.snapshots.get(palace), f"{palace}-a", f"{palace}-{room}", f"{palace}-d")


async def _reward(app: GraphPalace, palace: str, room: str, reward: float) -> None:
    await app.pheromones.deposits.path_success(
        palace, await _over(app, palace, room), deposit_id=uuid.uuid4().hex, base_reward=reward
    )


async def _later(app: GraphPalace, palace: str, cycles: int) -> None:
    await app.database.write(palace, "tests/advance_clock", cycles=cycles)


async def _share_of_b(app: GraphPalace, palace: str, seed: int = 0) -> float:
    """Return which share of the agents that leave room a for b or c goes to b."""
    snapshot = await app.replica.snapshots.get(palace)
    at = [snapshot.index_of[f"{palace}-{room}"] for room in "abc"]
    colony = Colony(agents=4000, steps=1, mark=0.0)
    walked = walk(snapshot, np.zeros(len(snapshot.nodes)), [at[0]], rng=np.random.default_rng(seed), colony=colony)
    return walked.visits[at[1]] / (walked.visits[at[1]] + walked.visits[at[2]])


async def _cost(app: GraphPalace, palace: str, room: str) -> float:
    """Return what the two halls over a room cost together."""
    snapshot, trail = await app.replica.snapshots.get(palace), await _over(app, palace, room)
    ends = {(edge.source, edge.target) for edge in trail.edges}
    ids, edges = snapshot.nodes.ids, snapshot.edges
    return sum(
        float(edges.current_cost[at])
        for at in range(len(edges))
        if (ids[edges.source[at]], ids[edges.target[at]]) in ends
    )


async def test_nothing_is_preferred_before_anything_is_deposited(app: GraphPalace, diamond: str) -> None:
    assert await _share_of_b(app, diamond) == pytest.approx(0.5, abs=0.03)
    assert await _cost(app, diamond, "b") == await _cost(app, diamond, "c") == 1.0


async def test_highway_formation(app: GraphPalace, diamond: str) -> None:
    """What helps again and again is preferred more and more, by agents and by the cheapest path."""
    shares = [await _share_of_b(app, diamond)]
    for day in range(6):
        snapshot = await app.replica.snapshots.get(diamond)
        begin, useful = (snapshot.index_of[f"{diamond}-{room}"] for room in "ab")
        walked = walk(
            snapshot,
            np.zeros(len(snapshot.nodes)),
            [begin],
            rng=np.random.default_rng(day),
            colony=Colony(agents=20, steps=2, mark=0.0),
        )
        # Who came over b found something; each of them is rewarded, and so b is found by more the next day.
        for agent in np.flatnonzero(walked.node[1] == useful):
            way = [snapshot.nodes.ids[node] for node in walked.node[:, agent]]
            if len(set(way)) == 3:
                await app.pheromones.deposits.path_success(
                    diamond, trail_between(snapshot, *way), deposit_id=f"{day}-{agent}", base_reward=0.02
                )
        shares.append(await _share_of_b(app, diamond))
        await _later(app, diamond, 24)
    assert shares[-1] > shares[1] > shares[0] + 0.1
    assert shares[-1] > 0.75
    assert await _cost(app, diamond, "b") < 0.8 < await _cost(app, diamond, "c")
    way = await app.walking.navigate.find(diamond, "diamond/a", "diamond/d")
    assert [leg.to.name for leg in way.legs] == ["b", "d"]


async def test_exploration_pressure(app: GraphPalace, diamond: str) -> None:
    """What was searched is left alone for a while, and is free again before what was valuable there is forgotten."""
    room = NodeRef("Room", f"{diamond}-b")
    for number in range(3):
        await app.pheromones.deposits.exploration(diamond, [room], deposit_id=f"look-{number}")
    searched = await _share_of_b(app, diamond)
    assert searched < 0.4
    await _later(app, diamond, 14)  # a half-life of exploration
    assert searched < await _share_of_b(app, diamond) < 0.5
    await _later(app, diamond, 100)
    assert await _share_of_b(app, diamond) == pytest.approx(0.5, abs=0.03)
    # Searched and found valuable at the same time: first avoided, then sought.
    other = NodeRef("Room", f"{diamond}-c")
    trail = Trail((await _over(app, diamond, "c")).edges[:1], [other])
    for number in range(3):
        await app.pheromones.deposits.exploration(diamond, [other], deposit_id=f"other-{number}")
    await app.pheromones.deposits.path_success(diamond, trail, deposit_id="value", base_reward=0.0)
    snapshot = await app.replica.snapshots.get(diamond)
    at = snapshot.index_of[other.id]
    pull = 0.5 * snapshot.nodes.exploitation[at] - 0.3 * snapshot.nodes.exploration[at]
    assert pull < -0.1
    await _later(app, diamond, 60)
    aged = (await app.replica.snapshots.get(diamond)).nodes
    assert 0.5 * aged.exploitation[at] - 0.3 * aged.exploration[at] > 0.01


async def test_recency_bias(app: GraphPalace, diamond: str) -> None:
    """What was used lately is preferred for a while, like a working memory, and no longer."""
    await _reward(app, diamond, "c", 0.0)
    await _later(app, diamond, 21)  # three half-lives of recency
    await _reward(app, diamond, "b", 0.0)
    lately = await _share_of_b(app, diamond)
    assert lately > 0.57
    assert await _cost(app, diamond, "b") == pytest.approx(1 - 0.5 * (0.3 + 0.2 * 0.1))
    assert await _cost(app, diamond, "c") == pytest.approx(1 - 0.5 * (0.3 * 0.9**21 + 0.2 * 0.1 * 0.97**21))
    await _later(app, diamond, 60)
    assert await _share_of_b(app, diamond) == pytest.approx(0.5, abs=0.03)
    assert await _cost(app, diamond, "c") - await _cost(app, diamond, "b") < 0.005


async def test_quality_persistence(app: GraphPalace, diamond: str) -> None:
    """What led to something good stays preferred long after what was merely used is forgotten."""
    await _reward(app, diamond, "b", 1.0)
    await _reward(app, diamond, "c", 0.0)
    await _later(app, diamond, 69)  # a half-life of success
    await app.pheromones.decay.apply(diamond)
    # Of b's success a half is left, of all that was recent nothing.
    left = 0.99**69
    assert await _cost(app, diamond, "b") == pytest.approx(
        1 - 0.5 * (0.5 * (left + left / 2) / 2 + 0.2 * 0.1 * 0.97**69), abs=1e-9
    )
    assert await _cost(app, diamond, "c") > 0.99
    assert await _share_of_b(app, diamond) > 0.52


async def test_dead_path_pruning(app: GraphPalace, diamond: str) -> None:
    """A way that never leads anywhere loses its trail and is forgotten without being deleted; a good one is not."""
    await _reward(app, diamond, "c", 0.0)
    for _ in range(8):
        await _reward(app, diamond, "b", 1.0)
        await _later(app, diamond, 40)
        await app.pheromones.decay.apply(diamond)
    (left,) = await app.database.read(diamond, "tests/count_warm")
    assert (left["edges"], left["warm_edges"]) == (4, 2)
    assert await _cost(app, diamond, "c") == 1.0
    assert await _cost(app, diamond, "b") < 0.8
    await _later(app, diamond, 2000)
    await app.pheromones.decay.apply(diamond)
    (left,) = await app.database.read(diamond, "tests/count_warm")
    assert (left["edges"], left["warm_edges"], left["warm_rooms"]) == (4, 0, 0)
    assert left["costs"] == [0.5] * 4
