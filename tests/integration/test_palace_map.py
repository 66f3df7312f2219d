"""The map of a palace and the history of its pheromones, on a real Neo4j."""

from __future__ import annotations

import asyncio

import pytest
from tests.decaying import decay_of
from tests.graphs import edges_of, nodes_of
from tests.spare_palaces import spare_name
from tests.walks import furnish, trail_between, way_to

from graphpalace.app import GraphPalace
from graphpalace.domain.palaces.palace_shape import PheromoneStrengths
from graphpalace.domain.pheromones.pheromones import DecayRates
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.store.palaces.palace_map import MapStore

BREAD = "knead the dough for ten minutes"
PRUNING, SLICING = "a sharp pruning knife cuts roses cleanly", "a sharp bread knife cuts crust cleanly"
COLD = PheromoneStrengths(0, 0, 0, 0, 0)


async def _rewarded(app: GraphPalace, palace: str) -> None:
    """Furnish the palace, and reward the way from the kitchen down to the bread."""
    drawers = await furnish(app, palace)
    trail = way_to(await app.replica.snapshots.get(palace), drawers[BREAD])
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="bread")


def _parts(strength: PheromoneStrengths) -> list[float]:
    return [strength.exploitation, strength.exploration, strength.success, strength.traversal, strength.recency]


async def test_an_empty_palace_has_an_empty_map_and_no_history(app: GraphPalace, palace: str) -> None:
    drawn = await app.palaces.maps.of(palace)
    assert (drawn.palace, drawn.cycle, drawn.wings, drawn.passages) == (palace, 0, [], [])
    assert (await app.palaces.maps.history(palace)).samples == []


async def test_wings_and_rooms_come_by_name_with_their_counts_and_an_empty_wing_too(
    app: GraphPalace, palace: str
) -> None:
    await furnish(app, palace)
    await app.drawers.add_wing(palace, "attic")
    drawn = await app.palaces.maps.of(palace)
    assert [(wing.name, wing.drawers, [(room.name, room.drawers) for room in wing.rooms]) for wing in drawn.wings] == [
        ("attic", 0, []),
        ("garden", 4, [("roses", 2), ("tools", 2)]),
        ("kitchen", 4, [("bread", 2), ("tools", 2)]),
    ]
    assert {room.strength for wing in drawn.wings for room in wing.rooms} == {COLD}


async def test_a_room_shows_what_is_left_now_of_itself_of_what_is_in_it_and_of_the_edges_to_it(
    app: GraphPalace, palace: str
) -> None:
    await _rewarded(app, palace)
    await app.database.write(palace, "tests/advance_clock", cycles=7)
    drawn = await app.palaces.maps.of(palace)
    rooms = {(wing.name, room.name): room.strength for wing in drawn.wings for room in wing.rooms}
    # room, closet and drawer have .2 each; three edges have 1 + 2/3 + 1/3 success, .1 traversal and 1 recency each
    bread = [0.6 * 0.98**7, 0, 2 * 0.99**7, 0.3 * 0.97**7, 3 * 0.9**7]
    assert _parts(rooms.pop(("kitchen", "bread"))) == pytest.approx(bread)
    assert set(rooms.values()) == {COLD}
    kitchen = next(wing for wing in drawn.wings if wing.name == "kitchen")
    assert _parts(kitchen.strength) == pytest.approx([0.8 * 0.98**7, *bread[1:]])  # and .2 of the wing itself
    assert drawn.cycle == 7


async def test_what_fell_below_the_floor_is_not_on_the_map(app: GraphPalace, palace: str) -> None:
    await _rewarded(app, palace)
    await app.database.write(palace, "tests/advance_clock", cycles=2000)
    assert {wing.strength for wing in (await app.palaces.maps.of(palace)).wings} == {COLD}


async def test_an_edge_between_drawers_of_two_rooms_counts_in_both(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    trail = trail_between(await app.replica.snapshots.get(palace), drawers[PRUNING], drawers[SLICING])
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="knives")
    drawn = await app.palaces.maps.of(palace)
    success = {(wing.name, room.name): room.strength.success for wing in drawn.wings for room in wing.rooms}
    assert success == pytest.approx(
        {("garden", "roses"): 0, ("garden", "tools"): 1, ("kitchen", "bread"): 0, ("kitchen", "tools"): 1}
    )


async def test_halls_and_tunnels_join_rooms_by_their_ids_with_their_trails(app: GraphPalace, palace: str) -> None:
    drawers = await furnish(app, palace)
    rooms = {(room.wing, room.name): room.id for room in await app.drawers.rooms(palace)}
    edges = [{"from": rooms["garden", "tools"], "to": rooms["kitchen", "tools"]}]
    await app.database.write(palace, "rooms/write_tunnels", edges=edges, base_cost=0.7)
    edges = [{"from": rooms["garden", "roses"], "to": rooms["garden", "tools"]}]
    await app.database.write(palace, "rooms/write_halls", edges=edges, base_cost=0.5)
    await app.drawers.add(palace, NewDrawer(text="another one", wing="garden", room="roses"))  # the graph is read anew
    trail = trail_between(await app.replica.snapshots.get(palace), rooms["garden", "tools"], rooms["kitchen", "tools"])
    await app.pheromones.deposits.path_success(palace, trail, deposit_id="tunnel")
    await app.database.write(palace, "tests/advance_clock", cycles=2)
    hall, tunnel = (await app.palaces.maps.of(palace)).passages
    assert (hall.type, {hall.source, hall.target}) == ("HALL", {rooms["garden", "roses"], rooms["garden", "tools"]})
    assert (hall.success, hall.traversal, hall.recency) == (0, 0, 0)
    assert (tunnel.type, {tunnel.source, tunnel.target}) == (
        "TUNNEL",
        {rooms["garden", "tools"], rooms["kitchen", "tools"]},
    )
    assert [tunnel.success, tunnel.traversal, tunnel.recency] == pytest.approx([0.99**2, 0.1 * 0.97**2, 0.9**2])
    assert drawers


async def test_each_run_of_the_decay_leaves_one_sample_and_a_repeated_one_replaces_it(
    app: GraphPalace, palace: str
) -> None:
    await _rewarded(app, palace)
    for cycles in (0, 10, 10):
        await app.database.write(palace, "tests/advance_clock", cycles=cycles)
        await app.pheromones.decay.apply(palace)
        await app.pheromones.decay.apply(palace)
    samples = (await app.palaces.maps.history(palace)).samples
    assert [sample.cycle for sample in samples] == [0, 10, 20]
    assert [sample.success for sample in samples] == pytest.approx([2, 2 * 0.99**10, 2 * 0.99**20])
    assert [sample.exploitation for sample in samples] == pytest.approx([0.8, 0.8 * 0.98**10, 0.8 * 0.98**20])
    assert [sample.recency for sample in samples] == pytest.approx([3, 3 * 0.9**10, 3 * 0.9**20])
    assert samples[0].at <= samples[1].at
    assert [sample.cycle for sample in (await app.palaces.maps.history(palace, limit=2)).samples] == [10, 20]


async def test_the_oldest_samples_beyond_a_thousand_are_forgotten(app: GraphPalace, palace: str) -> None:
    await app.database.write(palace, "tests/make_samples", count=1000)
    await app.database.write(palace, "tests/advance_clock", cycles=1005)
    await app.pheromones.decay.apply(palace)
    samples = (await app.palaces.maps.history(palace)).samples
    assert (len(samples), samples[0].cycle, samples[-1].cycle) == (1000, 2, 1005)


async def test_services_that_sample_at_once_leave_one_sample(app: GraphPalace, palace: str) -> None:
    await _rewarded(app, palace)
    store = MapStore(app.database, rates=DecayRates())
    await asyncio.gather(
        *(store.keep_sample(palace, 5, PheromoneStrengths(1, 1, 1, 1, 1), most=1000) for _ in range(8))
    )
    assert [sample.cycle for sample in (await app.palaces.maps.history(palace)).samples] == [5]


async def test_looking_changes_nothing_and_a_dropped_palace_takes_its_samples_along(app: GraphPalace) -> None:
    name = spare_name()
    await app.create_palace(name)
    await _rewarded(app, name)
    await decay_of(app.database).apply(name)
    before = (await nodes_of(app.database, name), await edges_of(app.database, name))
    await app.palaces.maps.of(name)
    await app.palaces.maps.history(name)
    assert (await nodes_of(app.database, name), await edges_of(app.database, name)) == before
    await app.drop_palace(name)
    await app.create_palace(name)
    assert (await app.palaces.maps.history(name)).samples == []
    await app.drop_palace(name)


async def test_what_cannot_be_shown_is_refused(app: GraphPalace, palace: str) -> None:
    with pytest.raises(NotFound, match="there is no palace 'nosuch'"):
        await app.palaces.maps.of("nosuch")
    with pytest.raises(NotFound, match="there is no palace 'nosuch'"):
        await app.palaces.maps.history("nosuch")
    for limit in (0, 1001):
        with pytest.raises(InvalidInput, match=f"limit is {limit}; it must be 1 to 1000"):
            await app.palaces.maps.history(palace, limit=limit)
